#include "server/analysis/points_to.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle::analysis {
namespace {

constexpr size_t kLocationsMax = 96;        // per object, before it becomes a single cell
constexpr size_t kFewLocations = 32;        // of a set that is copied one by one
constexpr int64_t kFollowedCopyMax = 4096;  // bytes of a copy that is followed word by word
constexpr int64_t kExactCopyMax = 256;      // bytes of a copy out of a single cell that is spread over the target

bool insert(std::vector<uint32_t>& sorted, uint32_t value) {
  auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (at != sorted.end() && *at == value) return false;
  sorted.insert(at, value);
  return true;
}

}  // namespace

Node PointsTo::make_node() {
  nodes_.emplace_back();
  parents_.push_back(static_cast<Node>(parents_.size()));
  return static_cast<Node>(nodes_.size() - 1);
}

Cell PointsTo::make_object(uint64_t size, const program::Unit* unit, program::TypeId type, bool single_cell) {
  ObjectData object;
  object.shape.size = size;
  if (unit && type.valid() && type.value < unit->types.size() && unit->types[type.value].size == size && size > 0) {
    object.shape.unit = unit;
    object.shape.type = type;
  }
  object.shape.period = single_cell ? 1 : 0;
  objects_.push_back(std::move(object));
  return static_cast<Cell>(objects_.size() - 1);
}

Node PointsTo::find(Node node) const {
  while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
  return node;
}

Location PointsTo::find_location(Location location) const {
  while (locations_[location].merged_into != location) location = locations_[location].merged_into;
  return location;
}

Location PointsTo::location(Cell object, int64_t offset, uint8_t run) {
  offset = fold(objects_[object].shape, offset);
  if (offset == kAnywhere || objects_[object].shape.period == 1) run = 0;
  for (Location l : objects_[object].locations)
    if (locations_[l].offset == offset && locations_[l].run == run) return l;
  if (offset != kAnywhere && objects_[object].locations.size() >= kLocationsMax) {
    set_period(object, 1);
    return location(object, 0);
  }
  const Location made = static_cast<Location>(locations_.size());
  locations_.push_back({object, offset, run, kNothing, made});
  locations_[made].content = make_node();
  objects_[object].locations.push_back(made);
  if (offset != kAnywhere && !run)
    for (size_t k = 0; k < objects_[object].copies_from.size(); ++k) {
      const CopyRange range = objects_[object].copies_from[k];
      apply_range_at(range, made);
      if (find_location(made) != made) break;
    }
  return find_location(made);
}

void PointsTo::set_period(Cell object, int64_t period) {
  if (objects_[object].shape.period == period) return;
  objects_[object].shape.period = period;
  const std::vector<Location> old = std::move(objects_[object].locations);
  objects_[object].locations.clear();
  std::vector<Location> kept;
  for (Location l : old) {
    const int64_t offset = fold(objects_[object].shape, locations_[l].offset);
    if (period == 1) locations_[l].run = 0;
    auto same = std::find_if(kept.begin(), kept.end(), [&](Location k) {
      return locations_[k].offset == offset && locations_[k].run == locations_[l].run;
    });
    if (same == kept.end()) {
      locations_[l].offset = offset;
      kept.push_back(l);
    } else {
      locations_[l].merged_into = *same;
      merge(locations_[l].content, locations_[*same].content);
    }
  }
  objects_[object].locations = kept;
  const auto ranges = objects_[object].copies_from;
  for (const CopyRange& range : ranges) apply_range(object, range);
  for (Cell o = 0; o < objects_.size(); ++o) {
    const auto& copies = objects_[o].copies_from;
    if (std::none_of(copies.begin(), copies.end(), [&](const CopyRange& r) { return r.to_object == object; })) continue;
    const auto again = copies;
    for (const CopyRange& range : again)
      if (range.to_object == object) apply_range(o, range);
  }
}

