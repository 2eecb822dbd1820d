// Solves inclusion constraints between nodes and abstract memory (field-sensitive points-to analysis). Internal to this
// folder.
//
// In:      nodes (values), abstract objects and constraints; they may be added while it solves.
// Out:     per node the locations it may point to. A location is an object and a byte offset, with array elements
//          folded onto the first. It may also be an unknown offset, or a byte range: the bytes from an offset on that a
//          library accesses in small steps.
// Cost:    cubic at worst, near linear on real code: differences are propagated, cycles of copies are merged.
// Owns:    all tables. Shapes refer to the units, which must outlive it.
// Threads: one; const members compress paths, too.
// Fails:   never. An object with too many offsets, or one used through a stride that does not fit its type, becomes a
//          single cell.
// From:    Andersen 1994; Pearce, Kelly, Hankin 2004 (offsets, difference propagation, positive weight cycles);
//          Hardekopf, Lin 2007 (cycles). Differs: a positive weight cycle folds offsets instead of dropping them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_set>
#include <vector>

#include "server/analysis/layout.h"

namespace heddle::analysis {

using Node = uint32_t;
using Location = uint32_t;
using Cell = uint32_t;  // number of an abstract object inside the solver

inline constexpr uint32_t kNothing = 0xffffffffu;

class PointsTo {
 public:
  Node make_node();
  // `unit` and `type` give array shapes; unknown type: shapes are learned from the strides the code uses.
  Cell make_object(uint64_t size, const program::Unit* unit, program::TypeId type, bool single_cell);

  void set_constant(Cell object) { objects_[object].constant = true; }  // stores to it have no effect from now on

  Location location(Cell object, int64_t offset, uint8_t range_step = 0);  // of a byte range: 1, 2 or 4 bytes; 0: none
  Cell object_of(Location location) const { return locations_[location].object; }

  void add(Node node, Location location);               // node may point to location
  void copy(Node from, Node to);                        // to includes from
  void load(Node address, int64_t offset, Node to);     // to includes *(address + offset)
  void store(Node address, int64_t offset, Node from);  // *(address + offset) includes from
  // The same for an object's pointer to its virtual table, which is separate from other values at its place.
  void load_table(Node address, int64_t offset, Node to);
  void store_table(Node address, int64_t offset, Node from);
  void shift(Node from, int64_t offset, Node to);        // to includes from + offset
  void index(Node from, int64_t stride, Node to);        // to includes from + n * stride
  void element(Node from, int64_t stride, Node to);      // the same, if code is trusted to step through arrays only
  void byte_range(Node from, int64_t stride, Node to);   // the same in small steps, from the offset on
  void unknown_offset(Node from, Node to);               // to includes every address in the objects of `from`
  void copy_memory(Node to, Node from, int64_t length);  // length -1: unknown
  // Called for every object the node may point to, now or later, once per object and watcher.
  void watch(Node node, std::function<void(Cell)> seen);
  void watch_offsets(Node node, std::function<void(Cell, int64_t)> seen);  // the same, once per offset

  // Called for each object that the solver makes itself, so that the owner of the numbering can count it.
  std::function<void()> made_block;

  void solve();

  std::vector<Cell> objects(Node node) const;                  // sorted
  std::vector<Cell> contents(Cell object) const;               // sorted: objects that its memory may point to
  std::vector<bool> stored() const;                            // by object: some memory may point to it
  Node representative(Node node) const { return find(node); }  // the same for nodes with equal sets by construction
  Node merge(Node a, Node b);
  struct Target {
    Cell object;
    int64_t offset;
    uint8_t range_step;
  };
  std::vector<Target> targets(Node node) const;  // with offsets, folded
  const Shape& shape(Cell object) const { return objects_[object].shape; }

 private:
  enum class Kind : uint8_t {
    Load,
    Store,
    LoadTable,
    StoreTable,
    Shift,
    Step,
    Index,
    Element,
    ByteRange,
    UnknownOffset,
    CopyTo,
    CopyFrom,
    Watch
  };
  struct Constraint {
    Kind kind;
    Node other;
    int64_t number;
  };
  struct NodeData {
    std::vector<Location> points, fresh;  // in the order of arrival; fresh: not yet propagated
    std::vector<uint64_t> known;          // the same as bits
    std::vector<Node> successors;
    std::vector<Constraint> constraints;
    bool queued = false;
  };
  struct LocationData {
    Cell object;
    int64_t offset;
    uint8_t range_step;  // or kTables: the pointer to a virtual table at this place; no node points to such a location
    Node content;
    Location merged_into;
  };
  struct CopyRange {
    int64_t from, length;
    Cell to_object;
    int64_t to;
    bool operator==(const CopyRange&) const = default;
  };
  struct CopyRangeHash {
    size_t operator()(const CopyRange& range) const {
      uint64_t hash = static_cast<uint64_t>(range.from) * 0x9e3779b97f4a7c15ull;
      for (const uint64_t part : {static_cast<uint64_t>(range.length), static_cast<uint64_t>(range.to_object),
                                  static_cast<uint64_t>(range.to)})
        hash = (hash ^ part ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
      return hash;
    }
  };
  struct ObjectData {
    Shape shape;
    bool constant = false;
    std::vector<Location> locations;
    size_t inside = 0;  // locations in it
    std::vector<CopyRange> copies_from;
    std::unordered_set<CopyRange, CopyRangeHash> known_copies;  // the same, to look up
  };
  struct MemoryCopy {
    Node to, from;
    int64_t length;
    Node tables = kNothing;   // the same for pointers to virtual tables
    Node through = kNothing;  // what flows if the words of neither side are distinguished
    Cell block = kNothing;    // with many pairs: an object of the copy's length that the words pass through
  };
  struct Watcher {
    std::function<void(Cell, int64_t)> seen;
    bool every_offset = false;
    std::vector<uint32_t> done;  // objects, or locations
  };

  static constexpr uint8_t kTables = 255;

  Node find(Node node) const;
  Location find_location(Location location) const;
  void set_period(Cell object, int64_t period);
  Node shifted(Node address, int64_t offset);
  Node content(Location location);
  void apply(const Constraint& constraint, Location location);
  void apply_shift(const Constraint& constraint, Location location);
  void apply_byte_range(const Constraint& constraint, Location location);
  void apply_index(const Constraint& constraint, Location location);
  void add_all(Node node, const std::vector<Location>& locations);
  void add_bits(Node node, const std::vector<uint64_t>& locations);
  Node table_content(Location location);
  static bool learn(NodeData& data, Location location);  // false: it was known
  bool copy_side(size_t number, Location location, bool source);
  bool block_side(size_t number, Location location, bool source);
  void apply_copy(int64_t length, Location to, Location from);
  void add_range(Cell source, const CopyRange& range);
  void apply_range(Cell object, const CopyRange& range);
  void apply_range_at(const CopyRange& range, Location location);
  void constrain(Node node, Constraint constraint);
  void enqueue(Node node);
  void merge_cycles();
  void fold_steps();

  std::vector<NodeData> nodes_;
  mutable std::vector<Node> parents_;
  std::vector<LocationData> locations_;
  std::vector<ObjectData> objects_;
  std::vector<MemoryCopy> copies_;
  std::vector<Watcher> watchers_;
  std::vector<Node> queue_;
  uint64_t steps_ = 0, next_merge_ = 4096;
};

}  // namespace heddle::analysis
