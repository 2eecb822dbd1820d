#include "client/fix/source.h"

#include <algorithm>
#include <cctype>

#include "client/fix/statements.h"
#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

bool blanked_line(std::string_view text, size_t at) {
  const size_t first = text.find_first_not_of(" \t", at);
  return first != text.npos && text[first] == '#';
}

void blank(std::string& code, size_t begin, size_t end) {
  for (size_t i = begin; i < end && i < code.size(); ++i)
    if (code[i] != '\n') code[i] = ' ';
}

size_t end_of_literal(std::string_view text, size_t open) {
  size_t i = open + 1;
  while (i < text.size() && text[i] != text[open] && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

size_t end_of_directive(std::string_view text, size_t at) {
  size_t end = text.find('\n', at);
  while (end != text.npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

// Digits are parted by quotes in C++ and in C23.
bool is_digit_separator(std::string_view text, size_t at) {
  return text[at] == '\'' && at > 0 && at + 1 < text.size() &&
         std::isxdigit(static_cast<unsigned char>(text[at - 1])) &&
         std::isxdigit(static_cast<unsigned char>(text[at + 1]));
}

std::string masked(const std::string& text) {
  std::string code = text;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if ((i == 0 || text[i - 1] == '\n') && blanked_line(text, i)) {
      end = end_of_directive(text, i);
      blank(code, i, end);
    } else if (text.compare(i, 2, "//") == 0) {
      end = end_of_directive(text, i);
      blank(code, i, end);
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t close = text.find("*/", i + 2);
      end = close == text.npos ? text.size() : close + 2;
      blank(code, i, end);
    } else if ((text[i] == '"' || text[i] == '\'') && !is_digit_separator(text, i)) {
      end = end_of_literal(text, i);
      blank(code, i + 1, end - 1);
    }
    i = end;
  }
  return code;
}

}  // namespace

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t find_word(std::string_view code, std::string_view word, size_t from) {
  if (word.empty()) return code.npos;
  for (size_t at = code.find(word, from); at != code.npos; at = code.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_word_character(code[at - 1])) && (end == code.size() || !is_word_character(code[end])))
      return at;
  }
  return code.npos;
}

bool has_word(std::string_view code, std::string_view word) { return find_word(code, word) != code.npos; }

size_t closing_of(std::string_view code, size_t open) {
  int depth = 0;
  for (size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '[' || code[i] == '{') ++depth;
    if (code[i] == ')' || code[i] == ']' || code[i] == '}')
      if (--depth == 0) return i;
  }
  return code.npos;
}

