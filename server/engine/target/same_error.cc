#include "server/engine/target/same_error.h"

#include <set>
#include <string>

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

}  // namespace heddle::engine
