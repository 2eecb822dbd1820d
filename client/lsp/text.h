// A document's text with its lines, positions in the protocol's units, and places that move with edits.
//
// In:      UTF-8 (anything else is kept and counts a unit per byte). Positions beyond the end are clamped, as the
//          protocol wants it: a character beyond its line to the line's end, a line beyond the last to the text's end.
// Out:     byte offsets.
// Owns:    values.
// Threads: values; a Text never changes.
// Fails:   never.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::client::lsp {

enum class Encoding : uint8_t { Utf16, Utf8 };

struct Position {
  uint32_t line = 0, character = 0;
  auto operator<=>(const Position&) const = default;
};
struct Range {
  Position start, end;
  auto operator<=>(const Range&) const = default;
};

class Text {
 public:
  explicit Text(std::string content);
  const std::string& content() const { return content_; }
  size_t line_count() const { return lines_.size(); }
  std::string_view line(size_t number) const;  // without its end; empty beyond the last
  size_t offset_of(Position position, Encoding encoding) const;
  Position position_of(size_t offset, Encoding encoding) const;
  // What compilers say: both from 1, columns in bytes; 0 stands for the beginning.
  size_t offset_of_place(uint32_t line, uint32_t column) const;
  size_t line_of(size_t offset) const;  // from 0

 private:
  std::string content_;
  std::vector<size_t> lines_;  // where each begins
};
using TextPtr = std::shared_ptr<const Text>;

// `removed` bytes at `begin` became `inserted` ones.
struct Edit {
  size_t begin = 0, removed = 0, inserted = 0;
};

// A stretch of text that moves with edits: what is typed before it shifts it, what is typed inside makes it longer, and
// what is typed at its ends stays outside.
struct Span {
  size_t begin = 0, end = 0;
  void move(const Edit& edit);
  bool operator==(const Span&) const = default;
};

// The statement or expression that begins at the offset, up to the end of its line at most: for squiggles.
Span statement_at(const Text& text, size_t offset);

}  // namespace heddle::client::lsp
