// The statements of a C or C++ text, as far as an edit of whole statements needs them.
//
// In:      a text that compiles.
// Out:     a tree of blocks, functions and statements over it; the text with comments, literals and preprocessor lines
//          blanked, so that a word found in it is a word of the program.
// Cost:    linear in the text.
// Owns:    the text.
// Threads: values; a Source never changes.
// Fails:   never. A macro that expands to part of a statement gives a wrong tree, so an edit made from it must be
//          compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::client::fix {

enum class NodeKind : uint8_t {
  Block,
  Lambda,
  Function,
  Type,
  Namespace,
  If,
  Loop,
  Switch,
  Label,
  Return,
  Jump,
  Plain
};

using NodeId = uint32_t;
constexpr NodeId kNoNode = ~NodeId{0};

struct Node {
  NodeKind kind = NodeKind::Plain;
  size_t begin = 0, end = 0;  // with its semicolon, or its braces
  NodeId parent = kNoNode;
  std::vector<NodeId> children;
  bool alone = false;  // the body of a condition or loop, without braces
};

class Source {
 public:
  explicit Source(std::string text);
  const std::string& text() const { return text_; }
  const std::string& code() const { return code_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::string_view code_of(NodeId id) const;
  std::string_view text_of(NodeId id) const;

  size_t offset_of(uint32_t line, uint32_t column) const;  // both from 1, columns in bytes
  size_t line_begin(size_t offset) const;
  size_t line_end(size_t offset) const;  // of the line's end character, or the text's end
  std::string indentation_at(size_t offset) const;
  std::string indent_unit() const;  // of one level, as the text does it

  NodeId statement_at(size_t offset) const;                   // the innermost; kNoNode: outside of all functions
  NodeId scope_of(NodeId statement) const;                    // the function or lambda that it belongs to
  NodeId body_of(NodeId scope) const;                         // its block
  NodeId block_of(NodeId statement) const;                    // the innermost block, function body or lambda around it
  NodeId outermost_in(NodeId block, NodeId statement) const;  // the statement of that block which holds the other
  bool is_inside(NodeId inner, NodeId outer) const;
  std::vector<NodeId> statements_of(NodeId scope) const;  // in order, without those of lambdas in it
  std::string name_of(NodeId scope) const;                // of a function; empty: a lambda
  std::string result_type_of(NodeId scope) const;         // "void *"; empty: none is written

 private:
  std::string text_, code_;
  std::vector<Node> nodes_;  // [0]: the whole text
};

bool is_word_character(char c);
// Whole words only; npos: none.
size_t find_word(std::string_view code, std::string_view word, size_t from = 0);
bool has_word(std::string_view code, std::string_view word);
// Of an opening bracket of any kind: where its closing one stands; npos: nowhere.
size_t closing_of(std::string_view code, size_t open);
// The arguments of a call whose opening parenthesis stands there, trimmed.
std::vector<std::string> arguments_at(std::string_view code, size_t open);
std::string replaced_word(std::string text, std::string_view word, std::string_view by);

}  // namespace heddle::client::fix
