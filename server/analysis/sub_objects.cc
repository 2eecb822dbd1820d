#include "server/analysis/sub_objects.h"

#include <algorithm>
#include <map>

#include "server/program/print.h"

namespace heddle::analysis {
namespace {

// Bytes that an access touches: exactly `width` of them from its address, or a range of unknown length.
struct Extent {
  bool exact = false;
  int64_t width = 0;
};

class Splitter {
 public:
  Splitter(const program::Program& program, const Builder& builder, Facts& facts, const LibraryRows& rows)
      : program_(program), builder_(builder), facts_(facts), rows_(rows) {}

  void run() {
    facts_.objects = builder_.objects;
    for (Cell cell : builder_.global_cells) facts_.global_objects.push_back(ObjectId(cell));
    for (const auto& [at, cell] : builder_.site_cells) facts_.site_objects[at] = ObjectId(cell);
    facts_.shapes.resize(builder_.objects.size());
    for (Cell cell = 0; cell < builder_.objects.size(); ++cell) facts_.shapes[cell] = builder_.solver.shape(cell);
    collect();
    split();
    assign();
  }

 private:
  using Interval = std::pair<int64_t, int64_t>;

  Extent extent(const Builder::Access& access) const {
    const Instruction& i = program_.instruction(access.at);
    switch (i.op) {
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::AtomicLoad:
      case Opcode::AtomicStore:
      case Opcode::AtomicUpdate:
      case Opcode::CompareExchange: return {true, std::max<int64_t>(1, (i.width + 7) / 8)};
      case Opcode::Call:
      case Opcode::CallIndirect: {
        auto row = rows_.find(access.at);
        if (row == rows_.end()) return {};
        const int n = static_cast<int>(access.operand);
        const bool object = row->second->effect != library::Effect::Frees &&
                            row->second->effect != library::Effect::Reallocates &&
                            (row->second->object_argument == n || row->second->mutex_argument == n);
        const bool pointer = row->second->stores_at == n ||
                             (row->second->effect == library::Effect::CreatesThread && n == 0) ||
                             (row->second->interaction == InteractionKind::Join && n == 1);
        return object ? Extent{true, 1} : pointer ? Extent{true, 8} : Extent{};
      }
      default: return {};
    }
  }

  // The folded bytes; false: an unknown offset in the object.
  bool place(const PointsTo::Target& target, const Extent& extent, Interval& bytes) const {
    if (!extent.exact || target.offset == kUnknownOffset || (target.range_step && extent.width > target.range_step))
      return false;
    const int64_t begin = fold(facts_.shapes[target.object], target.offset);
    bytes = {begin, begin + extent.width};
    return true;
  }

  void collect() {
    intervals_.resize(builder_.objects.size());
    byte_ranges_.resize(builder_.objects.size());
    whole_.assign(builder_.objects.size(), false);
    for (const Builder::Access& access : builder_.accesses) {
      const Extent bytes = extent(access);
      for (const PointsTo::Target& target : builder_.solver.targets(access.node)) {
        Interval interval;
        if (past_end(facts_.shapes[target.object], target.offset)) continue;
        if (place(target, bytes, interval))
          (target.range_step ? byte_ranges_ : intervals_)[target.object].push_back(interval);
        else if (bytes.exact)
          whole_[target.object] = true;  // somewhere in it
      }
    }
  }

  // A byte range extends to where something wider than its elements begins, if a type separates the members.
  void extend_runs(Cell cell) {
    std::vector<Interval>& list = intervals_[cell];
    const size_t exact = list.size();
    const Shape& shape = facts_.shapes[cell];
    const int64_t last = shape.period > 0 ? shape.period
                         : shape.size > 0 ? static_cast<int64_t>(shape.size)
                                          : INT64_MAX;
    for (const Interval& range : byte_ranges_[cell]) {
      Interval whole{range.first, std::max(range.second, last)};
      for (size_t k = 0; shape.unit && k < exact; ++k)
        if (list[k].first > range.first && list[k].second - list[k].first > range.second - range.first)
          whole.second = std::min(whole.second, std::max(range.second, list[k].first));
      list.push_back(whole);
    }
  }

