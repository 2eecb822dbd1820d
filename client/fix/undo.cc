#include "client/fix/undo.h"

#include <algorithm>

#include "client/fix/line_hunks.h"
#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

constexpr size_t kHunksMost = 6;  // tried one by one

struct Undone {
  std::string path;
  uint32_t line = 0;  // of the text as it is, from 1
  int distance = 2;   // 0: a place of the finding is in it; 1: it is in a function of the interleaving
  Replacement edit;
};

size_t offset_of_line(const std::vector<std::string_view>& lines, size_t line) {
  size_t offset = 0;
  for (size_t n = 0; n < line && n < lines.size(); ++n) offset += lines[n].size();
  return offset;
}

int distance_of(const Situation& situation, const std::string& path, const Replacement& edit) {
  const size_t end = edit.begin + std::max<size_t>(edit.removed, 1);
  for (const Spot& spot : situation.places())
    if (spot.path == path && spot.source->line_begin(spot.offset) < end &&
        spot.source->line_end(spot.offset) >= edit.begin)
      return 0;
  for (const Spot& spot : situation.spots_of_steps()) {
    if (spot.path != path) continue;
    const Node& scope = spot.source->node(spot.scope());
    if (scope.begin < end && edit.begin < scope.end) return 1;
  }
  return 2;
}

std::vector<Undone> hunks_of(const Situation& situation, const ReadText& older) {
  std::vector<Undone> out;
  for (const auto& [path, source] : situation.sources()) {
    if (!source) continue;
    const std::optional<std::string> before = older(path);
    if (!before) continue;
    const auto now = text::lines_with_ends(source->text()), then = text::lines_with_ends(*before);
    for (const Hunk& hunk : hunks_between(*before, source->text())) {
      Undone undone{path, static_cast<uint32_t>(hunk.new_begin + 1), 2, {}};
      undone.edit.begin = offset_of_line(now, hunk.new_begin);
      undone.edit.removed = offset_of_line(now, hunk.new_end) - undone.edit.begin;
      for (size_t line = hunk.old_begin; line < hunk.old_end; ++line) undone.edit.text += then[line];
      undone.distance = distance_of(situation, path, undone.edit);
      out.push_back(std::move(undone));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Undone& a, const Undone& b) { return a.distance < b.distance; });
  return out;
}

}  // namespace

std::vector<Candidate> undo_candidates(const Situation& situation, const ReadText& older) {
  std::vector<Candidate> out;
  const std::vector<Undone> hunks = hunks_of(situation, older);
  for (size_t n = 0; n < hunks.size() && n < kHunksMost; ++n)
    out.push_back(
        {"take back the change at line " + std::to_string(hunks[n].line), {{hunks[n].path, {hunks[n].edit}}}});
  if (hunks.size() < 2) return out;
  Candidate all{"take back the whole change", {}};
  for (const Undone& undone : hunks) all.edits[undone.path].push_back(undone.edit);
  for (auto& [path, edits] : all.edits)
    std::sort(edits.begin(), edits.end(), [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  out.push_back(std::move(all));
  return out;
}

}  // namespace heddle::client::fix
