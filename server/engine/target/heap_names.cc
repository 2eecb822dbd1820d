#include "server/engine/target/heap_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>

namespace heddle::engine {
namespace {

constexpr const char* kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks over the characters of one line; positions from 0.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line) {}

  char at(size_t n) const { return n < line_.size() ? line_[n] : '\0'; }
  bool is(size_t n, std::string_view text) const {
    return line_.substr(std::min(n, line_.size()), text.size()) == text;
  }

  size_t word_end(size_t n) const {
    while (n < line_.size() && is_word(line_[n])) ++n;
    return n;
  }
  size_t skip_spaces(size_t n) const {
    while (at(n) == ' ' || at(n) == '\t') ++n;
    return n;
  }
  // After the bracket that closes the one at n; npos if it does not close in this line.
  size_t after_bracket(size_t n) const {
    int depth = 0;
    for (; n < line_.size(); ++n) {
      if (line_[n] == '(' || line_[n] == '[') ++depth;
      if ((line_[n] == ')' || line_[n] == ']') && --depth == 0) return n + 1;
    }
    return std::string_view::npos;
  }
  // Where the postfix expression begins that ends before `end`: "a->b[i].c".
  size_t expression_begin(size_t end) const {
    size_t begin = end;
    for (;;) {
      size_t n = begin;
      while (n > 0 && (line_[n - 1] == ']' || line_[n - 1] == ')')) n = bracket_begin(n);
      while (n > 0 && is_word(line_[n - 1])) --n;
      if (n == begin || n == std::string_view::npos) return begin;
      begin = n;
      if (n >= 2 && (is(n - 2, "->") || is(n - 2, "::")))
        begin = n - 2;
      else if (n >= 1 && line_[n - 1] == '.')
        begin = n - 1;
      else
        return begin;
    }
  }
  std::string text(size_t begin, size_t end) const { return std::string(line_.substr(begin, end - begin)); }

 private:
  // Where the bracket opens that is closed before `end`.
  size_t bracket_begin(size_t end) const {
    int depth = 0;
    for (size_t n = end; n-- > 0;) {
      if (line_[n] == ')' || line_[n] == ']') ++depth;
      if ((line_[n] == '(' || line_[n] == '[') && --depth == 0) return n;
    }
    return 0;
  }

  std::string_view line_;
};

size_t with_subscripts(const Scanner& scan, size_t end) {
  while (scan.at(end) == '[') {
    const size_t after = scan.after_bracket(end);
    if (after == std::string_view::npos) break;
    end = after;
  }
  return end;
}

std::string left_of(const Scanner& scan, size_t end) {
  while (end > 0 && scan.at(end - 1) == ' ') --end;
  size_t begin = scan.expression_begin(end);
  if (begin == end) return "";
  while (begin > 0 && scan.at(begin - 1) == '*' && (begin < 2 || !is_word(scan.at(begin - 2)))) --begin;
  return scan.text(begin, end);
}

// From `n` on: "a->b[i]".
std::string right_of(const Scanner& scan, size_t n) {
  const size_t begin = n = scan.skip_spaces(n);
  while (scan.at(n) == '*') ++n;
  size_t end = with_subscripts(scan, scan.word_end(n));
  if (end == n) return "";
  while (scan.is(end, "->") || scan.at(end) == '.') {
    const size_t member = end + (scan.at(end) == '.' ? 1 : 2), after = scan.word_end(member);
    if (after == member || scan.at(after) == '(') break;
    end = with_subscripts(scan, after);
  }
  return scan.text(begin, end);
}

// A compiler gives the element of an array the column at which its expression begins: of "t->rows[i]->next" that is
// "t->rows[i]". None: the expression at `begin` has no element; empty: it has several.
std::optional<std::string> element_from(const Scanner& scan, size_t begin) {
  std::optional<std::string> found;
  for (size_t end = scan.word_end(begin);;) {
    const size_t word = end;
    end = with_subscripts(scan, word);
    const bool arrow = scan.is(end, "->"), dot = scan.at(end) == '.';
    if (end != word && !dot) found = found ? "" : scan.text(begin, end);  // a record in an array is not accessed itself
    const size_t member = end + (arrow ? 2 : 1), after = scan.word_end(member);
    if (found == "" || (!arrow && !dot) || after == member) return found;
    if (scan.at(after) == '(') return scan.at(scan.after_bracket(after)) == '[' ? "" : found;  // of what a call gives
    end = after;
  }
}

}  // namespace

