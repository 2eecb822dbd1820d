#include "server/analysis/throws.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "server/library/function.h"
#include "server/library/link_names.h"
#include "server/program/operands.h"

namespace heddle::analysis {

using program::BindingKind;
using program::FunctionId;
using program::Instruction;
using program::Opcode;

namespace {

// pthread_exit and longjmp leave frames like an exception.
bool throws(std::string_view external) {
  const library::Function* const row = library::find_row(external);
  return row != nullptr && row->has(library::Flag::LeavesFrames);
}

// operator new fails for sizes that no memory could hold; a constant is not one.
bool constant_argument(const program::Function& function, const Instruction& call) {
  const auto& arguments = function.calls[static_cast<size_t>(call.imm)].arguments;
  if (arguments.empty()) return false;
  for (const Instruction& i : function.code) {
    bool defines = false;
    program::for_each_definition(function, i, [&](program::Slot first, uint32_t count) {
      defines |= arguments[0].slot >= first && arguments[0].slot < first + count;
    });
    if (defines && i.op != Opcode::Const) return false;
  }
  return arguments[0].slot >= function.parameter_slots;
}

}  // namespace

Throws::Throws(const program::Program& program) : program_(&program), content_(program.content()) {
  const uint32_t count = program.function_count();
  functions_.assign(count, false);
  for (const program::External& external : program.externals()) {
    externals_.push_back(throws(external.name));
    const library::Function* const row = library::find_row(external.name);
    cancels_ |= row != nullptr && row->meaning == library::Meaning::Cancels;
    any_ |= externals_.back() || cancels_;
  }
  if (!any_) return;
  std::vector<std::vector<uint32_t>> callers(count);
  std::vector<uint32_t> work;
  for (uint32_t f = 0; f < count; ++f) {
    for (const Instruction& i : program.function(FunctionId(f)).code) {
      if (!program::is_call(i.op)) continue;
      if (i.op == Opcode::Call) {
        const program::Binding binding = program.binding(FunctionId(f), program::SymbolId(i.a));
        if (binding.kind == BindingKind::Function) callers[binding.id].push_back(f);
      }
      if (!functions_[f] && may_throw(FunctionId(f), i)) {
        functions_[f] = true;
        work.push_back(f);
      }
    }
  }
  while (!work.empty()) {
    const uint32_t f = work.back();
    work.pop_back();
    for (const uint32_t caller : callers[f])
      if (!functions_[caller]) {
        functions_[caller] = true;
        work.push_back(caller);
      }
  }
}

bool Throws::may_throw(FunctionId caller, const Instruction& call) const {
  if (!any_ || !program::is_call(call.op)) return false;
  if (call.op == Opcode::CallIndirect) return true;
  const program::Binding binding = program_->binding(caller, program::SymbolId(call.a));
  if (binding.kind == BindingKind::Function) return functions_[binding.id];
  if (binding.kind != BindingKind::External || binding.id >= externals_.size()) return true;
  if (externals_[binding.id] || cancels_) return true;
  const std::string_view name = program_->externals()[binding.id].name;
  if (library::is_operator_new(name)) return !constant_argument(program_->function(caller), call);
  const library::Function* row = library::find_function(name);
  return row == nullptr || row->effect == library::Effect::CallsBack;
}

bool Throws::raises(FunctionId caller, const Instruction& call) const {
  if (!any_ || call.op != Opcode::Call) return false;
  const program::Binding binding = program_->binding(caller, program::SymbolId(call.a));
  return binding.kind == BindingKind::External && binding.id < externals_.size() && externals_[binding.id];
}

const Throws& Throws::of(const program::Program& program) {
  thread_local std::optional<Throws> latest;
  if (!latest || latest->program_ != &program || latest->content_ != program.content()) latest.emplace(program);
  return *latest;
}

}  // namespace heddle::analysis
