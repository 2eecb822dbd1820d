#include "server/edit/unwritten_reads.h"

#include <algorithm>
#include <map>

#include "server/edit/forward_marks.h"

namespace heddle::edit {
namespace {

constexpr size_t kObjectsMost = 64;  // a bit each

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
  Unwritten(const Facts& facts, const FunctionView& view, const std::vector<ObjectId>& locals)
      : facts_(facts), view_(view), locals_(locals), written_(view.code().code.size(), 0) {
    const auto& code = view.code().code;
    for (uint32_t i = 0; i < code.size(); ++i) {
      if (!view.reachable(i)) continue;
      if (view.effect(i)) note_writes(i);
      if (code[i].op == Opcode::StackAllocate) begins_[i] = code[i].b;
      if (code[i].op != Opcode::LifetimeStart) continue;
      for (const uint32_t d : view.graph().definitions(i, code[i].a))
        if (d != CodeGraph::kParameter && code[d].op == Opcode::StackAllocate) begins_[i] = code[d].b;
    }
  }

  // Loads of the local that are reached while it may be unwritten.
  void add_reads(size_t local, std::vector<uint32_t>& reads) const {
    const uint32_t number = view_.code().code[facts_.objects[whole_of(locals_[local]).value].site.index].b;
    std::vector<MarkKind> marks(written_.size(), MarkKind::None);
    for (uint32_t i = 0; i < marks.size(); ++i)
      if ((written_[i] >> local & 1) != 0) marks[i] = MarkKind::Ends;
    for (const auto& [index, object] : begins_)
      if (object == number) marks[index] = MarkKind::Begins;
    const std::vector<bool> unwritten = may_hold(view_, marks);
    for (uint32_t i = 0; i < marks.size(); ++i)
      if (unwritten[i] && view_.code().code[i].op == Opcode::Load && reads_it(i, locals_[local])) reads.push_back(i);
  }

 private:
  ObjectId whole_of(ObjectId object) const {
    const ObjectId whole = facts_.objects[object.value].whole;
    return whole.valid() ? whole : object;
  }

  void note_writes(uint32_t index) {
    const ObjectSet writes = view_.writes(index);
    for (size_t n = 0; n < locals_.size(); ++n)
      if (writes.contains(locals_[n]) || writes.contains(whole_of(locals_[n]))) written_[index] |= uint64_t{1} << n;
  }

  bool reads_it(uint32_t index, ObjectId object) const {
    const auto& reads = view_.memory(index).reads;
    return std::find(reads.begin(), reads.end(), object) != reads.end();
  }

  const Facts& facts_;
  const FunctionView& view_;
  const std::vector<ObjectId>& locals_;
  std::vector<uint64_t> written_;        // by code index, a bit per local
  std::map<uint32_t, uint32_t> begins_;  // code index -> stack object whose life begins, with nothing written
};

}  // namespace

std::vector<uint32_t> unwritten_reads(const Facts& facts, const FunctionView& view) {
  std::vector<uint32_t> reads;
  const std::vector<ObjectId> locals = read_locals(facts, view);
  if (locals.empty()) return reads;
  const Unwritten unwritten(facts, view, locals);
  for (size_t n = 0; n < locals.size(); ++n) unwritten.add_reads(n, reads);
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

}  // namespace heddle::edit