std::string accessed_expression(std::string_view line, uint32_t column) {
  if (column == 0 || column > line.size()) return "";
  const Scanner scan(line);
  const size_t at = column - 1;
  if (is_word(scan.at(at))) {
    const size_t word = line.find_first_not_of(" \t");
    if (scan.is(word, "struct ") || scan.is(word, "class ")) return "";  // what the compiler adds to a class
    const size_t end = scan.word_end(at);
    const size_t begin = scan.expression_begin(end);
    if (scan.at(scan.skip_spaces(end)) == '(' || scan.is(end, "::")) return "";  // a call, a declaration, a scope
    if (begin == at)
      if (const auto element = element_from(scan, at)) return *element;
    if (begin == at && scan.at(end) == '.') return "";  // a reference, not what it refers to
    return scan.text(begin, with_subscripts(scan, end));
  }
  if (scan.is(at, "++") || scan.is(at, "--")) {
    const std::string right = is_word(scan.at(scan.skip_spaces(at + 2))) ? right_of(scan, at + 2) : "";
    return right.empty() ? left_of(scan, at) : right;
  }
  if (scan.at(at) == '*' && !scan.is(at, "*=")) return right_of(scan, at);
  if (scan.at(at) == '[') return left_of(scan, std::min(scan.after_bracket(at), line.size()));
  const size_t assign = line.find('=', at);
  const bool assigns = assign != line.npos && assign - at <= 2 && scan.at(assign + 1) != '=';
  const bool compares = assigns && assign == at + 1 && std::string_view("<>!").find(scan.at(at)) != line.npos;
  return assigns && !compares ? left_of(scan, at) : "";
}

std::string called_object(std::string_view line, uint32_t column, bool first_argument) {
  if (column == 0 || column > line.size()) return "";
  const Scanner scan(line);
  size_t at = column - 1;
  if (!is_word(scan.at(at))) return "";
  size_t end = scan.word_end(at);
  if (scan.is(end, "->") || scan.at(end) == '.') {  // the column of the object itself
    const std::string whole = right_of(scan, at);
    const size_t after = at + whole.size();
    return scan.is(after, "->") || scan.at(after) == '.' ? whole : "";
  }
  if (scan.at(scan.skip_spaces(end)) != '(') return "";
  if (at >= 2 && scan.is(at - 2, "->")) return left_of(scan, at - 2);
  if (at >= 1 && scan.at(at - 1) == '.') return left_of(scan, at - 1);
  if (!first_argument) return "";
  size_t begin = scan.skip_spaces(scan.skip_spaces(end) + 1);
  if (scan.at(begin) == '&') begin = scan.skip_spaces(begin + 1);
  const std::string argument = right_of(scan, begin);
  const char next = scan.at(scan.skip_spaces(begin + argument.size()));
  return next == ',' || next == ')' ? argument : "";
}

