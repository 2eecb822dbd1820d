#include "server/detect/library_waits.h"

#include <algorithm>

#include "server/detect/cycles.h"
#include "server/detect/describe.h"
#include "server/library/link_names.h"
#include "server/library/modules.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::ThreadId;
using program::CodeAddress;

namespace {

bool in_project(const program::Program& program, CodeAddress at) {
  return at.function.valid() && at.function.value < program.function_count() &&
         program.function(at.function).in_project;
}

// "std::atomic<long>::wait" -> "std::atomic::wait".
std::string without_arguments(const std::string& name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    depth += c == '<' ? 1 : 0;
    if (depth == 0) result += c;
    depth -= c == '>' ? 1 : 0;
  }
  return result;
}

// The classes that people name, by those that do their work.
std::string public_class(const std::string& name) {
  if (name == "std::__atomic_base" || name == "std::__atomic_float") return "std::atomic";
  if (name == "std::__basic_future") return "std::future";
  return name;
}

bool is_futex(OperationKind kind) {
  return kind == OperationKind::FutexWait || kind == OperationKind::FutexReturn || kind == OperationKind::FutexWake;
}

}  // namespace

CodeAddress project_call(const Machine& machine, ThreadId thread, CodeAddress at) {
  const program::Program& program = machine.program();
  if (in_project(program, at)) return {};
  const std::vector<CodeAddress> stack = machine.call_stack(thread);
  const auto call = std::find_if(stack.begin(), stack.end(), [&](CodeAddress n) { return in_project(program, n); });
  return call == stack.end() ? CodeAddress{} : *call;
}

bool sleeps_at_free_semaphore(const Machine& machine, ThreadId thread, const Operation& operation) {
  if (operation.kind != OperationKind::FutexReturn) return false;
  const auto stack = machine.call_stack(thread);
  const bool acquires = std::any_of(stack.begin(), stack.end(), [&](CodeAddress at) {
    return at.function.valid() && at.function.value < machine.program().function_count() &&
           machine.program().stable_name(at.function) == library::kSemaphoreAcquire;
  });
  if (!acquires) return false;
  const auto& events = machine.events();
  for (size_t n = events.size(); n-- > 0;) {
    const Event& event = events[n];
    if (event.operation.kind == OperationKind::AtomicUpdate && event.operation.object == operation.object)
      return event.value_written != 0;
  }
  return false;
}

bool serves_descriptors(const program::Program& program, CodeAddress at) {
  if (!at.function.valid() || at.function.value >= program.function_count() || in_project(program, at)) return false;
  return library::serves_descriptors(program.file_of(at));
}

DescriptorWait descriptor_wait(const Machine& machine, ThreadId thread, const Operation& operation) {
  DescriptorWait result;
  const program::Program& program = machine.program();
  const std::vector<CodeAddress> outwards = machine.call_stack(thread);
  for (size_t n = 1; n < outwards.size() && result.function.empty(); ++n) {
    const program::FunctionId inside = outwards[n - 1].function;
    if (!inside.valid() || !in_project(program, outwards[n])) continue;
    if (!serves_descriptors(program, outwards[n - 1])) return result;
    result.by = outwards[n];
    result.function = function_name(program, inside);
  }
  const std::string name = machine.name_of(operation.object, 1);
  if (const size_t at = name.find('@'); at != std::string::npos && !operation.spinning)
    result.made_at = name.substr(at + 1, name.find_first_of("+#{", at) - at - 1);
  return result;
}

bool serves_others_only(const program::Program& program) {
  return program.find_function("listen").valid() && !program.find_function("connect").valid();
}

bool waits_for_clients(Machine& machine) { return machine.all_clients_came() && wait_for_client(machine); }

std::optional<Operation> wait_for_client(Machine& machine) {
  constexpr std::string_view kWaits[] = {"accept", "accept4", "poll",       "ppoll",
                                         "select", "pselect", "epoll_wait", "epoll_pwait"};
  if (!lock_cycles(machine).empty()) return std::nullopt;
  const program::Program& program = machine.program();
  for (uint32_t id = 0; id < machine.thread_count(); ++id) {
    if (machine.status(ThreadId(id)) == machine::ThreadStatus::Ended) continue;
    const std::vector<CodeAddress> outwards = machine.call_stack(ThreadId(id));
    for (size_t n = 1; n < outwards.size(); ++n) {
      const program::FunctionId inside = outwards[n - 1].function;
      if (!inside.valid() || !in_project(program, outwards[n]) || program.function(inside).in_project) continue;
      if (std::find(std::begin(kWaits), std::end(kWaits), function_name(program, inside)) != std::end(kWaits))
        return machine.pending(ThreadId(id));
      break;
    }
  }
  return std::nullopt;
}

FutexCall futex_call(const Machine& machine, ThreadId thread, const Operation& operation) {
  if (!is_futex(operation.kind)) return {};
  const program::Program& program = machine.program();
  const std::vector<CodeAddress> outwards = machine.call_stack(thread);
  const auto call =
      std::find_if(outwards.begin(), outwards.end(), [&](CodeAddress at) { return in_project(program, at); });
  if (call == outwards.begin() || call == outwards.end()) return {};
  const size_t depth = static_cast<size_t>(call - outwards.begin()) - 1;
  const program::FunctionId inside = outwards[depth].function;
  const std::string name = without_arguments(function_name(program, inside));
  const size_t split = name.rfind("::");
  if (!name.starts_with("std::") || split < 5) return {};
  FutexCall result;
  result.by = *call;
  result.kind = public_class(name.substr(0, split));
  const std::string member = name.substr(split + 2);
  // What std::future::get() returns by reference to memory of the caller comes before `this`.
  const bool result_comes_first = member == "get" && program.function(inside).parameter_slots > 1;
  const Pointer object{machine.argument(thread, depth, result_comes_first ? 1 : 0)};
  const bool known = object.bits >> 32 != 0 && machine.is_address(object);
  const std::string called = known ? quoted(machine.name_of(object, 1)) : "";
  result.object = result.kind + (known ? " " + called : "");
  result.text = "in " + result.kind + "::" + member + "()" + (known ? " on " + called : "");
  if (result.kind == "std::barrier") result.text = "at " + result.object;
  return result;
}

}  // namespace heddle::detect
