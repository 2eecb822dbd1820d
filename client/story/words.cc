#include "client/story/words.h"

#include <cctype>

#include "client/story/causes.h"

namespace heddle::client {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "std::lock_guard<std::mutex>" -> "std::lock_guard".
std::string without_arguments(const std::string& name) {
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) out += c;
    if (c == '>' && depth > 0) --depth;
  }
  return out;
}

// "std::lock_guard::lock_guard" and "std::lock_guard::~lock_guard" make and end a "std::lock_guard".
std::string made_class(const std::string& function) {
  const size_t cut = function.rfind("::");
  if (cut == function.npos) return "";
  const std::string scope = function.substr(0, cut);
  std::string last = function.substr(cut + 2);
  if (last.starts_with('~')) last.erase(0, 1);
  const size_t before = scope.rfind("::");
  return (before == scope.npos ? scope : scope.substr(before + 2)) == last ? scope : "";
}

// "lock of mutex_": "the lock of `mutex_`"; "call of f": "the call of `f`".
std::string thing_words(const std::string& thing) {
  const size_t of = thing.find(" of ");
  if (of == thing.npos) return thing.starts_with("the ") ? thing : "the " + thing;
  const std::string kind = thing.substr(0, of), name = without_arguments(thing.substr(of + 4));
  if (kind == "call") {
    if (const std::string made = made_class(name); !made.empty()) return "the `" + made + "`";
    if (name.find(' ') != name.npos) return "the call of " + name;
  }
  constexpr std::string_view kLocal = "the static local ";
  if (name.starts_with(kLocal))
    return "the " + kind + " of " + std::string(kLocal) + "`" + name.substr(kLocal.size()) + "`";
  return "the " + kind + " of `" + name + "`";
}

// The first statement of "deleted: lock of m, unlock of m", or of what an edit elsewhere affects, without its kind. Commas may be inside of <...> and (...).
std::string first_thing(const v1::Fragment& fragment) {
  std::string text = fragment.description();
  for (const std::string& kind : {fragment.kind() + ": ", std::string("affected: ")})
    if (text.starts_with(kind)) text.erase(0, kind.size());
  int depth = 0;
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '<' || text[n] == '(') ++depth;
    if (text[n] == '>' || text[n] == ')') --depth;
    if (text[n] == ',' && depth <= 0) return text.substr(0, n);
  }
  return text;
}

}  // namespace

std::string where(const v1::Place& place) {
  if (place.file().empty()) return "a place that is not known";
  return place.file().substr(place.file().rfind('/') + 1) + ":" + std::to_string(place.line());
}

std::string called(const std::string& function) {
  const bool made = function.starts_with("initialiser of ") || function.starts_with("destructor of ");
  return made ? function : function + "()";
}

std::string sentence_begin(const std::string& thread) {
  if (thread.empty()) return "A thread";
  if (thread == "main") return "The main thread";
  std::string text = thread;
  if (text.starts_with("worker ")) text[0] = 'W';
  return text;
}

std::string with_backticks(const std::string& text) {
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    const bool opens = text[n] == '\'' && (n == 0 || !is_word(text[n - 1]));
    size_t end = opens ? n + 1 : text.npos;
    while (end < text.size() && !(text[end] == '\'' && (end + 1 == text.size() || !is_word(text[end + 1])))) ++end;
    if (end >= text.size()) {
      out += text[n];
      continue;
    }
    out += "`" + text.substr(n + 1, end - n - 1) + "`";
    n = end;
  }
  return out;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t n = 0; n < names.size(); ++n)
    text += (n == 0 ? "" : n + 1 == names.size() ? " and " : ", ") + ("`" + names[n] + "`");
  return text;
}

std::string holding(const std::vector<std::string>& locks) {
  return locks.empty() ? " without a lock" : " holding " + list_of(locks);
}

bool finds_older_value(const v1::TraceStep& step) {
  return step.reads_from() > 0 || step.action().ends_with("not the value stored last");
}

int last_write_before(const v1::Finding& finding, int step) {
  const std::string& object = finding.trace(step).object();
  for (int n = step; n-- > 0;) {
    const v1::TraceStep& earlier = finding.trace(n);
    const bool writes = earlier.kind() == "write" || earlier.kind() == "update";
    if (writes && earlier.object() == object && !is_capture(earlier)) return n;
  }
  return -1;
}

std::string edit_words(const v1::Fragment& fragment, bool is_new) {
  const std::string thing = with_backticks(thing_words(first_thing(fragment)));
  if (fragment.description().starts_with("affected: "))  // the edit did not touch it
    return (is_new ? "your edit elsewhere affects " : "an earlier edit elsewhere affects ") + thing + " at line " +
           std::to_string(fragment.begin_line());
  const std::string verb = fragment.kind() == "deleted"    ? "removed"
                           : fragment.kind() == "inserted" ? "added"
                                                           : "changed";
  // A deletion has no line of its own: its function stands for it.
  const bool in_function = fragment.kind() == "deleted" && !fragment.function().empty();
  const std::string place =
      in_function ? "`" + fragment.function() + "`" : "line " + std::to_string(fragment.begin_line());
  return (is_new ? "your edit of " : "an earlier edit of ") + place + " " + verb + " " + thing;
}

}  // namespace heddle::client