Node PointsTo::content(Location location) {
  location = find_location(location);
  if (locations_[location].offset == kAnywhere || locations_[location].run) {
    set_period(locations_[location].object, 1);
    location = find_location(location);
  }
  return find(locations_[location].content);
}

void PointsTo::enqueue(Node node) {
  if (nodes_[node].queued) return;
  nodes_[node].queued = true;
  queue_.push_back(node);
}

bool PointsTo::learn(NodeData& data, Location location) {
  const size_t word = location / 64;
  if (word >= data.known.size()) data.known.resize(word + 1);
  const uint64_t bit = uint64_t{1} << location % 64;
  if (data.known[word] & bit) return false;
  data.known[word] |= bit;
  data.points.push_back(location);
  return true;
}

void PointsTo::add(Node node, Location location) {
  node = find(node);
  location = find_location(location);
  if (!learn(nodes_[node], location)) return;
  nodes_[node].fresh.push_back(location);
  enqueue(node);
}

void PointsTo::add_all(Node node, const std::vector<Location>& locations) {
  node = find(node);
  NodeData& data = nodes_[node];
  const size_t before = data.fresh.size();
  for (Location l : locations)
    if (l = find_location(l); learn(data, l)) data.fresh.push_back(l);
  if (data.fresh.size() != before) enqueue(node);
}

// The same, word by word: most of a large set is known already.
void PointsTo::add_bits(Node node, const std::vector<uint64_t>& locations) {
  NodeData& data = nodes_[node];
  if (data.known.size() < locations.size()) data.known.resize(locations.size());
  const size_t before = data.fresh.size();
  for (size_t word = 0; word < locations.size(); ++word)
    for (uint64_t unknown = locations[word] & ~data.known[word]; unknown != 0; unknown &= unknown - 1) {
      const Location given = static_cast<Location>(word * 64 + static_cast<size_t>(std::countr_zero(unknown)));
      const Location l = find_location(given);
      if (learn(data, l)) data.fresh.push_back(l);
      data.known[word] |= uint64_t{1} << given % 64;
    }
  if (data.fresh.size() != before) enqueue(node);
}

void PointsTo::copy(Node from, Node to) {
  from = find(from);
  to = find(to);
  if (from == to || !insert(nodes_[from].successors, to)) return;
  if (nodes_[from].points.size() > kFewLocations)
    add_bits(to, nodes_[from].known);
  else
    add_all(to, nodes_[from].points);
}

void PointsTo::constrain(Node node, Constraint constraint) {
  node = find(node);
  nodes_[node].constraints.push_back(constraint);
  const std::vector<Location> points = nodes_[node].points;
  for (Location l : points) apply(constraint, l);
}

void PointsTo::load(Node address, int64_t offset, Node to) {
  if (offset) {
    const Node shifted = make_node();
    shift(address, offset, shifted);
    address = shifted;
  }
  constrain(address, {Kind::Load, to, 0});
}
void PointsTo::store(Node address, int64_t offset, Node from) {
  if (offset) {
    const Node shifted = make_node();
    shift(address, offset, shifted);
    address = shifted;
  }
  constrain(address, {Kind::Store, from, 0});
}
void PointsTo::shift(Node from, int64_t offset, Node to) {
  if (offset == 0)
    copy(from, to);
  else
    constrain(from, {Kind::Shift, to, offset});
}
void PointsTo::index(Node from, int64_t stride, Node to) {
  constrain(from, {Kind::Index, to, stride < 0 ? -stride : stride});
}
void PointsTo::run(Node from, int64_t stride, Node to) {
  constrain(from, {Kind::Run, to, stride < 0 ? -stride : stride});
}
void PointsTo::anywhere(Node from, Node to) { constrain(from, {Kind::Anywhere, to, 0}); }
void PointsTo::copy_memory(Node to, Node from, int64_t length) {
  copies_.push_back({to, from, length, kNothing});
  const int64_t number = static_cast<int64_t>(copies_.size() - 1);
  constrain(to, {Kind::CopyTo, from, number});
  constrain(from, {Kind::CopyFrom, to, number});
}
void PointsTo::watch(Node node, std::function<void(Cell)> seen) {
  watchers_.push_back({[seen = std::move(seen)](Cell cell, int64_t) { seen(cell); }, false, {}});
  constrain(node, {Kind::Watch, 0, static_cast<int64_t>(watchers_.size() - 1)});
}
void PointsTo::watch_offsets(Node node, std::function<void(Cell, int64_t)> seen) {
  watchers_.push_back({std::move(seen), true, {}});
  constrain(node, {Kind::Watch, 0, static_cast<int64_t>(watchers_.size() - 1)});
}

