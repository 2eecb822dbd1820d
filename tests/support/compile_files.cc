#include "tests/support/compile_files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/program/hash.h"
#include "server/program/serialise.h"

namespace heddle::test {

namespace fs = std::filesystem;

namespace {

void print_errors(const frontend::CompileResult& result) {
  for (const frontend::Diagnostic& d : result.diagnostics)
    if (d.severity == frontend::Severity::Error)
      std::fprintf(stderr, "%s:%u:%u: error: %s\n", d.path.c_str(), d.line, d.column, d.message.c_str());
}

}  // namespace

program::UnitPtr compile_support(frontend::Compiler& compiler, const frontend::SupportModule& module) {
  program::Hasher key;
  key.number(frontend::kLoweringVersion).number(program::kUnitFormat).text(module.text.text);
  for (const std::string& argument : module.command.arguments) key.text(argument);
  const char* folder = std::getenv("HEDDLE_LIBRARY_CACHE");
  const fs::path cached = folder ? fs::path(folder) / (key.finish().hex() + ".unit") : fs::path();
  if (std::ifstream stream(cached); folder && stream) {
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (auto unit = program::read_unit(bytes)) return std::make_shared<const program::Unit>(std::move(*unit));
  }
  const frontend::CompileResult result = compiler.compile(module.command, {module.text});
  print_errors(result);
  if (folder && result.unit) {
    fs::create_directories(folder);
    const fs::path written = cached.string() + "." + std::to_string(getpid());
    std::ofstream(written) << program::write_unit(*result.unit);
    fs::rename(written, cached);
  }
  return result.unit;
}

std::vector<program::UnitPtr> compile_files(const frontend::ProjectRequest& request) {
  const auto found = frontend::find_project(request);
  if (const auto* error = std::get_if<frontend::ProjectError>(&found)) {
    std::fprintf(stderr, "%s\n%s\n", error->message.c_str(), error->remedy.c_str());
    return {};
  }
  frontend::CompileOptions options;
  options.expects_edits = false;
  frontend::Compiler compiler(options);
  std::vector<program::UnitPtr> units;
  std::vector<frontend::CompileCommand> used;
  for (const frontend::CompileCommand& command : std::get<frontend::Project>(found).commands) {
    if (std::find(request.files.begin(), request.files.end(), command.file) == request.files.end()) continue;
    const frontend::CompileResult result = compiler.compile(command, {});
    print_errors(result);
    if (!result.unit) return {};
    units.push_back(result.unit);
    used.push_back(command);
  }
  const auto support = frontend::support_units(
      units, used, [&](const frontend::SupportModule& module) { return compile_support(compiler, module); });
  units.insert(units.end(), support.begin(), support.end());
  return units;
}

}  // namespace heddle::test
