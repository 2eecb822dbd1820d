#include "server/edit/align.h"

#include <algorithm>

namespace heddle::edit {
namespace {

class Aligner {
 public:
  Aligner(const std::vector<Keys>& before, const std::vector<Keys>& after) : before_(before), after_(after) {}

  std::vector<Match> run() {
    gap(0, static_cast<uint32_t>(before_.size()), 0, static_cast<uint32_t>(after_.size()), 0);
    std::sort(matches_.begin(), matches_.end(), [](const Match& x, const Match& y) { return x.before < y.before; });
    return std::move(matches_);
  }

 private:
  bool same(uint32_t b, uint32_t a, uint32_t level) const { return before_[b][level] == after_[a][level]; }

  void gap(uint32_t b0, uint32_t b1, uint32_t a0, uint32_t a1, uint32_t level) {
    if (level == kLevels || b0 == b1 || a0 == a1) return;
    std::vector<Match> found;
    while (b0 < b1 && a0 < a1 && same(b0, a0, level)) matches_.push_back({b0++, a0++, level});
    while (b0 < b1 && a0 < a1 && same(b1 - 1, a1 - 1, level)) matches_.push_back({--b1, --a1, level});
    longest(b0, b1, a0, a1, level, found);
    uint32_t b = b0, a = a0;
    for (const Match& m : found) {
      gap(b, m.before, a, m.after, level + 1);
      b = m.before + 1;
      a = m.after + 1;
    }
    gap(b, b1, a, a1, level + 1);
    matches_.insert(matches_.end(), found.begin(), found.end());
  }

  void longest(uint32_t b0, uint32_t b1, uint32_t a0, uint32_t a1, uint32_t level, std::vector<Match>& found) const {
    const size_t rows = b1 - b0, columns = a1 - a0;
    if (rows == 0 || columns == 0 || rows * columns > 4'000'000) return;
    std::vector<uint16_t> table((rows + 1) * (columns + 1), 0);
    auto at = [&](size_t r, size_t c) -> uint16_t& { return table[r * (columns + 1) + c]; };
    for (size_t r = rows; r-- > 0;)
      for (size_t c = columns; c-- > 0;)
        at(r, c) = same(b0 + static_cast<uint32_t>(r), a0 + static_cast<uint32_t>(c), level)
                       ? static_cast<uint16_t>(at(r + 1, c + 1) + 1)
                       : std::max(at(r + 1, c), at(r, c + 1));
    for (size_t r = 0, c = 0; r < rows && c < columns;) {
      if (same(b0 + static_cast<uint32_t>(r), a0 + static_cast<uint32_t>(c), level)) {
        found.push_back({b0 + static_cast<uint32_t>(r++), a0 + static_cast<uint32_t>(c++), level});
      } else if (at(r + 1, c) >= at(r, c + 1)) {
        ++r;
      } else {
        ++c;
      }
    }
  }

  const std::vector<Keys>& before_;
  const std::vector<Keys>& after_;
  std::vector<Match> matches_;
};

}  // namespace

std::vector<Match> align(const std::vector<Keys>& before, const std::vector<Keys>& after) {
  return Aligner(before, after).run();
}

}  // namespace heddle::edit
