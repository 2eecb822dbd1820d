#include "server/text/ignore_comment.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace heddle::text {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Distinguishes comments from code, line by line: what a line begins in is what the line before ended in.
class CommentScanner {
 public:
  // True if the line holds code.
  bool scan(std::string_view line) {
    line_ = line.substr(0, line.find_last_not_of("\r\n") + 1);
    at_ = 0;
    code_ = false;
    while (at_ < line_.size()) step();
    // A backslash at the end continues a comment or a literal.
    const bool continues = line_.ends_with('\\');
    if (!continues && (inside_ == Inside::LineComment || inside_ == Inside::Literal)) inside_ = Inside::Code;
    return code_;
  }

 private:
  enum class Inside : uint8_t { Code, LineComment, BlockComment, Literal, RawLiteral };

  void step() {
    switch (inside_) {
      case Inside::Code: return step_in_code();
      case Inside::LineComment: at_ = line_.size(); return;
      case Inside::BlockComment: return skip_past("*/");
      case Inside::RawLiteral: code_ = true; return skip_past(raw_end_);
      case Inside::Literal: return step_in_literal();
    }
  }
  void step_in_code() {
    const char c = line_[at_];
    if (is_space(c)) {
      ++at_;
    } else if (line_.substr(at_).starts_with("//")) {
      inside_ = Inside::LineComment;
    } else if (line_.substr(at_).starts_with("/*")) {
      inside_ = Inside::BlockComment;
      at_ += 2;
    } else {
      code_ = true;
      if (c == '"' || c == '\'') {
        begin_literal(c);
      } else if (is_word(c)) {
        skip_word();
      } else {
        ++at_;
      }
    }
  }
  void step_in_literal() {
    code_ = true;
    const char c = line_[at_++];
    if (c == '\\')
      ++at_;
    else if (c == quote_)
      inside_ = Inside::Code;
  }
  void begin_literal(char quote) {
    inside_ = Inside::Literal;
    quote_ = quote;
    ++at_;
  }
  // A name or a number: 1'000 begins no literal, and R"( begins one without escapes.
  void skip_word() {
    const size_t begin = at_;
    const bool number = is_digit(line_[at_]);
    while (at_ < line_.size() &&
           (is_word(line_[at_]) || (number && line_[at_] == '\'' && at_ + 1 < line_.size() && is_word(line_[at_ + 1]))))
      ++at_;
    const std::string_view word = line_.substr(begin, at_ - begin);
    const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
    if (!raw || at_ >= line_.size() || line_[at_] != '"') return;
    const size_t open = line_.find('(', at_);
    if (open == line_.npos) return;
    raw_end_ = ")" + std::string(line_.substr(at_ + 1, open - at_ - 1)) + "\"";
    inside_ = Inside::RawLiteral;
    at_ = open + 1;
  }
  void skip_past(std::string_view end) {
    const size_t found = line_.find(end, at_);
    at_ = found == line_.npos ? line_.size() : found + end.size();
    if (found != line_.npos) inside_ = Inside::Code;
  }

  std::string_view line_;
  size_t at_ = 0;
  bool code_ = false;
  Inside inside_ = Inside::Code;
  char quote_ = '"';
  std::string raw_end_;
};

}  // namespace

std::vector<bool> lines_without_code(const std::vector<std::string_view>& lines) {
  std::vector<bool> out;
  out.reserve(lines.size());
  CommentScanner scanner;
  for (const std::string_view line : lines) out.push_back(!scanner.scan(line));
  return out;
}

size_t covered_line(const std::vector<bool>& without_code, size_t n) {
  while (n < without_code.size() && without_code[n]) ++n;
  return n;
}

std::string thread_without_number(std::string_view name) {
  const size_t end = std::min(name.find(" ("), name.size());
  size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  const bool numbered = begin < end && begin > 0 && name[begin - 1] == ' ';
  return std::string(name.substr(0, numbered ? begin - 1 : end)) + std::string(name.substr(end));
}

bool is_date(std::string_view word) {
  if (word.size() != 10) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (i == 4 || i == 7 ? word[i] != '-' : word[i] < '0' || word[i] > '9') return false;
  return true;
}

}  // namespace heddle::text