void PointsTo::apply(const Constraint& constraint, Location l) {
  l = find_location(l);
  const Cell object = locations_[l].object;
  const int64_t offset = locations_[l].offset;
  switch (constraint.kind) {
    case Kind::Load: copy(content(l), constraint.other); break;
    case Kind::Store: copy(constraint.other, content(l)); break;
    case Kind::Shift:
      if (locations_[l].run)  // on among the bytes of the run
        add(constraint.other, l);
      else
        add(constraint.other, location(object, offset == kAnywhere ? kAnywhere : offset + constraint.number));
      break;
    case Kind::Index: apply_index(constraint, l); break;
    case Kind::Run: {
      const int64_t stride = constraint.number;
      const bool fits = stride == 0 || fits_array(objects_[object].shape, offset, stride);
      const uint8_t steps = stride == 2 || stride == 4 ? static_cast<uint8_t>(stride) : 1;
      const uint8_t before = locations_[l].run;
      add(constraint.other, location(object, offset, before ? std::min(before, steps) : fits ? 0 : steps));
      break;
    }
    case Kind::Anywhere: add(constraint.other, location(object, kAnywhere)); break;
    case Kind::CopyTo: {
      if (copy_side(static_cast<size_t>(constraint.number), l, false)) break;
      if (block_side(static_cast<size_t>(constraint.number), l, false)) break;
      const MemoryCopy copy = copies_[static_cast<size_t>(constraint.number)];
      const std::vector<Location> sources = nodes_[find(copy.from)].points;
      for (Location from : sources) apply_copy(copy.length, l, from);
      break;
    }
    case Kind::CopyFrom: {
      if (copy_side(static_cast<size_t>(constraint.number), l, true)) break;
      if (block_side(static_cast<size_t>(constraint.number), l, true)) break;
      const MemoryCopy copy = copies_[static_cast<size_t>(constraint.number)];
      const std::vector<Location> targets = nodes_[find(copy.to)].points;
      for (Location to : targets) apply_copy(copy.length, to, l);
      break;
    }
    case Kind::Watch: {
      const size_t number = static_cast<size_t>(constraint.number);
      if (!insert(watchers_[number].done, watchers_[number].every_offset ? l : object)) break;
      const auto seen = watchers_[number].seen;
      seen(object, locations_[l].run ? kAnywhere : offset);
      break;
    }
  }
}

void PointsTo::apply_index(const Constraint& constraint, Location l) {
  const Cell object = locations_[l].object;
  const Shape& shape = objects_[object].shape;
  const int64_t offset = locations_[l].offset, stride = constraint.number;
  const bool stays = shape.period == 1 || offset == kAnywhere || stride == 0 ||
                     (locations_[l].run ? stride < 8 : fits_array(shape, offset, stride));
  if (!stays) {
    const int64_t period = std::gcd(shape.period, stride);
    set_period(object, shape.unit || period < 8 || locations_[l].run ? 1 : period);
  }
  add(constraint.other, find_location(l));
}

