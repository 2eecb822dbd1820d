#include "client/fix/statements.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

enum class Where : uint8_t { Declarations, Code };

class Reader {
 public:
  explicit Reader(std::string_view code) : code_(code) {
    nodes_.push_back({NodeKind::Namespace, 0, code.size(), kNoNode, {}, false});
    statements(0, 0, code.size(), Where::Declarations);
  }
  std::vector<Node> take() { return std::move(nodes_); }

 private:
  size_t skip_blanks(size_t at, size_t end) const {
    while (at < end && std::isspace(static_cast<unsigned char>(code_[at]))) ++at;
    return at;
  }
  std::string_view word_at(size_t at) const {
    size_t end = at;
    while (end < code_.size() && is_word_character(code_[end])) ++end;
    return code_.substr(at, end - at);
  }
  NodeId add(NodeKind kind, size_t begin, NodeId parent, bool alone = false) {
    nodes_.push_back({kind, begin, begin, parent, {}, alone});
    const auto id = static_cast<NodeId>(nodes_.size() - 1);
    nodes_[parent].children.push_back(id);
    return id;
  }
  size_t finish(NodeId id, size_t end) { return nodes_[id].end = end; }

  void statements(NodeId block, size_t at, size_t end, Where where) {
    for (at = skip_blanks(at, end); at < end; at = skip_blanks(at, end)) {
      if (code_[at] == '}') return;  // one too many
      at = std::max(at + 1, statement(block, at, end, where, false));
    }
  }

  // The block whose brace stands there; where it ends.
  size_t block(NodeId parent, NodeKind kind, size_t open, size_t end, Where where) {
    const size_t close = std::min(closing_of(code_, open), end);
    const NodeId id = add(kind, open, parent);
    statements(id, open + 1, std::min(close, end), where);
    return finish(id, std::min(close + 1, end));
  }

  size_t body(NodeId parent, size_t at, size_t end) {
    at = skip_blanks(at, end);
    if (at >= end) return end;
    if (code_[at] == '{') return block(parent, NodeKind::Block, at, end, Where::Code);
    return statement(parent, at, end, Where::Code, true);
  }

  size_t after_parentheses(size_t at, size_t end) {
    const size_t open = code_.find('(', at);
    const size_t close = open < end ? closing_of(code_, open) : end;
    return close >= end ? end : close + 1;
  }

  size_t statement(NodeId parent, size_t at, size_t end, Where where, bool alone) {
    if (code_[at] == '{') return block(parent, NodeKind::Block, at, end, where);
    const std::string_view word = word_at(at);
    if (where == Where::Code) {
      if (word == "if") return conditional(parent, at, end, alone);
      if (word == "while" || word == "for" || word == "switch") {
        const NodeId id = add(word == "switch" ? NodeKind::Switch : NodeKind::Loop, at, parent, alone);
        return finish(id, body(id, after_parentheses(at, end), end));
      }
      if (word == "do") {
        const NodeId id = add(NodeKind::Loop, at, parent, alone);
        const size_t after = body(id, at + 2, end);
        return finish(id, std::min(code_.find(';', after), end - 1) + 1);
      }
      if (word == "try") return tried(parent, at, end, alone);
      if (word == "return") return simple(NodeKind::Return, parent, at, end, where, alone);
      if (word == "break" || word == "continue" || word == "goto")
        return simple(NodeKind::Jump, parent, at, end, where, alone);
    }
    if (const size_t after = label(at, end, word); after > at) return finish(add(NodeKind::Label, at, parent), after);
    return simple(NodeKind::Plain, parent, at, end, where, alone);
  }

  size_t conditional(NodeId parent, size_t at, size_t end, bool alone) {
    const NodeId id = add(NodeKind::If, at, parent, alone);
    size_t after = body(id, after_parentheses(at, end), end);
    const size_t next = skip_blanks(after, end);
    if (next < end && word_at(next) == "else") after = body(id, next + 4, end);
    return finish(id, after);
  }

  size_t tried(NodeId parent, size_t at, size_t end, bool alone) {
    const NodeId id = add(NodeKind::Plain, at, parent, alone);
    size_t after = body(id, at + 3, end);
    for (size_t next = skip_blanks(after, end); next < end && word_at(next) == "catch"; next = skip_blanks(after, end))
      after = body(id, after_parentheses(next, end), end);
    return finish(id, after);
  }

