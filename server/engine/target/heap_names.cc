#include "server/engine/target/heap_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

namespace heddle::engine {
namespace {

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
    if (begin == at && scan.at(end) == '.') return "";                           // a reference, not what it refers to
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

// "malloc@slabs.c:618+65414": 1 is the place of the allocation.
const std::regex& heap_name() {
  static const std::regex pattern(R"(\b[A-Za-z_]\w*@([^\s'",;()+]+:\d+)(\+\d+)?)");
  return pattern;
}

bool is_memory(const v1::TraceStep& step) {
  return step.kind() == "read" || step.kind() == "write" || step.kind() == "update";
}

class Names {
 public:
  explicit Names(const LineOf& line_of) : line_of_(line_of) {}

  // What the place shows of the heap memory that its words name.
  void learn(const v1::Place& place, const std::string& words, const std::string& library, bool memory) {
    std::smatch found;
    if (!std::regex_search(words, found, heap_name()) || names_.count(found[0]) > 0) return;
    const std::string line = line_of_(place.file(), place.line());
    std::string name = library.empty() && memory ? accessed_expression(line, place.column()) : "";
    if (name.empty()) {
      name = called_object(line, place.column(), !memory);
      if (!name.empty() && memory) name = "a part of " + name;
    }
    if (!name.empty()) names_[found[0]] = name;
  }

  // `with_place`: the first name in quotes is followed by the place of the allocation.
  std::string replaced(const std::string& text, bool with_place) const {
    std::string out;
    auto rest = text.cbegin();
    for (std::smatch found; std::regex_search(rest, text.cend(), found, heap_name());) {
      out.append(rest, found[0].first);
      rest = found[0].second;
      const auto known = names_.find(found[0]);
      const bool pointer = out.ends_with('&');  // to somewhere in the block
      if (pointer) out.pop_back();
      if (out.ends_with("heap block ") || out.ends_with("mapping "))  // all of it, not what is accessed
        out += found[0].str();
      else if (pointer)
        out += "memory allocated at " + found[1].str();
      else
        out += known == names_.end() ? "memory allocated at " + found[1].str() : known->second;
      if (!with_place || known == names_.end() || rest == text.cend() || *rest != '\'') continue;
      out += "' (allocated at " + found[1].str() + ")";
      ++rest;
      with_place = false;
    }
    return out.append(rest, text.cend());
  }

 private:
  const LineOf& line_of_;
  std::map<std::string, std::string> names_;
};

}  // namespace

void name_heap_memory(v1::Finding& finding, const LineOf& line_of) {
  Names names(line_of);
  for (const bool decisive : {true, false})
    for (const bool own : {true, false})
      for (const v1::TraceStep& step : finding.trace())
        if (step.decisive() == decisive && step.library().empty() == own)
          names.learn(step.place(), step.object(), step.library(), is_memory(step));
  finding.set_message(names.replaced(finding.message(), true));
  for (v1::Place& place : *finding.mutable_places()) place.set_role(names.replaced(place.role(), false));
  for (v1::TraceStep& step : *finding.mutable_trace()) {
    step.set_action(names.replaced(step.action(), false));
    step.set_object(names.replaced(step.object(), false));
    step.set_value_read(names.replaced(step.value_read(), false));
    step.set_value_written(names.replaced(step.value_written(), false));
    for (std::string& lock : *step.mutable_locks_held()) lock = names.replaced(lock, false);
  }
}

}  // namespace heddle::engine
