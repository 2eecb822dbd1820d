#include "server/engine/target/same_error.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace heddle::engine {

namespace {

// "malloc@list.c:14" -> "malloc@list.c": edits move lines.
std::string without_lines(const std::string& text) {
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    const bool digit = n + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[n + 1])) != 0;
    if (text[n] != ':' || !digit) {
      out += text[n];
      continue;
    }
    while (n + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[n + 1])) != 0) ++n;
  }
  return out;
}

std::multiset<std::string> functions_of(const v1::Finding& finding) {
  std::multiset<std::string> out;
  for (const v1::Place& place : finding.places()) out.insert(place.function());
  return out;
}

}  // namespace

std::string subject_of(const v1::Finding& finding) { return finding.message().substr(0, finding.message().find(": ")); }

bool same_words(const v1::Finding& x, const v1::Finding& y) {
  return x.rule() == y.rule() && without_lines(x.message()) == without_lines(y.message()) &&
         functions_of(x) == functions_of(y);
}

bool same_error(const v1::Finding& x, const v1::Finding& y) {
  if (same_words(x, y)) return true;
  return x.rule() == "data-race" && y.rule() == "data-race" &&
         without_lines(subject_of(x)) == without_lines(subject_of(y)) && functions_of(x) == functions_of(y);
}

std::optional<Renamed> renamed_between(const v1::Finding& x, const v1::Finding& y) {
  const auto before = functions_of(x), after = functions_of(y);
  std::vector<std::string> lost, found;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(lost));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(found));
  const auto all_one = [](const std::vector<std::string>& names) {
    return !names.empty() && !names.front().empty() && names.front() == names.back();
  };
  if (x.rule() != y.rule() || lost.size() != found.size() || !all_one(lost) || !all_one(found)) return std::nullopt;
  const Renamed renamed{lost.front(), found.front()};
  std::string words = x.rule() == "data-race" ? subject_of(x) : x.message();
  for (size_t at = 0; (at = words.find(renamed.from, at)) != std::string::npos; at += renamed.to.size())
    words.replace(at, renamed.from.size(), renamed.to);
  const std::string now = y.rule() == "data-race" ? subject_of(y) : y.message();
  return without_lines(words) == without_lines(now) ? std::optional(renamed) : std::nullopt;
}

}  // namespace heddle::engine
