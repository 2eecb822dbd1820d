#include "server/analysis/points_to.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "server/analysis/components.h"

namespace heddle::analysis {
namespace {

constexpr size_t kLocationsMax = 96;   // per object, and one for every 4 bytes, before it becomes a single cell
constexpr size_t kManyLocations = 48;  // in an object: something may step through it
constexpr size_t kFewLocations = 32;   // of a set that is copied one by one

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

Location PointsTo::location(Cell object, int64_t offset, uint8_t range_step) {
  offset = fold(objects_[object].shape, offset);
  if ((offset == kUnknownOffset || objects_[object].shape.period == 1) && range_step != kTables) range_step = 0;
  for (Location l : objects_[object].locations)
    if (locations_[l].offset == offset && locations_[l].range_step == range_step) return l;
  const bool inside = offset != kUnknownOffset && !outside(objects_[object].shape, offset);
  if (inside && ++objects_[object].inside == kManyLocations) next_merge_ = 0;
  if (inside && objects_[object].inside > kLocationsMax + objects_[object].shape.size / 4) {
    set_period(object, 1);
    return location(object, 0);
  }
  const Location made = static_cast<Location>(locations_.size());
  locations_.push_back({object, offset, range_step, kNothing, made});
  locations_[made].content = make_node();
  objects_[object].locations.push_back(made);
  if (offset != kUnknownOffset && (!range_step || range_step == kTables))
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
    if (period == 1 && locations_[l].range_step != kTables) locations_[l].range_step = 0;
    auto same = std::find_if(kept.begin(), kept.end(), [&](Location k) {
      return locations_[k].offset == offset && locations_[k].range_step == locations_[l].range_step;
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

Node PointsTo::table_content(Location location) {
  location = find_location(location);
  return content(this->location(locations_[location].object, locations_[location].offset, kTables));
}

Node PointsTo::content(Location location) {
  location = find_location(location);
  const uint8_t range_step = locations_[location].range_step;
  if (locations_[location].offset == kUnknownOffset || (range_step && range_step != kTables)) {
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

Node PointsTo::shifted(Node address, int64_t offset) {
  if (!offset) return address;
  const Node result = make_node();
  shift(address, offset, result);
  return result;
}

void PointsTo::load(Node address, int64_t offset, Node to) { constrain(shifted(address, offset), {Kind::Load, to, 0}); }
void PointsTo::store(Node address, int64_t offset, Node from) {
  constrain(shifted(address, offset), {Kind::Store, from, 0});
}
void PointsTo::load_table(Node address, int64_t offset, Node to) {
  constrain(shifted(address, offset), {Kind::LoadTable, to, 0});
}
void PointsTo::store_table(Node address, int64_t offset, Node from) {
  constrain(shifted(address, offset), {Kind::StoreTable, from, 0});
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
void PointsTo::element(Node from, int64_t stride, Node to) {
  constrain(from, {Kind::Element, to, stride < 0 ? -stride : stride});
}
void PointsTo::byte_range(Node from, int64_t stride, Node to) {
  constrain(from, {Kind::ByteRange, to, stride < 0 ? -stride : stride});
}
void PointsTo::unknown_offset(Node from, Node to) { constrain(from, {Kind::UnknownOffset, to, 0}); }
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
    case Kind::Load:
      if (!past_end(objects_[object].shape, offset)) copy(content(l), constraint.other);
      break;
    case Kind::Store:
      if (!past_end(objects_[object].shape, offset) && !objects_[object].constant) copy(constraint.other, content(l));
      break;
    case Kind::LoadTable:
      if (!past_end(objects_[object].shape, offset)) copy(table_content(l), constraint.other);
      break;
    case Kind::StoreTable:
      if (!past_end(objects_[object].shape, offset) && !objects_[object].constant)
        copy(constraint.other, table_content(l));
      break;
    case Kind::Shift:
    case Kind::Step: apply_shift(constraint, l); break;
    case Kind::Index:
    case Kind::Element: apply_index(constraint, l); break;
    case Kind::ByteRange: apply_byte_range(constraint, l); break;
    case Kind::UnknownOffset: add(constraint.other, location(object, kUnknownOffset)); break;
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
      seen(object, locations_[l].range_step ? kUnknownOffset : offset);
      break;
    }
  }
}

// A step out of the object stays where it is when it goes from element to element: offsets are those of the first one.
void PointsTo::apply_shift(const Constraint& constraint, Location l) {
  if (locations_[l].range_step) return add(constraint.other, l);  // further in the byte range
  const Shape& shape = objects_[locations_[l].object].shape;
  const int64_t stride = std::abs(constraint.number);
  if (constraint.kind == Kind::Step && stride < 8) return apply_byte_range(constraint, l);
  if (constraint.kind == Kind::Step && shape.size == 0 && shape.period == 0) {
    set_period(locations_[l].object, stride);
    l = find_location(l);
  }
  const int64_t from = locations_[l].offset;
  int64_t to = from == kUnknownOffset ? kUnknownOffset : from + constraint.number;
  if (outside(shape, to)) {
    if (objects_[locations_[l].object].constant) return;
    if (fits_array(shape, from, constraint.number))
      to = from;
    else if (outside(shape, from) && (to < 0) == (constraint.number < 0))
      return;  // further away: never to come back
  }
  add(constraint.other, location(locations_[l].object, to));
}

void PointsTo::apply_byte_range(const Constraint& constraint, Location l) {
  const int64_t stride = std::abs(constraint.number);
  const Cell object = locations_[l].object;
  const bool fits = stride == 0 || fits_array(objects_[object].shape, locations_[l].offset, stride);
  const uint8_t steps = stride == 2 || stride == 4 ? static_cast<uint8_t>(stride) : 1;
  const uint8_t before = locations_[l].range_step;
  if (constraint.number < 0 && !fits)
    return add(constraint.other, location(object, kUnknownOffset));  // a byte range goes upwards
  add(constraint.other, location(object, locations_[l].offset, before ? std::min(before, steps) : fits ? 0 : steps));
}

void PointsTo::apply_index(const Constraint& constraint, Location l) {
  const Cell object = locations_[l].object;
  const Shape& shape = objects_[object].shape;
  const int64_t offset = locations_[l].offset, stride = constraint.number;
  const bool stays = shape.period == 1 || offset == kUnknownOffset || stride == 0 || outside(shape, offset) ||
                     (locations_[l].range_step ? stride < 8 : fits_array(shape, offset, stride));
  if (!stays) {
    const int64_t period = std::gcd(shape.period, stride);
    // A stride as long as what is left, forwards and backwards, has one element to go to.
    const bool single =
        shape.size > 0 && shape.period == 0 && offset < stride && static_cast<int64_t>(shape.size) - offset <= stride;
    const bool trusted = constraint.kind == Kind::Element && !locations_[l].range_step && is_no_array(shape, offset);
    if (!single && !trusted) set_period(object, shape.unit || period < 8 || locations_[l].range_step ? 1 : period);
  }
  add(constraint.other, find_location(l));
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
      fold_steps();
      next_merge_ = steps_ + std::max<uint64_t>(4096, nodes_.size());
    }
  }
}

void PointsTo::merge_cycles() {
  std::vector<std::vector<uint32_t>> edges(nodes_.size());
  for (Node n = 0; n < nodes_.size(); ++n)
    if (find(n) == n)
      for (Node s : nodes_[n].successors) edges[n].push_back(find(s));
  std::vector<std::vector<uint32_t>> groups;
  for_each_component(edges, [&](const std::vector<uint32_t>& members) {
    if (members.size() > 1) groups.push_back(members);
  });
  for (const auto& group : groups)
    for (size_t k = 1; k < group.size(); ++k) merge(group[0], group[k]);
}

// A cycle of copies with a displacement in it may step through an array: in objects of unknown size the displacement is
// a stride. Those of known size end the steps.
void PointsTo::fold_steps() {
  std::vector<std::vector<uint32_t>> edges(nodes_.size());
  for (Node n = 0; n < nodes_.size(); ++n) {
    if (find(n) != n) continue;
    for (Node s : nodes_[n].successors) edges[n].push_back(find(s));
    for (const Constraint& constraint : nodes_[n].constraints)
      if (constraint.kind == Kind::Shift) edges[n].push_back(find(constraint.other));
  }
  std::vector<uint32_t> component(nodes_.size(), 0);
  uint32_t number = 0;
  for_each_component(edges, [&](const std::vector<uint32_t>& members) {
    ++number;
    for (uint32_t m : members) component[m] = number;
  });
  for (Node n = 0; n < nodes_.size(); ++n)
    for (size_t k = 0; k < nodes_[n].constraints.size(); ++k) {
      const Constraint constraint = nodes_[n].constraints[k];
      if (constraint.kind != Kind::Shift || find(n) != n || component[find(constraint.other)] != component[n]) continue;
      nodes_[n].constraints[k].kind = Kind::Step;
      const Constraint step = nodes_[n].constraints[k];
      const std::vector<Location> points = nodes_[n].points;
      for (Location l : points) apply(step, l);
    }
}

std::vector<PointsTo::Target> PointsTo::targets(Node node) const {
  std::vector<Target> result;
  for (Location l : nodes_[find(node)].points) {
    const LocationData& data = locations_[find_location(l)];
    result.push_back({data.object, data.offset, data.range_step});
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

std::vector<bool> PointsTo::stored() const {
  std::vector<bool> result(objects_.size(), false), seen(nodes_.size(), false);
  for (const LocationData& place : locations_) {
    if (place.content == kNothing) continue;
    const Node node = find(place.content);
    if (seen[node]) continue;
    seen[node] = true;
    for (Location l : nodes_[node].points) result[locations_[l].object] = true;
  }
  return result;
}

}  // namespace heddle::analysis
