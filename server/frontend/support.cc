#include "server/frontend/support.h"

#include <algorithm>

#include "server/library/modules.h"
#include "server/program/select.h"

namespace heddle::frontend {
namespace {

// Only options that choose the toolchain or the library's binary interface matter: as the real library, ours is the
// same for every language mode.
CompileCommand support_command(const CompileCommand& user, const std::string& file) {
  CompileCommand made;
  made.file = file;
  made.directory = "/";
  made.arguments = {"c++", "-std=gnu++20", "-w"};
  for (size_t n = 1; n < user.arguments.size(); ++n) {
    const std::string& argument = user.arguments[n];
    if (argument.starts_with("--gcc-toolchain") || argument.starts_with("--gcc-install-dir") ||
        argument.starts_with("--sysroot=") || argument.starts_with("-D_GLIBCXX_USE_CXX11_ABI"))
      made.arguments.push_back(argument);
    if ((argument == "-isysroot" || argument == "--sysroot") && n + 1 < user.arguments.size())
      made.arguments.insert(made.arguments.end(), {argument, user.arguments[n + 1]});
  }
  made.arguments.push_back(file);
  return made;
}

SupportModule support_module(const std::string& name, const CompileCommand& user) {
  const auto& texts = support_texts();
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text.module == name; });
  const std::string file = std::string(program::kLibraryFolder) + name + ".cc";
  SupportModule made{support_command(user, file), {file, ""}};
  for (const auto& [part, text] : found->files)  // 3: a system header
    made.text.text += "# 1 \"" + std::string(program::kLibraryFolder) + part + "\" 3\n" + text + "\n";
  return made;
}

}  // namespace

std::vector<program::UnitPtr> support_units(const std::vector<program::UnitPtr>& units,
                                            const std::vector<CompileCommand>& commands,
                                            const CompileSupport& compile) {
  std::vector<program::UnitPtr> all = units;
  std::vector<program::UnitPtr> result;
  const auto add = [&](const std::string& module) {
    // The units of one program share a toolchain; that of the first one counts.
    const program::UnitPtr library = compile(support_module(module, commands.front()));
    const program::UnitPtr needed = library ? program::select_needed(*library, all) : nullptr;
    if (!needed) return;
    all.push_back(needed);
    result.push_back(needed);
  };
  if (commands.empty()) return result;
  for (const std::string_view module : library::needed_modules(program::undefined_names(units)))
    add(std::string(module));
  return result;
}

}  // namespace heddle::frontend
