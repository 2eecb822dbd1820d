// Prints the unit of a source file: heddle-lower FILE [-- FLAGS]. A tool for developers of the later stages.
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "server/frontend/frontend.h"
#include "server/program/print.h"

int main(int count, char** arguments) {
  using namespace heddle;
  frontend::ProjectRequest request;
  bool flags = false;
  for (int n = 1; n < count; ++n) {
    if (flags)
      request.flags.emplace_back(arguments[n]);
    else if (std::strcmp(arguments[n], "--") == 0)
      flags = true;
    else
      request.files.push_back(std::filesystem::absolute(arguments[n]).lexically_normal().string());
  }
  if (request.files.empty()) {
    std::fprintf(stderr, "usage: heddle-lower FILE... [-- FLAGS]\n");
    return 2;
  }
  const auto found = frontend::find_project(request);
  if (const auto* error = std::get_if<frontend::ProjectError>(&found)) {
    std::fprintf(stderr, "%s\n%s\n", error->message.c_str(), error->remedy.c_str());
    return 2;
  }
  frontend::Compiler compiler;
  int status = 0;
  for (const frontend::CompileCommand& command : std::get<frontend::Project>(found).commands) {
    if (std::find(request.files.begin(), request.files.end(), command.file) == request.files.end()) continue;
    const frontend::CompileResult result = compiler.compile(command, {});
    for (const frontend::Diagnostic& d : result.diagnostics) {
      const char* severity = d.severity == frontend::Severity::Error     ? "error"
                             : d.severity == frontend::Severity::Warning ? "warning"
                                                                         : "note";
      std::fprintf(stderr, "%s:%u:%u: %s: %s\n", d.path.c_str(), d.line, d.column, severity, d.message.c_str());
    }
    if (!result.unit) {
      status = 1;
      continue;
    }
    std::fputs(program::print(*result.unit).c_str(), stdout);
    for (const std::string& problem : program::verify(*result.unit)) {
      std::fprintf(stderr, "unsound unit: %s\n", problem.c_str());
      status = 3;
    }
  }
  return status;
}
