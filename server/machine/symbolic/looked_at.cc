#include "server/machine/symbolic/looked_at.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "server/library/function.h"
#include "server/machine/code/image.h"
#include "server/program/operands.h"
#include "server/program/select.h"

namespace heddle::machine {
namespace {

using program::BindingKind;
using program::FunctionId;
using program::GlobalId;

// Is one of the function's first slots read before it gets another value, in the order of the code?
bool uses_parameter(const program::Function& function, program::Slot parameter) {
  if (parameter >= function.parameter_slots) return false;
  bool is_other = false, used = false;
  for (size_t n = 0; n < function.code.size() && !is_other; ++n) {
    program::for_each_use(function, function.code[n], [&](program::Slot first, uint32_t count) {
      used |= first <= parameter && parameter < first + count;
    });
    program::for_each_definition(function, function.code[n], [&](program::Slot first, uint32_t count) {
      is_other |= first <= parameter && parameter < first + count;
    });
  }
  return used;
}

// The undefined names that code of some thread names, and those in the values of variables.
class Names {
 public:
  explicit Names(const Image& image) : program_(*image.program) {
    for (uint32_t f = 0; f < program_.function_count(); ++f)
      if (!image.facts->roles_of[f].empty()) look_at(FunctionId(f));
    for (uint32_t g = 0; g < program_.global_count(); ++g)
      for (const program::Relocation& relocation : program_.global(GlobalId(g)).relocations)
        add(program_.binding(program_.unit_of(GlobalId(g)), relocation.symbol));
  }
  const std::set<uint32_t>& all() const { return all_; }

 private:
  void look_at(FunctionId id) {
    for (const program::Instruction& i : program_.function(id).code)
      if (i.op == program::Opcode::Call || i.op == program::Opcode::SymbolAddress)
        add(program_.named(id, program::SymbolId(i.a)));
  }
  void add(program::Binding binding) {
    if (binding.kind == BindingKind::External && binding.id < program_.externals().size()) all_.insert(binding.id);
  }

  const program::Program& program_;
  std::set<uint32_t> all_;
};

bool contains_one_of(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

void look_at_name(std::string_view name, LookedAt& out) {
  const std::string_view variable = library::variable_of(name);
  out.environment |= variable == "environ";
  out.standard_input |= variable == "stdin" || contains_one_of(name, {"scanf", "poll", "select", "ioctl", "isatty"});
  const library::Function* const row = library::find_function(name);
  if (row == nullptr) return;
  const bool contents = (row->hidden.reads & library::kContents) != 0;
  out.standard_input |= contents || (row->variables.reads & library::kStdin) != 0;
  out.files |= contents || (row->hidden.reads & library::kNames) != 0;
  out.environment |= row->meaning == library::Meaning::GetsEnvironment ||
                     (row->variables.reads & library::kEnviron) != 0 ||
                     (row->hidden.reads & library::kEnvironment) != 0;
}

}  // namespace

LookedAt looked_at(const Image& image) {
  if (image.facts == nullptr || image.main_function == FunctionId::kNone) return {};
  LookedAt out{false, false, false, false};
  const program::Program& program = *image.program;
  const program::Function& main = program.function(FunctionId(image.main_function));
  out.arguments = uses_parameter(main, 1);
  out.environment = uses_parameter(main, 2);
  for (const uint32_t constructor : image.constructors) {  // they are given the same
    out.arguments |= program.function(FunctionId(constructor)).parameter_slots > 1;
    out.environment |= program.function(FunctionId(constructor)).parameter_slots > 2;
  }
  const Names names(image);
  for (const uint32_t external : names.all()) look_at_name(program.externals()[external].name, out);
  return out;
}

}  // namespace heddle::machine