// A copy of unknown length between many objects: each source flows into one node, and that into each target, instead
// of every source into every target. Both become single cells, as a pair of them would. False while there are few: a
// copy between two objects of one type keeps their words apart.
bool PointsTo::copy_side(size_t number, Location location, bool source) {
  constexpr size_t kPairsMax = 64;
  const Node to = find(copies_[number].to), from = find(copies_[number].from);
  if (copies_[number].length >= 0 && copies_[number].length <= kFollowedCopyMax) return false;
  if (copies_[number].through == kNothing) {
    if (nodes_[to].points.size() * nodes_[from].points.size() <= kPairsMax) return false;
    const Node through = make_node();
    copies_[number].through = through;
    const std::vector<Location> sources = nodes_[from].points, targets = nodes_[to].points;
    for (Location l : sources) copy_side(number, l, true);
    for (Location l : targets) copy_side(number, l, false);
  }
  set_period(locations_[find_location(location)].object, 1);
  const Node cell = content(this->location(locations_[find_location(location)].object, 0));
  source ? copy(cell, copies_[number].through) : copy(copies_[number].through, cell);
  return true;
}

// A copy of known length between many objects goes through a block of that length: words stay apart, and each side is
// told once instead of once for every object on the other side.
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
  if (length == 0) return;
  const int64_t from_offset = locations_[from].offset, to_offset = locations_[to].offset;
  const bool run = locations_[from].run || locations_[to].run;
  const bool same_shape = !run && from_offset == 0 && to_offset == 0 &&
                          objects_[source].shape.period == objects_[target].shape.period &&
                          objects_[source].shape.unit == objects_[target].shape.unit &&
                          objects_[source].shape.type == objects_[target].shape.type;
  if (same_shape) return add_range(source, {0, INT64_MAX / 2, target, 0});
  const bool known =
      !run && length > 0 && length <= kFollowedCopyMax && from_offset != kAnywhere && to_offset != kAnywhere;
  if (!known || objects_[source].shape.period == 1 || objects_[target].shape.period == 1) {
    if (!known) set_period(source, 1);
    if (!known || length > kExactCopyMax) set_period(target, 1);
    return add_range(source, {0, known ? length : INT64_MAX / 2, target, to_offset == kAnywhere ? 0 : to_offset});
  }
  // Word by word, each side folded by its own shape; neighbours that stay neighbours make one range.
  CopyRange range{0, 0, target, 0};
  for (int64_t k = 0; k < length; k += 8) {
    const int64_t y = fold(objects_[source].shape, from_offset + k), z = fold(objects_[target].shape, to_offset + k);
    if (y == kAnywhere || z == kAnywhere) break;
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
    if (locations_[l].offset != kAnywhere && !locations_[l].run) apply_range_at(range, find_location(l));
}

void PointsTo::apply_range_at(const CopyRange& range, Location l) {
  const int64_t offset = locations_[l].offset;
  if (objects_[range.to_object].shape.period == 1) {
    copy(locations_[l].content, content(location(range.to_object, 0)));
    return;
  }
  if (objects_[locations_[l].object].shape.period == 1) {  // its one cell stands for every word of the range
    if (range.length > kExactCopyMax) {
      set_period(range.to_object, 1);
      copy(locations_[l].content, content(location(range.to_object, 0)));
      return;
    }
    for (int64_t k = 0; k < range.length; k += 8)
      copy(locations_[l].content, content(location(range.to_object, range.to + k)));
    return;
  }
  if (offset < range.from || offset - range.from >= range.length) return;
  copy(locations_[l].content, content(location(range.to_object, range.to + offset - range.from)));
}

Node PointsTo::merge(Node a, Node b) {
  a = find(a);
  b = find(b);
  if (a == b) return a;
  if (nodes_[a].points.size() + nodes_[a].constraints.size() < nodes_[b].points.size() + nodes_[b].constraints.size())
    std::swap(a, b);
  parents_[b] = a;
  NodeData taken = std::move(nodes_[b]);
  nodes_[b] = NodeData{};
  nodes_[b].queued = taken.queued;
  // What either side knew must still reach what the other side feeds.
  for (Node s : taken.successors) {
    s = find(s);
    if (s != a) insert(nodes_[a].successors, s);
  }
  nodes_[a].constraints.insert(nodes_[a].constraints.end(), taken.constraints.begin(), taken.constraints.end());
  for (Location l : taken.points) learn(nodes_[a], l);
  if (!nodes_[a].points.empty()) {
    nodes_[a].fresh = nodes_[a].points;
    enqueue(a);
  }
  return a;
}

