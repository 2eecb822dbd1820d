#include "server/engine/target/same_error.h"

#include <cctype>
#include <set>
#include <string>

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

}  // namespace heddle::engine