  void split() {
    facts_.sub_objects.resize(builder_.objects.size());
    for (Cell cell = 0; cell < intervals_.size(); ++cell) {
      extend_runs(cell);
      std::vector<Interval>& list = intervals_[cell];
      const Object& object = builder_.objects[cell];
      if (whole_[cell] || list.empty() || facts_.shapes[cell].period == 1 || object.kind == ObjectKind::Function)
        continue;
      std::sort(list.begin(), list.end());
      std::vector<Interval> merged;
      for (const Interval& interval : list)
        if (!merged.empty() && interval.first < merged.back().second)
          merged.back().second = std::max(merged.back().second, interval.second);
        else
          merged.push_back(interval);
      if (merged.size() < 2) continue;
      for (const Interval& interval : merged) {
        Object sub_object = object;
        sub_object.whole = ObjectId(cell);
        sub_object.name += field(cell, interval);
        facts_.sub_objects[cell].push_back({static_cast<uint64_t>(interval.first),
                                            static_cast<uint64_t>(interval.second),
                                            ObjectId(static_cast<uint32_t>(facts_.objects.size()))});
        facts_.objects.push_back(std::move(sub_object));
      }
    }
  }

  // ".queue.head"; "+8" where no type says more. Elements of arrays have no number: one sub-object stands for all of
  // them.
  std::string field(Cell cell, const Interval& interval) const {
    const Shape& shape = facts_.shapes[cell];
    std::string path;
    if (shape.unit)
      path = program::access_path(*shape.unit, shape.type, static_cast<uint64_t>(interval.first),
                                  static_cast<uint64_t>(interval.second - interval.first));
    std::string text;
    for (size_t k = 0; k < path.size(); ++k) {
      text += path[k];
      if (path[k] == '[') k = path.find(']', k) - 1;
    }
    return text.empty() ? "+" + std::to_string(interval.first) : text;
  }

  void assign() {
    facts_.operand_pointees.reserve(builder_.accesses.size() * 2);
    for (const Builder::Access& access : builder_.accesses) {
      std::vector<ObjectId>& set = facts_.operand_pointees[access.at.bits() * 16 + access.operand];
      const Extent bytes = extent(access);
      const int64_t length = bulk_length(access);
      for (const PointsTo::Target& target : builder_.solver.targets(access.node)) {
        const ObjectId whole(target.object);
        if (past_end(facts_.shapes[target.object], target.offset)) continue;
        const auto& sub_objects = facts_.sub_objects[target.object];
        Interval interval;
        if (sub_objects.empty()) {
          set.push_back(whole);
        } else if (place(target, bytes, interval)) {
          set.push_back(facts_.sub_object_at(whole, static_cast<uint64_t>(interval.first)));
        } else if (length >= 0 && target.offset != kUnknownOffset) {
          for (int64_t k = 0; k < length; ++k)
            add(set, facts_.sub_object_at(whole, static_cast<uint64_t>(target.offset + k)));
          add(set, whole);
        } else {
          for (const Facts::SubObject& sub_object : sub_objects) set.push_back(sub_object.object);
          set.push_back(whole);
        }
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
  }

  static void add(std::vector<ObjectId>& set, ObjectId o) {
    if (set.empty() || set.back() != o) set.push_back(o);
  }

  // Of a copy or set with a small constant length; -1: unknown.
  int64_t bulk_length(const Builder::Access& access) const {
    const Instruction& i = program_.instruction(access.at);
    if (i.op != Opcode::MemoryCopy && i.op != Opcode::MemorySet) return -1;
    const Function& function = program_.function(access.at.function);
    const auto definitions =
        builder_.graphs[access.at.function.value]->definitions(access.at.index, static_cast<Slot>(i.imm));
    if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter ||
        function.code[definitions[0]].op != Opcode::Const)
      return -1;
    const int64_t length = function.code[definitions[0]].imm;
    return length >= 0 && length <= 4096 ? length : -1;
  }

  const program::Program& program_;
  const Builder& builder_;
  Facts& facts_;
  const LibraryRows& rows_;
  std::vector<std::vector<Interval>> intervals_, byte_ranges_;  // of a byte range: its first element
  std::vector<bool> whole_;
};

}  // namespace

void make_sub_objects(const program::Program& program, const Builder& builder, Facts& facts, const LibraryRows& rows) {
  Splitter(program, builder, facts, rows).run();
}

}  // namespace heddle::analysis
