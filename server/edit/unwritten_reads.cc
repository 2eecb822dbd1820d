#include "server/edit/unwritten_reads.h"

#include <algorithm>
#include <map>

namespace heddle::edit {
namespace {

constexpr size_t kObjectsMost = 64;

// Local variables of the function, and parts of them, that are read.
std::vector<ObjectId> read_locals(const Facts& facts, const FunctionView& view) {
  std::vector<ObjectId> found;
  for (uint32_t i = 0; i < view.code().code.size(); ++i) {
    if (view.code().code[i].op != Opcode::Load || !view.reachable(i)) continue;
    for (const ObjectId o : view.memory(i).reads) {
      const analysis::Object& object = facts.objects[o.value];
      if (object.kind == analysis::ObjectKind::Stack && object.site.function == view.id()) unite(found, {o});
    }
  }
  if (found.size() > kObjectsMost) found.resize(kObjectsMost);
  return found;
}

class Unwritten {
 public:
  Unwritten(const Facts& facts, const FunctionView& view) : facts_(facts), view_(view) {
    const auto& code = view.code().code;
    writes_.resize(code.size());
    for (uint32_t i = 0; i < code.size(); ++i) {
      if (!view.reachable(i)) continue;
      writes_[i] = view.writes(i);
      if (code[i].op == Opcode::StackAllocate) begins_[i] = code[i].b;
      if (code[i].op != Opcode::LifetimeStart) continue;
      for (const uint32_t d : view.graph().definitions(i, code[i].a))
        if (d != CodeGraph::kParameter && code[d].op == Opcode::StackAllocate) begins_[i] = code[d].b;
    }
  }

  // Loads of the object that are reached while it may be unwritten.
  void add_reads(ObjectId object, std::vector<uint32_t>& reads) const {
    const ObjectId whole = facts_.objects[object.value].whole.valid() ? facts_.objects[object.value].whole : object;
    const uint32_t number = view_.code().code[facts_.objects[whole.value].site.index].b;
    const auto& blocks = view_.graph().blocks();
    std::vector<uint8_t> at_entry(blocks.size(), 0);
    std::vector<uint32_t> work;
    for (uint32_t b = 0; b < blocks.size(); ++b) work.push_back(b);
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      bool unwritten = at_entry[b] != 0;
      for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
        if (unwritten && view_.code().code[i].op == Opcode::Load && reads_it(i, object)) reads.push_back(i);
        if (writes_[i].contains(object) || writes_[i].contains(whole)) unwritten = false;
        if (const auto begin = begins_.find(i); begin != begins_.end() && begin->second == number) unwritten = true;
      }
      for (const uint32_t s : blocks[b].successors)
        if (unwritten && !at_entry[s]) at_entry[s] = 1, work.push_back(s);
    }
  }

 private:
  bool reads_it(uint32_t index, ObjectId object) const {
    const auto& reads = view_.memory(index).reads;
    return std::find(reads.begin(), reads.end(), object) != reads.end();
  }

  const Facts& facts_;
  const FunctionView& view_;
  std::vector<ObjectSet> writes_;
  std::map<uint32_t, uint32_t> begins_;  // code index -> stack object whose life begins, with nothing written
};

}  // namespace

std::vector<uint32_t> unwritten_reads(const Facts& facts, const FunctionView& view) {
  std::vector<uint32_t> reads;
  const std::vector<ObjectId> locals = read_locals(facts, view);
  if (locals.empty()) return reads;
  const Unwritten unwritten(facts, view);
  for (const ObjectId object : locals) unwritten.add_reads(object, reads);
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

}  // namespace heddle::edit
