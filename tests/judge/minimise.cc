// Fewer lines with the same kind of problem. Lines of both texts are aligned; what is taken away is taken from both,
// and differences between them are taken back.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include <sstream>

#include "tests/judge/cases.h"

namespace heddle::judge {
namespace {

struct Line {
  std::string text;
  bool in_old = true, in_new = true;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Longest common subsequence.
std::vector<Line> align(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<uint32_t>> length(a.size() + 1, std::vector<uint32_t>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
  std::vector<Line> result;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      result.push_back({a[i], true, true});
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && length[i + 1][j] >= length[i][j + 1])) {
      result.push_back({a[i++], true, false});
    } else {
      result.push_back({b[j++], false, true});
    }
  }
  return result;
}

std::string text_of(const std::vector<Line>& lines, bool Line::* in) {
  std::string text;
  for (const Line& line : lines)
    if (line.*in) text += line.text + "\n";
  return text;
}

class Minimiser {
 public:
  Minimiser(const Problem& problem, const CaseOptions& options)
      : options_(options), best_(problem), lines_(align(split(problem.old_text), split(problem.new_text))) {}

  Problem run() {
    if (!holds(lines_)) return best_;  // needs what came before
    bool better = true;
    while (better && tries_ < kTriesMost) {
      better = false;
      for (size_t n = 0; n < lines_.size(); ++n) better |= block(n) || one(n) || unify(n);
      for (size_t a = 0; a < lines_.size() && !better; ++a)
        for (size_t b = a + 1; b < lines_.size() && !better; ++b) better = without({a, b});
    }
    return best_;
  }

 private:
  static constexpr uint32_t kTriesMost = 4000;

  bool holds(const std::vector<Line>& lines) {
    ++tries_;
    const std::string old_text = text_of(lines, &Line::in_old), new_text = text_of(lines, &Line::in_new);
    try {
      const CaseResult result = judge_texts(old_text, new_text, options_);
      for (const Problem& p : result.problems)
        if (p.kind == best_.kind && p.text.substr(0, 4) == best_.text.substr(0, 4)) return best_ = p, true;
    } catch (const std::runtime_error&) {  // does not compile
    }
    return false;
  }

  bool accept(std::vector<Line> lines) {
    if (tries_ >= kTriesMost || !holds(lines)) return false;
    lines_ = std::move(lines);
    return true;
  }

  bool without(const std::vector<size_t>& gone) {
    for (const size_t n : gone)
      if (lines_[n].text.starts_with("#include") || lines_[n].text == "}") return false;
    std::vector<Line> lines;
    for (size_t n = 0; n < lines_.size(); ++n)
      if (std::find(gone.begin(), gone.end(), n) == gone.end()) lines.push_back(lines_[n]);
    return accept(std::move(lines));
  }

  bool one(size_t n) { return n < lines_.size() && !lines_[n].text.ends_with("{") && without({n}); }

  // A block with its body, or only the lines around it.
  bool block(size_t n) {
    if (n >= lines_.size() || !lines_[n].text.ends_with("{")) return false;
    const std::string indent = lines_[n].text.substr(0, lines_[n].text.find_first_not_of(' '));
    size_t end = n + 1;
    while (end < lines_.size() && lines_[end].text != indent + "}") ++end;
    if (end == lines_.size()) return false;
    std::vector<Line> lines(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<Line> body(lines_.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                           lines_.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<Line> rest(lines_.begin() + static_cast<std::ptrdiff_t>(end) + 1, lines_.end());
    std::vector<Line> unwrapped = lines;
    unwrapped.insert(unwrapped.end(), body.begin(), body.end());
    lines.insert(lines.end(), rest.begin(), rest.end());
    unwrapped.insert(unwrapped.end(), rest.begin(), rest.end());
    return accept(std::move(lines)) || (!indent.empty() && accept(std::move(unwrapped)));
  }

  // A difference taken back: in both, or in none.
  bool unify(size_t n) {
    if (n >= lines_.size() || (lines_[n].in_old && lines_[n].in_new)) return false;
    std::vector<Line> lines = lines_;
    lines[n].in_old = lines[n].in_new = true;
    return accept(std::move(lines));
  }

  const CaseOptions& options_;
  Problem best_;
  std::vector<Line> lines_;
  uint32_t tries_ = 0;
};

}  // namespace

Problem minimise(const Problem& problem, const CaseOptions& options) { return Minimiser(problem, options).run(); }

}  // namespace heddle::judge
