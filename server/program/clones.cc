// Clones of library functions for some callers (Program::with_clones).
#include "server/program/hash.h"
#include "server/program/program.h"

namespace heddle::program {

std::shared_ptr<const Program> Program::with_clones(const std::vector<FunctionId>& callers) const {
  auto program = std::make_shared<Program>(*this);
  Program& p = *program;
  p.first_clone_ = function_count();
  p.clones_.assign(function_count(), FunctionId::none());
  std::vector<FunctionId> work = callers;
  while (!work.empty()) {
    const FunctionId caller = work.back();
    work.pop_back();
    for (const Instruction& i : function(caller).code) {
      if (i.op != Opcode::Call) continue;
      const Binding callee = binding(caller, SymbolId(i.a));
      if (callee.kind != BindingKind::Function || function(FunctionId(callee.id)).in_project) continue;
      FunctionId& clone = p.clones_[callee.id];
      if (clone.valid()) continue;
      clone = FunctionId(p.function_count());
      p.functions_.push_back(functions_[callee.id]);
      p.originals_.push_back(FunctionId(callee.id));
      work.push_back(FunctionId(callee.id));
    }
  }
  Hasher content;
  content.hash(content_);
  for (const FunctionId original : p.originals_) content.number(original.value);
  p.content_ = content.finish();
  p.calls_clones_.assign(p.function_count(), false);
  for (const FunctionId caller : callers) p.calls_clones_[caller.value] = true;
  for (uint32_t f = p.first_clone_; f < p.function_count(); ++f) p.calls_clones_[f] = true;
  return program;
}

Binding Program::with_clone(FunctionId user, Binding found) const {
  if (found.kind != BindingKind::Function || !calls_clones_[user.value]) return found;
  const FunctionId clone = clones_[found.id];
  return clone.valid() ? Binding{BindingKind::Function, clone.value} : found;
}

}  // namespace heddle::program