  // "case 1:", "again:", "public:"; 0: it is none.
  size_t label(size_t at, size_t end, std::string_view word) const {
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0]))) return 0;
    size_t colon = skip_blanks(at + word.size(), end);
    if (word == "case") {
      colon = code_.find(':', at);
      while (colon < end && colon + 1 < code_.size() && code_[colon + 1] == ':') colon = code_.find(':', colon + 2);
    }
    const bool is_label = colon < end && code_[colon] == ':' && (colon + 1 >= end || code_[colon + 1] != ':');
    return is_label ? colon + 1 : 0;
  }

  enum class Brace : uint8_t { Namespace, Type, Function, Lambda, Value };

  Brace brace_kind(size_t begin, size_t open, int depth, Where where) const {
    const std::string_view before = text::trimmed(code_.substr(begin, open - begin));
    const std::string_view first = word_at(begin);
    if (depth == 0 && (first == "namespace" || (first == "extern" && before.ends_with('"')))) return Brace::Namespace;
    const char last = before.empty() ? '\0' : before.back();
    bool callable = last == ')';
    for (const char* word : {"const", "noexcept", "override", "final", "mutable"})
      callable = callable || (before.ends_with(word) && before.find('(') != before.npos);
    callable = callable || (before.find("->") != before.npos && before.rfind("->") > before.rfind(')') &&
                            before.rfind(')') != before.npos && where == Where::Declarations);
    if (!callable && depth == 0)
      for (const char* word : {"struct", "class", "union", "enum"})
        if (has_word(before, word) && last != '=' && before.find('=') == before.npos) return Brace::Type;
    if (last == ']' && is_capture(begin, open)) return Brace::Lambda;
    const bool captured = before.find('[') != before.npos && is_lambda_head(before);
    if (callable && depth == 0 && where == Where::Declarations && !captured) return Brace::Function;
    if (callable && captured) return Brace::Lambda;
    const bool ends_initialisers = last == '}' && where == Where::Declarations && depth == 0;
    return ends_initialisers ? Brace::Function : Brace::Value;
  }

  bool is_capture(size_t begin, size_t brace) const {
    size_t close = code_.rfind(']', brace);
    int depth = 0;
    for (size_t i = close + 1; i-- > begin;) {
      if (code_[i] == ']') ++depth;
      if (code_[i] == '[' && --depth == 0) {
        while (i > begin && std::isspace(static_cast<unsigned char>(code_[i - 1]))) --i;
        return i == begin || !(is_word_character(code_[i - 1]) || code_[i - 1] == ']') ||
               (i >= begin + 6 && code_.substr(i - 6, 6) == "return");
      }
    }
    return false;
  }

  // "[&](int x) mutable": the parameters before the brace belong to a lambda.
  static bool is_lambda_head(std::string_view before) {
    const size_t close = before.rfind(')');
    int depth = 0;
    for (size_t i = close == before.npos ? 0 : close + 1; i-- > 0;) {
      if (before[i] == ')') ++depth;
      if (before[i] == '(' && --depth == 0) return i > 0 && text::trimmed(before.substr(0, i)).ends_with(']');
    }
    return false;
  }

  size_t simple(NodeKind kind, NodeId parent, size_t begin, size_t end, Where where, bool alone) {
    const NodeId id = add(kind, begin, parent, alone);
    int depth = 0;
    for (size_t i = begin; i < end; ++i) {
      const char c = code_[i];
      if (c == ';' && depth == 0) return finish(id, i + 1);
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c != '{') continue;
      const Brace brace = brace_kind(begin, i, depth, where);
      if (brace == Brace::Value) {
        ++depth;
      } else if (brace == Brace::Lambda) {
        i = block(id, NodeKind::Lambda, i, end, Where::Code) - 1;
      } else if (brace == Brace::Type) {
        i = block(id, NodeKind::Type, i, end, Where::Declarations) - 1;
      } else {
        nodes_[id].kind = brace == Brace::Function ? NodeKind::Function : NodeKind::Namespace;
        const Where inside = brace == Brace::Function ? Where::Code : Where::Declarations;
        return finish(id, block(id, NodeKind::Block, i, end, inside));
      }
    }
    return finish(id, end);
  }

  std::string_view code_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<Node> statements_in(std::string_view code) { return Reader(code).take(); }

}  // namespace heddle::client::fix