std::vector<std::string> arguments_at(std::string_view code, size_t open) {
  std::vector<std::string> out;
  const size_t close = closing_of(code, open);
  if (close == code.npos) return out;
  int depth = 0;
  size_t begin = open + 1;
  for (size_t i = open + 1; i <= close; ++i) {
    const char c = code[i];
    if (i == close || (c == ',' && depth == 0)) {
      out.emplace_back(text::trimmed(code.substr(begin, i - begin)));
      begin = i + 1;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  if (out.size() == 1 && out[0].empty()) out.clear();
  return out;
}

std::string replaced_word(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = find_word(text, word); at != text.npos; at = find_word(text, word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

Source::Source(std::string text) : text_(std::move(text)), code_(masked(text_)), nodes_(statements_in(code_)) {}

std::string_view Source::code_of(NodeId id) const {
  return std::string_view(code_).substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
}
std::string_view Source::text_of(NodeId id) const {
  return std::string_view(text_).substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
}

size_t Source::offset_of(uint32_t line, uint32_t column) const {
  size_t begin = 0;
  for (uint32_t n = 1; n < line; ++n) {
    const size_t end = text_.find('\n', begin);
    if (end == text_.npos) break;
    begin = end + 1;
  }
  return std::min(begin + (column > 0 ? column - 1 : 0), line_end(begin));
}

size_t Source::line_begin(size_t offset) const {
  const size_t before = offset == 0 ? text_.npos : text_.rfind('\n', offset - 1);
  return before == text_.npos ? 0 : before + 1;
}
size_t Source::line_end(size_t offset) const { return std::min(text_.find('\n', offset), text_.size()); }

std::string Source::indentation_at(size_t offset) const {
  const size_t begin = line_begin(offset);
  const size_t first = std::min(text_.find_first_not_of(" \t", begin), text_.size());
  return text_.substr(begin, first - begin);
}

std::string Source::indent_unit() const {
  for (const Node& node : nodes_) {
    if (node.kind != NodeKind::Block || node.children.empty() || node.parent == kNoNode) continue;
    const std::string outer = indentation_at(node.begin), inner = indentation_at(nodes_[node.children[0]].begin);
    if (inner.size() > outer.size() && inner.starts_with(outer)) return inner.substr(outer.size());
  }
  return "  ";
}

NodeId Source::statement_at(size_t offset) const {
  NodeId at = 0, found = kNoNode;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const NodeId child : nodes_[at].children) {
      if (offset < nodes_[child].begin || offset >= nodes_[child].end) continue;
      at = child;
      deeper = true;
      const NodeKind kind = nodes_[child].kind;
      if (kind != NodeKind::Block && kind != NodeKind::Lambda && kind != NodeKind::Label) found = child;
      break;
    }
  }
  if (found == kNoNode || scope_of(found) == kNoNode) return kNoNode;
  return nodes_[found].kind == NodeKind::Function ? kNoNode : found;
}

NodeId Source::scope_of(NodeId statement) const {
  for (NodeId at = statement; at != kNoNode; at = nodes_[at].parent)
    if (nodes_[at].kind == NodeKind::Function || nodes_[at].kind == NodeKind::Lambda) return at;
  return kNoNode;
}

NodeId Source::body_of(NodeId scope) const {
  if (nodes_[scope].kind == NodeKind::Lambda) return scope;
  return nodes_[scope].children.empty() ? kNoNode : nodes_[scope].children.back();
}

NodeId Source::block_of(NodeId statement) const {
  NodeId at = nodes_[statement].parent;
  while (at != kNoNode && nodes_[at].kind != NodeKind::Block && nodes_[at].kind != NodeKind::Lambda)
    at = nodes_[at].parent;
  return at;
}

NodeId Source::outermost_in(NodeId block, NodeId statement) const {
  while (statement != kNoNode && nodes_[statement].parent != block) statement = nodes_[statement].parent;
  return statement;
}

bool Source::is_inside(NodeId inner, NodeId outer) const {
  while (inner != kNoNode && inner != outer) inner = nodes_[inner].parent;
  return inner == outer;
}

std::vector<NodeId> Source::statements_of(NodeId scope) const {
  std::vector<NodeId> out;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const NodeKind kind = nodes_[id].kind;
    if (id != scope && kind != NodeKind::Block && kind != NodeKind::Lambda && scope_of(id) == scope) out.push_back(id);
  }
  return out;
}

std::string Source::name_of(NodeId scope) const {
  if (nodes_[scope].kind != NodeKind::Function) return "";
  const std::string_view code = code_of(scope);
  size_t end = code.find('(');
  if (end == code.npos) return "";
  while (end > 0 && !is_word_character(code[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word_character(code[begin - 1])) --begin;
  return std::string(code.substr(begin, end - begin));
}

std::string Source::result_type_of(NodeId scope) const {
  if (nodes_[scope].kind != NodeKind::Function) return "";
  const std::string name = name_of(scope);
  std::string head(code_of(scope).substr(0, code_of(scope).find('(')));
  const size_t at = head.rfind(name);
  head = head.substr(0, at == head.npos ? 0 : at);
  if (head.find("::") != head.npos && text::trimmed(head).ends_with("::")) head.erase(head.find_last_of(" \t*&") + 1);
  for (const char* word : {"static", "inline", "extern", "constexpr", "virtual"}) head = replaced_word(head, word, "");
  std::erase(head, '"');
  return std::string(text::trimmed(head));
}

}  // namespace heddle::client::fix
