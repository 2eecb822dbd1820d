#include "client/schedule_text.h"

#include <array>
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

#include "server/disk/read.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

constexpr std::string_view kMark = "heddle1";
constexpr char kField = '~', kItem = ',', kHash = '=';
constexpr size_t kFieldsLeast = 6;

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("._-:/").find(c) != std::string_view::npos;
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += plain ? std::string(1, c) : std::string(code.data());
  }
  return out;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 2 >= text.size()) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16));
    i += 2;
  }
  return out;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// Of the text of a file; FNV-1a, 64 bits: distinguishes a text from an edited one. Empty: there is no such file.
std::string text_hash(const std::string& path) {
  const auto text = disk::read_regular(disk::file_of_name(path), disk::kTextMost);
  if (!text) return "";
  uint64_t hash = 14695981039346656037u;
  for (const char c : *text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64, hash);
  return digits.data();
}

std::string below(const std::string& path, const std::string& root) {
  return path.starts_with(root + "/") ? path.substr(root.size() + 1) : path;
}

}  // namespace

std::string schedule_text(const v1::Finding& finding, const std::string& root) {
  std::set<std::string> files;
  for (const v1::Place& place : finding.places()) files.insert(place.file());
  for (const v1::TraceStep& step : finding.trace()) files.insert(step.place().file());
  std::string hashes;
  for (const std::string& file : files) {
    if (!file.starts_with(root + "/")) continue;
    hashes += (hashes.empty() ? "" : std::string(1, kItem)) + encoded(below(file, root)) + kHash + text_hash(file);
  }
  std::string out(kMark);
  for (const std::string& field : {finding.target(), finding.id(), finding.rule(), finding.schedule()})
    out += kField + encoded(field);
  out += kField + hashes;
  for (const std::string& visible : finding.visible()) out += kField + encoded(below(visible, root));
  return out;
}

std::optional<ReadSchedule> read_schedule_text(const std::string& word, const std::string& root) {
  const std::vector<std::string_view> fields = parts_of(word, kField);
  if (fields.size() < kFieldsLeast || fields[0] != kMark) return std::nullopt;
  ReadSchedule out;
  out.finding.set_target(decoded(fields[1]));
  out.finding.set_id(decoded(fields[2]));
  out.finding.set_rule(decoded(fields[3]));
  out.finding.set_schedule(decoded(fields[4]));
  for (const std::string_view item : parts_of(fields[5], kItem)) {
    const size_t equals = item.rfind(kHash);
    if (equals == std::string_view::npos) continue;
    const std::string file = decoded(item.substr(0, equals));
    if (text_hash(root + "/" + file) != item.substr(equals + 1)) out.differ.push_back(file);
  }
  for (size_t n = kFieldsLeast; n < fields.size(); ++n) {
    const std::string visible = decoded(fields[n]);
    out.finding.add_visible(visible.starts_with("/") ? visible : root + "/" + visible);
  }
  return out;
}

}  // namespace heddle::client
