#include "client/fix/line_hunks.h"

#include <algorithm>
#include <cstdint>

#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

using Lines = std::vector<std::string_view>;
constexpr size_t kTableMost = 4'000'000, kContext = 2;

struct Middle {
  size_t prefix = 0, older = 0, newer = 0;  // lines that are equal at the beginning; lines between, of either
};

Middle middle_of(const Lines& a, const Lines& b) {
  Middle out;
  const size_t least = std::min(a.size(), b.size());
  while (out.prefix < least && a[out.prefix] == b[out.prefix]) ++out.prefix;
  size_t suffix = 0;
  while (suffix < least - out.prefix && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix]) ++suffix;
  out.older = a.size() - out.prefix - suffix;
  out.newer = b.size() - out.prefix - suffix;
  return out;
}

// The longest common subsequence of the lines between, as hunks of the rest.
void split(const Lines& a, const Lines& b, const Middle& middle, std::vector<Hunk>& out) {
  const size_t n = middle.older, m = middle.newer, width = m + 1;
  std::vector<uint32_t> longest((n + 1) * width, 0);
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      longest[i * width + j] = a[middle.prefix + i] == b[middle.prefix + j]
                                   ? longest[(i + 1) * width + j + 1] + 1
                                   : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[middle.prefix + i] == b[middle.prefix + j]) {
      ++i, ++j;
      continue;
    }
    Hunk hunk{middle.prefix + i, 0, middle.prefix + j, 0};
    while ((i < n || j < m) && !(i < n && j < m && a[middle.prefix + i] == b[middle.prefix + j])) {
      if (j == m || (i < n && longest[(i + 1) * width + j] >= longest[i * width + j + 1]))
        ++i;
      else
        ++j;
    }
    hunk.old_end = middle.prefix + i;
    hunk.new_end = middle.prefix + j;
    out.push_back(hunk);
  }
}

std::string range_text(size_t begin, size_t end) {
  return std::to_string(begin == end ? begin : begin + 1) + "," + std::to_string(end - begin);
}

void add_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::vector<Hunk> hunks_between(std::string_view older, std::string_view newer) {
  const Lines a = text::lines_with_ends(older), b = text::lines_with_ends(newer);
  const Middle middle = middle_of(a, b);
  std::vector<Hunk> out;
  if (middle.older == 0 && middle.newer == 0) return out;
  if ((middle.older + 1) * (middle.newer + 1) > kTableMost)
    out.push_back({middle.prefix, middle.prefix + middle.older, middle.prefix, middle.prefix + middle.newer});
  else
    split(a, b, middle, out);
  return out;
}

std::string unified_diff(const std::string& name, std::string_view older, std::string_view newer) {
  const Lines a = text::lines_with_ends(older), b = text::lines_with_ends(newer);
  const std::vector<Hunk> hunks = hunks_between(older, newer);
  if (hunks.empty()) return "";
  std::string out = "--- " + name + "\n+++ " + name + "\n";
  for (size_t first = 0; first < hunks.size();) {
    size_t last = first;
    while (last + 1 < hunks.size() && hunks[last + 1].old_begin <= hunks[last].old_end + 2 * kContext) ++last;
    const size_t begin = hunks[first].old_begin - std::min(hunks[first].old_begin, kContext);
    const size_t end = std::min(hunks[last].old_end + kContext, a.size());
    const size_t new_begin = hunks[first].new_begin - (hunks[first].old_begin - begin);
    const size_t new_end = hunks[last].new_end + (end - hunks[last].old_end);
    out += "@@ -" + range_text(begin, end) + " +" + range_text(new_begin, new_end) + " @@\n";
    size_t at = begin;
    for (size_t n = first; n <= last; ++n) {
      for (; at < hunks[n].old_begin; ++at) add_line(out, ' ', a[at]);
      for (; at < hunks[n].old_end; ++at) add_line(out, '-', a[at]);
      for (size_t added = hunks[n].new_begin; added < hunks[n].new_end; ++added) add_line(out, '+', b[added]);
    }
    for (; at < end; ++at) add_line(out, ' ', a[at]);
    first = last + 1;
  }
  return out;
}

}  // namespace heddle::client::fix
