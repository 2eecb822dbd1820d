#include "tests/support/compile_text.h"

#include <map>
#include <stdexcept>

#include "server/frontend/frontend.h"
#include "server/frontend/support.h"
#include "tests/support/compile_files.h"

namespace heddle::test {

namespace {

frontend::Compiler& compiler() {
  static frontend::Compiler compiler = [] {
    frontend::CompileOptions options;
    options.expects_edits = false;
    return frontend::Compiler(options);
  }();
  return compiler;
}

program::UnitPtr compiled(const frontend::CompileCommand& command, const std::string& text) {
  const frontend::CompileResult result = compiler().compile(command, {{command.file, text}});
  if (result.unit) return result.unit;
  std::string message = "does not compile";
  for (const frontend::Diagnostic& d : result.diagnostics)
    message += "\n" + d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message;
  throw std::runtime_error(message);
}

}  // namespace

program::UnitPtr compile_text(const std::string& text, const std::string& path, const std::vector<std::string>& flags) {
  frontend::CompileCommand command;
  command.file = path;
  command.directory = "/";
  command.arguments = {"cc", "-std=gnu17"};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.insert(command.arguments.end(), {"-c", path});
  return compiled(command, text);
}

program::ProgramPtr program_of(const std::string& text) { return program::Program::link({compile_text(text)}); }

program::ProgramPtr program_of(const std::vector<std::string>& texts) {
  std::vector<program::UnitPtr> units;
  for (size_t k = 0; k < texts.size(); ++k)
    units.push_back(compile_text(texts[k], "/heddle-test/test" + std::to_string(k) + ".c"));
  return program::Program::link(std::move(units));
}

program::ProgramPtr program_of_cxx(const std::string& text) {
  frontend::CompileCommand command;
  command.file = "/heddle-test/test.cc";
  command.directory = "/";
  command.arguments = {"c++", "-std=gnu++20", "-c", command.file};
  std::vector<program::UnitPtr> units = {compiled(command, text)};
  // Programs share the library's modules: there is one set of options only.
  static std::map<std::string, program::UnitPtr> modules;
  const auto support = frontend::support_units(units, {command}, [](const frontend::SupportModule& module) {
    const auto [entry, fresh] = modules.try_emplace(module.command.file);
    if (fresh) entry->second = compile_support(compiler(), module);
    return entry->second;
  });
  units.insert(units.end(), support.begin(), support.end());
  return program::Program::link(std::move(units));
}

}  // namespace heddle::test
