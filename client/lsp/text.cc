#include "client/lsp/text.h"

#include <algorithm>
#include <cctype>

namespace heddle::client::lsp {
namespace {

// Bytes of the UTF-8 sequence that begins here; 1 for what is no sequence.
size_t sequence_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char first = byte(at);
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xf0 && first < 0xf8 ? 4
                        : first >= 0xe0                 ? 3
                        : first >= 0xc2                 ? 2
                                                        : 1;
  if (first >= 0xf8 || at + length > text.size()) return 1;
  for (size_t n = 1; n < length; ++n) {
    if ((byte(at + n) & 0xc0) != 0x80) return 1;
  }
  return length;
}

uint32_t units(size_t length, Encoding encoding) {
  if (encoding == Encoding::Utf8) return static_cast<uint32_t>(length);
  return length == 4 ? 2 : 1;
}

}  // namespace

Text::Text(std::string content) : content_(std::move(content)) {
  lines_.push_back(0);
  for (size_t at = 0; at < content_.size(); ++at) {
    const char c = content_[at];
    if (c == '\n' || (c == '\r' && (at + 1 == content_.size() || content_[at + 1] != '\n'))) lines_.push_back(at + 1);
  }
}

std::string_view Text::line(size_t number) const {
  if (number >= lines_.size()) return {};
  const size_t begin = lines_[number];
  size_t end = number + 1 < lines_.size() ? lines_[number + 1] : content_.size();
  while (end > begin && (content_[end - 1] == '\n' || content_[end - 1] == '\r')) --end;
  return std::string_view(content_).substr(begin, end - begin);
}

size_t Text::offset_of(Position position, Encoding encoding) const {
  if (position.line >= lines_.size()) return content_.size();
  const std::string_view text = line(position.line);
  size_t at = 0;
  for (uint32_t left = position.character; at < text.size() && left > 0;) {
    const size_t length = sequence_length(text, at);
    const uint32_t width = units(length, encoding);
    if (width > left) break;  // inside a character: before it
    left -= width;
    at += length;
  }
  return lines_[position.line] + at;
}

Position Text::position_of(size_t offset, Encoding encoding) const {
  const size_t number = line_of(offset);
  const std::string_view text = line(number);
  const size_t wanted = std::min(offset - lines_[number], text.size());
  Position position{static_cast<uint32_t>(number), 0};
  for (size_t at = 0; at < wanted;) {
    const size_t length = sequence_length(text, at);
    if (at + length > wanted) break;
    position.character += units(length, encoding);
    at += length;
  }
  return position;
}

size_t Text::offset_of_place(uint32_t line_number, uint32_t column) const {
  if (line_number == 0) return 0;
  if (line_number > lines_.size()) return content_.size();
  const size_t width = line(line_number - 1).size();
  return lines_[line_number - 1] + std::min<size_t>(column > 0 ? column - 1 : 0, width);
}

size_t Text::line_of(size_t offset) const {
  offset = std::min(offset, content_.size());
  return static_cast<size_t>(std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin()) - 1;
}

void Span::move(const Edit& edit) {
  const size_t edit_end = edit.begin + edit.removed;
  const auto shift = [&](size_t at) { return at - edit.removed + edit.inserted; };
  if (end <= edit.begin) return;
  if (begin >= edit_end) {
    begin = shift(begin);
    end = shift(end);
  } else {
    // Some of it was replaced: what is left of it, and what was typed inside.
    const bool starts_inside = begin<edit.begin, ends_outside = end> edit_end;
    end = ends_outside ? shift(end) : edit.begin + (starts_inside && end == edit_end ? edit.inserted : 0);
    if (!starts_inside) begin = ends_outside ? edit.begin + edit.inserted : edit.begin;
    end = std::max(begin, end);
  }
}

Span statement_at(const Text& text, size_t offset) {
  const size_t number = text.line_of(offset);
  const std::string_view line = text.line(number);
  const size_t line_begin = text.offset_of_place(static_cast<uint32_t>(number + 1), 1);
  const size_t column = std::min(offset - line_begin, line.size());
  // Compilers name the operator of an expression: its left side belongs to it.
  size_t begin = 0;
  int depth = 0;
  for (size_t at = column; at > 0; --at) {
    const char c = line[at - 1];
    if (c == ')' || c == ']') ++depth;
    const bool opens = (c == '(' || c == '[') && --depth < 0;
    if (opens || (depth <= 0 && (c == ';' || c == '{' || c == '}' || c == ','))) {
      begin = at;
      break;
    }
  }
  for (bool more = true; more;) {
    while (begin < column && std::isspace(static_cast<unsigned char>(line[begin]))) ++begin;
    const size_t end = line.substr(begin).starts_with("/*") ? line.find("*/", begin) : line.npos;
    more = end != line.npos && end + 2 <= column;
    if (more) begin = end + 2;
  }
  size_t end = column;
  depth = 0;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (c == '"' || c == '\'') {
      for (++end; end < line.size() && line[end] != c; ++end) end += line[end] == '\\';
      continue;
    }
    if (c == '/' && end + 1 < line.size() && (line[end + 1] == '/' || line[end + 1] == '*')) break;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && --depth < 0) break;
    if (end > column && (c == '{' || c == '}')) break;
    if (depth == 0 && (c == ';' || c == ',')) break;
  }
  end = std::min(end, line.size());
  while (end > begin && std::isspace(static_cast<unsigned char>(line[end - 1]))) --end;
  return {line_begin + begin, line_begin + std::max(end, std::min(begin + 1, line.size()))};
}

}  // namespace heddle::client::lsp
