#include "server/frontend/flags.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/Utils.h>

#include "server/frontend/command/compile_command.h"
#include "server/frontend/compiler_state.h"
#include "server/frontend/reuse/harmless.h"

namespace heddle::frontend {

std::string unknown_flag(const CompileCommand& command) {
  if (std::string objection = configuration_objection(command.arguments); !objection.empty()) return objection;
  const std::vector<std::string> arguments = effective_arguments(command);
  std::vector<const char*> raw;
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  Collector collector;
  clang::CreateInvocationOptions options;
  options.Diags =
      clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &collector, /*ShouldOwnClient=*/false);
  options.VFS = driver_view(llvm::vfs::getRealFileSystem());
  options.RecoverOnError = true;
  clang::createInvocation(raw, options);
  for (const Diagnostic& found : collector.found)
    if (found.severity == Severity::Error && !found.message.starts_with("no such file")) return found.message;
  return "";
}

}  // namespace heddle::frontend
