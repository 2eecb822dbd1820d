#include "server/engine/target/same_error.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "server/text/baseline.h"

namespace heddle::engine {

namespace {

std::multiset<std::string> functions_of(const v1::Finding& finding) {
  std::multiset<std::string> out;
  for (const v1::Place& place : finding.places()) out.insert(place.function());
  return out;
}

}  // namespace

std::string subject_of(const v1::Finding& finding) { return finding.message().substr(0, finding.message().find(": ")); }

bool same_words(const v1::Finding& x, const v1::Finding& y) {
  return x.rule() == y.rule() && text::without_line_numbers(x.message()) == text::without_line_numbers(y.message()) &&
         functions_of(x) == functions_of(y);
}

bool same_error(const v1::Finding& x, const v1::Finding& y) {
  if (same_words(x, y)) return true;
  return x.rule() == "data-race" && y.rule() == "data-race" &&
         text::without_line_numbers(subject_of(x)) == text::without_line_numbers(subject_of(y)) &&
         functions_of(x) == functions_of(y);
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
  return text::without_line_numbers(words) == text::without_line_numbers(now) ? std::optional(renamed) : std::nullopt;
}

}  // namespace heddle::engine
