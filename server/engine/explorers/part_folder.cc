#include "server/engine/explorers/part_folder.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/base/clock.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;
using Error = std::error_code;

constexpr const char* kPart = ".part";
constexpr const char* kResult = ".result";
constexpr const char* kOver = "/over";

bool write(const std::string& path, const std::string& other, const std::string& text) {
  Error error;
  {
    std::ofstream out(other, std::ios::binary | std::ios::trunc);
    out << text;
    if (!out.flush()) return false;
  }
  fs::rename(other, path, error);
  return !error;
}

std::optional<std::string> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  Error error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  return names;
}

}  // namespace

PartFolder::PartFolder(std::string path)
    : path_(std::move(path)), run_(std::to_string(base::unix_ms()) + "." + std::to_string(::getpid()) + "-") {}

std::optional<uint64_t> PartFolder::number_of(const std::string& name, const std::string& kind) const {
  if (!name.starts_with(run_) || !name.ends_with(kind)) return std::nullopt;
  uint64_t number = 0;
  const char *begin = name.data() + run_.size(), *end = name.data() + name.size() - kind.size();
  const auto [at, error] = std::from_chars(begin, end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

bool PartFolder::clear() {
  Error error;
  fs::create_directories(path_, error);
  for (const std::string& name : names_in(path_)) fs::remove(path_ + "/" + name, error);
  return ::access(path_.c_str(), W_OK) == 0;
}

bool PartFolder::offer(uint64_t number, const v1::SearchPart& part) {
  return write(file(number, kPart), file(number, ".offered"), part.SerializeAsString());
}

bool PartFolder::withdraw(uint64_t number) {
  Error error;
  return fs::remove(file(number, kPart), error) && !error;
}

PartFolder::Contents PartFolder::look() const {
  Contents contents;
  for (const std::string& name : names_in(path_)) {
    if (const auto number = number_of(name, kPart)) contents.waiting.insert(*number);
    if (const auto number = number_of(name, kResult)) contents.results[*number] = path_ + "/" + name;
  }
  return contents;
}

std::optional<v1::JobResult> PartFolder::result(const std::string& path) const {
  const auto text = read(path);
  Error error;
  fs::remove(path, error);
  v1::JobResult result;
  if (!text || !result.ParseFromString(*text)) return std::nullopt;
  return result;
}

void PartFolder::end() { write(path_ + kOver, path_ + kOver + ".new", ""); }

bool PartFolder::over() const {
  Error error;
  return fs::exists(path_ + kOver, error);
}

std::vector<PartFolder::Taken> PartFolder::take(const std::string& worker) {
  constexpr size_t kMost = 32;
  std::vector<std::string> waiting = names_in(path_);
  std::erase_if(waiting, [](const std::string& name) { return !name.ends_with(kPart); });
  std::vector<Taken> all;
  for (const std::string& file_name : waiting) {
    if (all.size() == std::min(kMost, waiting.size() / 4 + 1)) break;  // others shall have some
    Error error;
    Taken taken{file_name.substr(0, file_name.size() - std::string(kPart).size()), {}};
    const std::string mine = file(taken.name, kPart) + "." + worker;
    fs::rename(file(taken.name, kPart), mine, error);
    if (error) continue;  // another was faster
    const auto text = read(mine);
    if (text && taken.part.ParseFromString(*text)) all.push_back(std::move(taken));
  }
  return all;
}

bool PartFolder::give(const std::string& name, const v1::JobResult& result, const std::string& worker) {
  Error error;
  const bool written = write(file(name, kResult), path_ + "/" + worker + ".new", result.SerializeAsString());
  fs::remove(file(name, kPart) + "." + worker, error);
  return written;
}

}  // namespace heddle::engine