namespace {

// "malloc@server.c:14#3{conn}.out.len": the function that made the block, where, which block it is, its type, and what
// of it.
const std::regex& heap_name() {
  static const std::regex pattern(
      R"(\b([A-Za-z_]\w*@([^\s'",;()+#{]+:\d+)(#\d+)?)(?:\{([\w:]+)\})?((?:\.\w+|\[\d+\])+|\+\d+)?)");
  return pattern;
}

// Most words have none, and the expression is slow.
bool may_name_heap(const std::string& words) { return words.find('@') != std::string::npos; }

bool is_memory(const v1::TraceStep& step) {
  return step.kind() == "read" || step.kind() == "write" || step.kind() == "update";
}

struct Memory {
  std::string block, at, type, part;
  uint64_t number = 0;  // which block: in the order in which one thread made them
  explicit Memory(const std::smatch& m) : block(m[1]), at(m[2]), type(m[4]), part(m[5]) {
    if (m[3].length() > 1) number = std::stoull(m[3].str().substr(1));
  }

  std::string place() const { return (type.empty() ? "" : type + " ") + "allocated at " + at; }
  std::string whole() const { return type.empty() ? "memory allocated at " + at : place(); }
  std::string without_expression() const {
    return type.empty() || part.starts_with('+') ? whole() : type + part + " allocated at " + at;
  }
  // Not what the field points to: the field itself.
  bool is_field(const std::string& expression) const {
    const size_t dot = part.rfind('.'), word = expression.find_last_not_of(kWord);
    return dot != std::string::npos && expression.substr(word + 1) == part.substr(dot + 1);
  }
  // "t->slots[i]" -> "t->slots" if the access is of that field: not of an element that it points to.
  std::string of_field(const std::string& expression) const {
    const std::string pointer = expression.substr(0, expression.find('[', expression.find_last_of(".>") + 1));
    return pointer != expression && expression.ends_with(']') && is_field(pointer) ? pointer : expression;
  }
  // Among others for which the program has the same expression.
  std::string apart(const std::string& expression, size_t nth_block, bool one_block) const {
    const bool offset = part.empty() || part.starts_with('+');
    const std::string nth = one_block ? "" : " " + std::to_string(nth_block);
    if (type.empty() || offset)
      return expression + " of " + (type.empty() ? "block" : type) + nth +
             (one_block ? " at " + part.substr(!part.empty()) : "");
    if (part.starts_with('[') || one_block) return type + nth + part;
    return part.substr(1) + " of " + type + nth;
  }
};

class Names {
 public:
  explicit Names(const LineOf& line_of) : line_of_(line_of) {}

  // What the place shows of the heap memory that its words name.
  void learn(const v1::Place& place, const std::string& words, const std::string& library, bool memory) {
    std::smatch found;
    if (!may_name_heap(words) || !std::regex_search(words, found, heap_name()) || names_.count(found[0]) > 0) return;
    const std::string line = line_of_(place.file(), place.line());
    std::string name = library.empty() && memory ? accessed_expression(line, place.column()) : "";
    if (name == "new") name.clear();  // the initialiser of a block: no expression names it yet
    if (name.empty()) {
      name = called_object(line, place.column(), !memory);
      if (!name.empty() && memory && !Memory(found).is_field(name)) name = "a part of " + name;
    }
    if (!name.empty()) names_[found[0]] = memory ? Memory(found).of_field(name) : name;
  }

  // Memory that the reader must not confuse: what the finding is about, and its locks.
  void matters(const std::string& words) {
    std::smatch found;
    if (!may_name_heap(words) || !std::regex_search(words, found, heap_name())) return;
    if (const auto named = names_.find(found[0]); named != names_.end() && !named->second.starts_with("a part of "))
      alike_[named->second].emplace(found[0].str(), Memory(found));
  }
  void separate() {
    for (const auto& [expression, all] : alike_) {
      if (all.size() < 2 || are_parts_of_one(all)) continue;
      std::map<uint64_t, size_t> order;
      for (const auto& [raw, memory] : all) order.emplace(memory.number, 0);
      size_t nth = 0;
      for (auto& [number, at] : order) at = ++nth;
      for (const auto& [raw, memory] : all)
        names_[raw] = memory.apart(expression, order[memory.number], order.size() == 1);
    }
  }

  // With::Place: the first name in quotes is followed by the place of the allocation. With::Whole: blocks are named,
  // not what is accessed.
  enum class With : uint8_t { Nothing, Place, Whole };
  std::string replaced(const std::string& text, With with = With::Nothing) const {
    if (!may_name_heap(text)) return text;
    std::string out;
    auto rest = text.cbegin();
    for (std::smatch found; std::regex_search(rest, text.cend(), found, heap_name());) {
      out.append(rest, found[0].first);
      rest = found[0].second;
      const auto known = names_.find(found[0]);
      const Memory memory(found);
      if (drop_end(out, "heap block "))  // all of it, not what is accessed
        out += memory.type.empty() ? "heap block allocated at " + memory.at : memory.place();
      else if (out.ends_with("mapping "))
        out += memory.place();
      else if (drop_end(out, "&") || ends_life(out) || with == With::Whole)  // of somewhere in the block
        out += memory.whole();
      else
        out += known == names_.end() ? memory.without_expression() : known->second;
      if (with != With::Place || known == names_.end() || rest == text.cend() || *rest != '\'') continue;
      out += "' (" + memory.place() + ")";
      ++rest;
      with = With::Nothing;
    }
    return out.append(rest, text.cend());
  }

 private:
  static bool drop_end(std::string& text, std::string_view end) {
    if (!text.ends_with(end)) return false;
    text.resize(text.size() - end.size());
    return true;
  }

  // "node.links" and "node.links[0]" are two accesses of one object.
  static bool are_parts_of_one(const std::map<std::string, Memory>& all) {
    const Memory& first = all.begin()->second;
    return std::all_of(all.begin(), all.end(), [&](const auto& entry) {
      return entry.second.number == first.number && entry.second.part.starts_with(first.part);
    });
  }

  static bool ends_life(std::string_view words) {
    return words == "free " || words.ends_with("frees ") || words.ends_with("frees '");
  }

  const LineOf& line_of_;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::map<std::string, Memory>> alike_;  // by expression
};

// "writes 4 bytes of conn" -> "writes 'c->fd', 4 bytes of conn"
std::string with_expression(const std::string& text, const std::string& expression) {
  static const std::regex access(R"(^((?:reads|writes) )(\d+ bytes?(?: of|,)))");
  return std::regex_replace(text, access, "$1'" + expression + "', $2");
}

// The expression of an access that is wrong itself: beyond the end of a block, or after its end.
std::string accessed_in_fault(const v1::Finding& finding, const LineOf& line_of) {
  if (finding.trace().empty() || finding.message().find("heap block ") == std::string::npos) return "";
  const v1::TraceStep& last = finding.trace(finding.trace_size() - 1);
  if (!last.decisive() || !last.library().empty()) return "";
  return accessed_expression(line_of(last.place().file(), last.place().line()), last.place().column());
}

}  // namespace

void name_heap_memory(v1::Finding& finding, const LineOf& line_of) {
  Names names(line_of);
  for (const bool decisive : {true, false})
    for (const bool own : {true, false})
      for (const v1::TraceStep& step : finding.trace())
        if (step.decisive() == decisive && step.library().empty() == own)
          names.learn(step.place(), step.object(), step.library(), is_memory(step));
  names.matters(finding.message());
  for (const v1::TraceStep& step : finding.trace()) {
    if (!step.decisive()) continue;
    names.matters(step.object());
    for (const std::string& lock : step.locks_held()) names.matters(lock);
  }
  names.separate();
  if (const std::string accessed = accessed_in_fault(finding, line_of); !accessed.empty()) {
    finding.set_message(with_expression(finding.message(), accessed));
    v1::TraceStep& last = *finding.mutable_trace(finding.trace_size() - 1);
    last.set_action(with_expression(last.action(), accessed));
  }
  const bool frees = finding.message().find(" frees it ") != std::string::npos;  // and so touches all of it
  finding.set_message(names.replaced(finding.message(), frees ? Names::With::Whole : Names::With::Place));
  for (v1::Place& place : *finding.mutable_places())
    place.set_role(names.replaced(place.role(), frees ? Names::With::Whole : Names::With::Nothing));
  for (v1::TraceStep& step : *finding.mutable_trace()) {
    if (!step.place().role().empty()) step.mutable_place()->set_role(names.replaced(step.place().role()));
    step.set_action(names.replaced(step.action()));
    step.set_object(names.replaced(step.object()));
    step.set_value_read(names.replaced(step.value_read()));
    step.set_value_written(names.replaced(step.value_written()));
    for (std::string& lock : *step.mutable_locks_held()) lock = names.replaced(lock);
  }
}

}  // namespace heddle::engine
