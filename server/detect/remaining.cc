#include "server/detect/remaining.h"

#include <algorithm>
#include <set>

#include "server/program/operands.h"

namespace heddle::detect {

using analysis::Facts;
using analysis::Interaction;
using analysis::InteractionKind;
using machine::CodeAddress;
using machine::Machine;
using machine::OperationKind;
using program::FunctionId;

namespace {

class Walk {
 public:
  Walk(const program::Program& program, const Facts& facts) : program_(program), facts_(facts) {}

  // Everything that may run after the instruction in its function.
  void after(CodeAddress at) {
    const program::Function& function = program_.function(at.function);
    std::vector<bool> seen(function.code.size());
    std::vector<uint32_t> work;
    const auto go = [&](uint32_t to) {
      if (to >= seen.size() || seen[to]) return;
      seen[to] = true;
      work.push_back(to);
    };
    const auto follow = [&](uint32_t from) {
      if (program::is_terminator(function.code[from].op))
        program::for_each_target(function, function.code[from], go);
      else
        go(from + 1);
    };
    follow(at.index);
    while (!work.empty()) {
      const uint32_t n = work.back();
      work.pop_back();
      meet({at.function, n});
      follow(n);
    }
    call_all();
  }

  std::vector<const Interaction*> take() { return std::move(found_); }

 private:
  void meet(CodeAddress at) {
    if (const Interaction* interaction = facts_.interaction(at))
      if (std::find(found_.begin(), found_.end(), interaction) == found_.end()) found_.push_back(interaction);
    const auto callees = facts_.callees.find(at);
    if (callees == facts_.callees.end()) return;
    for (const FunctionId callee : callees->second)
      if (called_.insert(callee.value).second) to_call_.push_back(callee);
  }

  void call_all() {
    while (!to_call_.empty()) {
      const FunctionId function = to_call_.back();
      to_call_.pop_back();
      for (uint32_t n = 0; n < program_.function(function).code.size(); ++n) meet({function, n});
    }
  }

  const program::Program& program_;
  const Facts& facts_;
  std::vector<const Interaction*> found_;
  std::set<uint32_t> called_;
  std::vector<FunctionId> to_call_;
};

bool releases(InteractionKind kind, const machine::Operation& operation) {
  if (operation.spinning)
    return kind == InteractionKind::Write || kind == InteractionKind::Update || kind == InteractionKind::AtomicWrite ||
           kind == InteractionKind::AtomicUpdate || kind == InteractionKind::Unlock;
  switch (operation.kind) {
    case OperationKind::Wake: return kind == InteractionKind::Signal;
    case OperationKind::SemaphoreWait: return kind == InteractionKind::SemaphorePost;
    case OperationKind::BarrierLeave: return kind == InteractionKind::Barrier;
    case OperationKind::FutexReturn:
      return kind == InteractionKind::AtomicWrite || kind == InteractionKind::AtomicUpdate;
    default: return false;
  }
}

}  // namespace

std::vector<const Interaction*> remaining_interactions(const Machine& machine, machine::ThreadId thread) {
  const Facts* const facts = machine.facts();
  if (facts == nullptr) return {};
  Walk walk(machine.program(), *facts);
  for (const CodeAddress at : machine.call_stack(thread))
    if (at.function.valid() && at.index < machine.program().function(at.function).code.size()) walk.after(at);
  return walk.take();
}

bool may_release(const Machine& machine, const std::vector<const Interaction*>& remaining,
                 const machine::Operation& operation) {
  std::vector<analysis::ObjectId> objects;
  const auto add = [&](machine::Pointer at) {
    if (const analysis::ObjectId object = machine.static_object(at); object.valid()) objects.push_back(object);
  };
  add(operation.object);
  if (operation.spinning)
    for (const machine::Pointer at : machine.waits_for(operation.thread)) add(at);
  return std::any_of(remaining.begin(), remaining.end(), [&](const Interaction* interaction) {
    return releases(interaction->kind, operation) &&
           std::any_of(objects.begin(), objects.end(), [&](analysis::ObjectId object) {
             return std::binary_search(interaction->objects.begin(), interaction->objects.end(), object);
           });
  });
}

}  // namespace heddle::detect
