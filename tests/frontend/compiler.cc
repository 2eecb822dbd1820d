#include "tests/frontend/compiler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/program/print.h"
#include "server/program/serialise.h"

namespace heddle::frontend {

CompileCommand command_for(const std::string& file, const std::vector<std::string>& flags) {
  CompileCommand command{file, "/", {"cc"}};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.push_back(file);
  return command;
}

CompileResult from_scratch(const CompileCommand& command, const std::vector<Overlay>& overlays) {
  CompileOptions options;
  options.expects_edits = false;
  return Compiler(options).compile(command, overlays);
}

program::UnitPtr unit_of(const std::string& text, const std::vector<std::string>& flags) {
  static Compiler compiler;
  const CompileResult result = compiler.compile(command_for("/test/main.c", flags), {{"/test/main.c", text}});
  for (const Diagnostic& d : result.diagnostics)
    if (d.severity == Severity::Error) ADD_FAILURE() << d.path << ":" << d.line << ": " << d.message;
  if (!result.unit) {
    ADD_FAILURE() << "no unit";
    return std::make_shared<program::Unit>();
  }
  for (const std::string& problem : program::verify(*result.unit))
    ADD_FAILURE() << problem << "\n" << program::print(*result.unit);
  const std::string bytes = program::write_unit(*result.unit);
  const auto read = program::read_unit(bytes);
  EXPECT_TRUE(read && program::write_unit(*read) == bytes);
  return result.unit;
}

const program::Function& function_of(const program::Unit& unit, const std::string& name) {
  for (const program::Function& function : unit.functions)
    if (unit.symbols[function.symbol.value].name == name) return function;
  ADD_FAILURE() << "no function " << name;
  static const program::Function none;
  return none;
}

const program::Global& global_of(const program::Unit& unit, const std::string& name) {
  for (const program::Global& global : unit.globals)
    if (unit.symbols[global.symbol.value].name == name) return global;
  ADD_FAILURE() << "no global " << name;
  static const program::Global none;
  return none;
}

int count_of(const program::Function& function, program::Opcode op) {
  return static_cast<int>(
      std::count_if(function.code.begin(), function.code.end(), [&](const auto& i) { return i.op == op; }));
}

bool has_unsupported(const program::Unit& unit) {
  return std::any_of(unit.functions.begin(), unit.functions.end(),
                     [](const auto& f) { return !f.unsupported.empty(); });
}

}  // namespace heddle::frontend
