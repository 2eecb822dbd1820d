// Copies of memory between abstract objects: word by word where both sides are known, otherwise through one cell.
#include <algorithm>

#include "server/analysis/points_to.h"

namespace heddle::analysis {
namespace {

constexpr int64_t kFollowedCopyMax = 4096;  // bytes of a copy that is followed word by word
constexpr int64_t kExactCopyMax = 256;      // bytes of a copy out of a single cell that is spread over the target

}  // namespace

// A copy of unknown length between many objects: each source flows into one node, and that into each target, instead
// of every source into every target. Both become single cells, as a pair of them would. False while there are few: a
// copy between two objects of one type keeps their words apart.
bool PointsTo::copy_side(size_t number, Location location, bool source) {
  constexpr size_t kPairsMax = 64;
  if (!source && objects_[locations_[find_location(location)].object].constant) return true;
  const Node to = find(copies_[number].to), from = find(copies_[number].from);
  if (copies_[number].length >= 0 && copies_[number].length <= kFollowedCopyMax) return false;
  if (copies_[number].through == kNothing) {
    if (nodes_[to].points.size() * nodes_[from].points.size() <= kPairsMax) return false;
    const Node through = make_node();
    copies_[number].through = through;
    copies_[number].tables = make_node();
    const std::vector<Location> sources = nodes_[from].points, targets = nodes_[to].points;
    for (Location l : sources) copy_side(number, l, true);
    for (Location l : targets) copy_side(number, l, false);
  }
  const Cell object = locations_[find_location(location)].object;
  set_period(object, 1);
  const Node cell = content(this->location(object, 0)), tables = content(this->location(object, 0, kTables));
  source ? copy(cell, copies_[number].through) : copy(copies_[number].through, cell);
  source ? copy(tables, copies_[number].tables) : copy(copies_[number].tables, tables);
  return true;
}

// A copy of known length between many objects goes through a block of that length: words stay apart, and each side is
// stated once instead of once for every object on the other side.
bool PointsTo::block_side(size_t number, Location location, bool source) {
  constexpr size_t kPairsMax = 16;
  const int64_t length = copies_[number].length;
  if (length <= 0 || length > kFollowedCopyMax) return false;
  if (copies_[number].block == kNothing) {
    const std::vector<Location> sources = nodes_[find(copies_[number].from)].points;
    const std::vector<Location> targets = nodes_[find(copies_[number].to)].points;
    if (sources.size() * targets.size() <= kPairsMax) return false;
    copies_[number].block = make_object(static_cast<uint64_t>(length), nullptr, {}, false);
    made_block();
    for (Location l : sources) block_side(number, l, true);
    for (Location l : targets) block_side(number, l, false);
  }
  const Location block = this->location(copies_[number].block, 0);
  source ? apply_copy(length, block, location) : apply_copy(length, location, block);
  return true;
}

void PointsTo::apply_copy(int64_t length, Location to, Location from) {
  to = find_location(to);
  from = find_location(from);
  const Cell target = locations_[to].object, source = locations_[from].object;
  if (length == 0 || objects_[target].constant) return;
  const int64_t from_offset = locations_[from].offset, to_offset = locations_[to].offset;
  const bool ranges = locations_[from].range_step || locations_[to].range_step;
  const bool same_shape = !ranges && from_offset == 0 && to_offset == 0 &&
                          objects_[source].shape.period == objects_[target].shape.period &&
                          objects_[source].shape.unit == objects_[target].shape.unit &&
                          objects_[source].shape.type == objects_[target].shape.type;
  if (same_shape) return add_range(source, {0, INT64_MAX / 2, target, 0});
  const bool known = !ranges && length > 0 && length <= kFollowedCopyMax && from_offset != kUnknownOffset &&
                     to_offset != kUnknownOffset;
  if (!known || objects_[source].shape.period == 1 || objects_[target].shape.period == 1) {
    if (!known) set_period(source, 1);
    if (!known || length > kExactCopyMax) set_period(target, 1);
    return add_range(source, {0, known ? length : INT64_MAX / 2, target, to_offset == kUnknownOffset ? 0 : to_offset});
  }
  // Word by word, each side folded by its own shape; neighbours that stay neighbours make one range.
  CopyRange range{0, 0, target, 0};
  for (int64_t k = 0; k < length; k += 8) {
    const int64_t y = fold(objects_[source].shape, from_offset + k), z = fold(objects_[target].shape, to_offset + k);
    if (y == kUnknownOffset || z == kUnknownOffset) break;
    if (past_end(objects_[source].shape, y) || past_end(objects_[target].shape, z)) break;
    const int64_t width = std::min<int64_t>(8, length - k);
    if (range.length > 0 && y == range.from + range.length && z == range.to + range.length) {
      range.length += width;
      continue;
    }
    if (range.length > 0) add_range(source, range);
    range = {y, width, target, z};
  }
  if (range.length > 0) add_range(source, range);
}

void PointsTo::add_range(Cell source, const CopyRange& range) {
  if (!objects_[source].known_copies.insert(range).second) return;
  objects_[source].copies_from.push_back(range);
  apply_range(source, range);
}

void PointsTo::apply_range(Cell object, const CopyRange& range) {
  const std::vector<Location> locations = objects_[object].locations;
  for (Location l : locations)
    if (locations_[l].offset != kUnknownOffset && (!locations_[l].range_step || locations_[l].range_step == kTables))
      apply_range_at(range, find_location(l));
}

void PointsTo::apply_range_at(const CopyRange& range, Location l) {
  const int64_t offset = locations_[l].offset;
  const uint8_t range_step = locations_[l].range_step;
  if (objects_[range.to_object].shape.period == 1) {
    copy(locations_[l].content, content(location(range.to_object, 0, range_step)));
    return;
  }
  if (objects_[locations_[l].object].shape.period == 1) {  // its one cell stands for every word of the range
    if (range.length > kExactCopyMax) {
      set_period(range.to_object, 1);
      copy(locations_[l].content, content(location(range.to_object, 0, range_step)));
      return;
    }
    for (int64_t k = 0; k < range.length; k += 8)
      copy(locations_[l].content, content(location(range.to_object, range.to + k, range_step)));
    return;
  }
  if (offset < range.from || offset - range.from >= range.length) return;
  copy(locations_[l].content, content(location(range.to_object, range.to + offset - range.from, range_step)));
}

}  // namespace heddle::analysis
