#include "tests/support/compile_text.h"

#include <filesystem>
#include <stdexcept>

#include "server/frontend/frontend.h"

namespace heddle::test {

program::UnitPtr compile_text(const std::string& text, const std::string& path, const std::vector<std::string>& flags) {
  static frontend::Compiler compiler;
  frontend::CompileCommand command;
  command.file = path;
  command.directory = "/";
  command.arguments = {"cc", "-std=gnu17"};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.insert(command.arguments.end(), {"-c", path});
  const frontend::CompileResult result = compiler.compile(command, {{path, text}});
  if (result.unit) return result.unit;
  std::string message = "does not compile";
  for (const frontend::Diagnostic& d : result.diagnostics)
    message += "\n" + d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message;
  throw std::runtime_error(message);
}

program::ProgramPtr program_of(const std::string& text) { return program::Program::link({compile_text(text)}); }

program::ProgramPtr program_of(const std::vector<std::string>& texts) {
  std::vector<program::UnitPtr> units;
  for (size_t k = 0; k < texts.size(); ++k)
    units.push_back(compile_text(texts[k], "/heddle-test/test" + std::to_string(k) + ".c"));
  return program::Program::link(std::move(units));
}

}  // namespace heddle::test