void PointsTo::solve() {
  while (!queue_.empty()) {
    const Node node = queue_.back();
    queue_.pop_back();
    nodes_[node].queued = false;
    if (find(node) != node || nodes_[node].fresh.empty()) continue;
    const std::vector<Location> fresh = std::move(nodes_[node].fresh);
    nodes_[node].fresh.clear();
    for (size_t k = 0; k < nodes_[node].constraints.size(); ++k) {
      const Constraint constraint = nodes_[node].constraints[k];
      for (Location l : fresh) apply(constraint, l);
      if (find(node) != node) break;  // merged meanwhile: all of it is queued again
    }
    if (find(node) != node) continue;
    const std::vector<Node> successors = nodes_[node].successors;
    std::vector<uint64_t> bits;
    if (fresh.size() > kFewLocations && successors.size() > 1)
      for (const Location l : fresh) {
        if (l / 64 >= bits.size()) bits.resize(l / 64 + 1);
        bits[l / 64] |= uint64_t{1} << l % 64;
      }
    for (Node s : successors) {
      s = find(s);
      if (s == node) continue;
      bits.empty() ? add_all(s, fresh) : add_bits(s, bits);
    }
    if (++steps_ >= next_merge_) {
      merge_cycles();
      next_merge_ = steps_ + std::max<uint64_t>(4096, nodes_.size());
    }
  }
}

void PointsTo::merge_cycles() {
  const Node count = static_cast<Node>(nodes_.size());
  std::vector<uint32_t> number(count, 0), low(count, 0), next(count, 0);
  std::vector<uint8_t> on_stack(count, 0);
  std::vector<Node> stack, path;
  std::vector<std::vector<Node>> groups;
  uint32_t counter = 0;
  for (Node root = 0; root < count; ++root) {
    if (find(root) != root || number[root]) continue;
    path.push_back(root);
    while (!path.empty()) {
      const Node n = path.back();
      if (!number[n]) number[n] = low[n] = ++counter, stack.push_back(n), on_stack[n] = 1;
      if (next[n] < nodes_[n].successors.size()) {
        const Node s = find(nodes_[n].successors[next[n]++]);
        if (!number[s])
          path.push_back(s);
        else if (on_stack[s])
          low[n] = std::min(low[n], number[s]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[n]);
      if (low[n] != number[n]) continue;
      std::vector<Node> group;
      Node member;
      do {
        member = stack.back();
        stack.pop_back();
        on_stack[member] = 0;
        group.push_back(member);
      } while (member != n);
      if (group.size() > 1) groups.push_back(std::move(group));
    }
  }
  for (const auto& group : groups)
    for (size_t k = 1; k < group.size(); ++k) merge(group[0], group[k]);
}

std::vector<PointsTo::Target> PointsTo::targets(Node node) const {
  std::vector<Target> result;
  for (Location l : nodes_[find(node)].points) {
    const LocationData& data = locations_[find_location(l)];
    result.push_back({data.object, data.offset, data.run});
  }
  return result;
}

std::vector<Cell> PointsTo::objects(Node node) const {
  std::vector<Cell> result;
  for (Location l : nodes_[find(node)].points) result.push_back(locations_[l].object);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Cell> PointsTo::contents(Cell object) const {
  std::vector<Cell> result;
  for (Location l : objects_[object].locations) {
    const auto part = objects(locations_[l].content);
    result.insert(result.end(), part.begin(), part.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace heddle::analysis
