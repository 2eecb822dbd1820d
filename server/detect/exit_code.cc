#include "server/detect/exit_code.h"

#include <map>
#include <set>

#include "server/detect/describe.h"

namespace heddle::detect {
namespace {

using machine::Event;
using machine::Machine;
using machine::OperationKind;

// One of a few values of an unknown input. Questions about inputs that stand for every value have a second word.
bool is_sample(const Event& event) {
  const machine::Operation& operation = event.operation;
  return operation.kind == OperationKind::DataChoice && operation.second.bits == 0 && operation.alternatives > 1;
}

// The instructions that give the slot its value before `end`, along the ways that lead there without a condition.
std::set<uint32_t> definitions(const std::vector<program::Instruction>& code, uint32_t end, program::Slot slot) {
  using program::Opcode;
  std::set<uint32_t> found, seen;
  std::vector<uint32_t> ahead = {end};
  while (!ahead.empty()) {
    uint32_t at = ahead.back();
    ahead.pop_back();
    while (seen.insert(at).second) {
      for (uint32_t n = 0; n < code.size(); ++n)
        if (code[n].op == Opcode::Jump && code[n].dst == at) ahead.push_back(n);
      if (at == 0 || code[at - 1].op == Opcode::Jump || code[at - 1].op == Opcode::Return) break;
      const program::Instruction& before = code[--at];
      if (program::opcode_info(before.op).dst != program::OperandRole::kDef || before.dst != slot) continue;
      found.insert(at);
      break;
    }
  }
  return found;
}

// Of what main returns: the statement that gave it this value, as far as the code shows.
program::CodeAddress returned_at(const program::Program& program, program::CodeAddress end, int code) {
  const auto& instructions = program.function(end.function).code;
  std::vector<uint32_t> constants, others;
  for (const uint32_t n : definitions(instructions, end.index, instructions[end.index].a)) {
    const program::Instruction& i = instructions[n];
    if (i.op != program::Opcode::Const)
      others.push_back(n);
    else if ((i.imm & 0xff) == code)
      constants.push_back(n);
  }
  if (constants.size() == 1) return {end.function, constants.front()};
  return {end.function, constants.empty() && others.size() == 1 ? others.front() : end.index};
}

// The call of exit() by which another thread than `last` gave the process its exit code; none: `last` did.
program::CodeAddress exit_under_way(const Machine& machine, machine::ThreadId last) {
  const machine::ThreadId thread = machine.exiting_thread();
  if (!thread.valid() || thread == last) return {};
  for (const program::CodeAddress at : machine.call_stack(thread)) {  // outwards, through an exit handler that runs
    const std::string_view call = library_call(machine, at);
    if (call == "exit" || call == "quick_exit") return at;
  }
  return {};
}

// What the thread does to end it: "returns 1".
std::string how_it_ends(const Machine& machine, const Event& last, program::CodeAddress at, program::CodeAddress user,
                        bool returns, int code) {
  const std::string number = std::to_string(code);
  if (last.operation.kind != OperationKind::ProcessExit) return "ends last, with exit code " + number;
  if (returns) return "returns " + number;
  const std::string call(library_call(machine, user.function.valid() ? user : at));
  return call.empty() ? "ends the process with " + number : "calls " + call + "(" + number + ")";
}

}  // namespace

bool ends_by_itself(const Machine& machine) {
  if (machine.outcome() == machine::Outcome::Running || machine.discarded() || machine.has_set_aside()) return false;
  if (machine.events().empty()) return false;
  for (const machine::Fault& fault : machine.faults())
    if (fault.kind == machine::FaultKind::DataRace) return false;  // after which everything is allowed
  for (const Event& event : machine.events())
    if (event.failed && has_time_limit(event.operation.kind)) return false;
  return true;
}

std::string inputs_key(const Machine& machine) {
  std::string key;
  std::map<uint32_t, uint32_t> taken;  // by a thread
  for (const Event& event : machine.events()) {
    if (!is_sample(event)) continue;
    const uint32_t thread = event.operation.thread.value;
    key +=
        std::to_string(thread) + "#" + std::to_string(taken[thread]++) + "=" + std::to_string(event.value_read) + ";";
  }
  for (const Machine::InputText& text : machine.input_texts())
    key += text.name + "=" + std::to_string(text.text ? text.text->size() + 1 : 0) + ":" + text.text.value_or("") + ";";
  for (const Machine::InputValue& input : machine.inputs())
    key += std::to_string(input.number) + "=" + std::to_string(input.value) + ";";
  return key;
}

ProcessEnd process_end(const Machine& machine, const Schedule& schedule) {
  ProcessEnd end;
  const Event& last = machine.events().back();
  const program::Program& program = machine.program();
  program::CodeAddress at = last.operation.at, user = last.user;
  machine::ThreadId thread = last.operation.thread;
  bool returns = last.operation.kind == OperationKind::ProcessExit && thread.value == 0 && at.function.valid() &&
                 program.instruction(at).op == program::Opcode::Return;
  end.code = machine.exit_code();
  if (const program::CodeAddress call = exit_under_way(machine, thread); call.function.valid()) {
    at = user = call;
    thread = machine.exiting_thread();
    returns = false;
  }
  end.how = how_it_ends(machine, last, at, user, returns, end.code);
  if (returns && !user.function.valid()) at = returned_at(program, at, end.code);
  end.place = user_place(machine, at, user, thread, end.how);
  end.schedule = schedule;
  if (const program::FunctionId main = program.find_function("main"); main.valid()) {
    const std::string file = program.file_of({main, 0});
    end.function = program.stable_name(main) + " in " + file.substr(file.rfind('/') + 1);
  }
  return end;
}

Finding from_ends(const ProcessEnd& fails, const ProcessEnd& succeeds) {
  Finding finding;
  finding.rule = kExitCodeDiffers;
  finding.schedule = fails.schedule;
  finding.message = fails.place.thread + " " + fails.how + " here; in another interleaving, with the same inputs, " +
                    succeeds.place.thread + " " + succeeds.how;
  finding.places.push_back(fails.place);
  finding.places.push_back(succeeds.place);
  finding.places.back().role = succeeds.how + " in another interleaving";
  finding.id = identity(finding.rule, std::vector<std::string>{fails.function});
  return finding;
}

}  // namespace heddle::detect
