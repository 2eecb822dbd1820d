#include "server/frontend/command/compile_command.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace heddle::frontend {
namespace {

bool is_any(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// Options followed by a value of their own that go away with it.
bool drops_two(std::string_view option) {
  return is_any(option, {"-o", "-MF", "-MT", "-MQ", "-MJ", "-mllvm", "-plugin", "-load", "--serialize-diagnostics",
                         "-dependency-file", "-aux-info", "--param", "-gen-cdb-fragment-path"});
}

bool drops_one(std::string_view option) {
  if (is_any(option, {"-c",
                      "-S",
                      "-E",
                      "-M",
                      "-MM",
                      "-MD",
                      "-MMD",
                      "-MP",
                      "-MG",
                      "-pg",
                      "-p",
                      "-save-temps",
                      "--coverage",
                      "-coverage",
                      "-ftest-coverage",
                      "-pipe",
                      "-fsyntax-only",
                      "-emit-llvm",
                      "-pedantic-errors",
                      "-v",
                      "-###",
                      "-s",
                      "-fanalyzer",
                      "-fwhole-program",
                      "-finline-functions"}))
    return true;
  if (option.size() > 2 && starts_with_any(option, {"-o"}) && !option.starts_with("-openmp")) return option[1] == 'o';
  return starts_with_any(option, {"-Werror",
                                  "-fsanitize",
                                  "-fno-sanitize",
                                  "-fprofile",
                                  "-fcoverage",
                                  "-flto",
                                  "-fno-lto",
                                  "-save-temps=",
                                  "-fplugin",
                                  "-fpass-plugin",
                                  "-ftrivial-auto-var-init",
                                  "-MF",
                                  "-MT",
                                  "-MQ",
                                  "-fdiagnostics",
                                  "-fcolor-diagnostics",
                                  "-fstack-protector",
                                  "-finstrument",
                                  "-fxray",
                                  "-ftime-trace",
                                  "-fdump",
                                  "-fmodules",
                                  "-gsplit-dwarf",
                                  "-gz",
                                  "-ggdb",
                                  "-gdwarf",
                                  "-stdlib=",
                                  "-Wa,",
                                  "-Wl,",
                                  "-Wp,-M",
                                  "--param=",
                                  "-MJ",
                                  "--write-",
                                  "-fmax-errors"});
}

bool is_cxx(const CompileCommand& command) {
  const auto ends = [](std::string_view text, std::initializer_list<std::string_view> list) {
    return std::any_of(list.begin(), list.end(), [&](std::string_view suffix) { return text.ends_with(suffix); });
  };
  return ends(command.file, {".cc", ".cpp", ".cxx", ".C", ".c++", ".hpp", ".hh"});
}

// GCC warns where Clang refuses. Of what a command for another compiler says, Clang's word is not the last.
void accept_what_gcc_accepts(const CompileCommand& command, bool cxx, std::vector<std::string>& out) {
  const std::string compiler = command.arguments.empty() ? "" : command.arguments[0];
  if (compiler.substr(compiler.find_last_of('/') + 1).find("clang") != std::string::npos) return;
  constexpr const char* kC[] = {"incompatible-function-pointer-types", "int-conversion",
                                "implicit-function-declaration", "implicit-int", "return-mismatch"};
  constexpr const char* kCxx[] = {"c++11-narrowing", "register", "reserved-user-defined-literal"};
  if (cxx)
    for (const char* name : kCxx) out.push_back(std::string("-Wno-error=") + name);
  else
    for (const char* name : kC) out.push_back(std::string("-Wno-error=") + name);
  if (!cxx) out.push_back("-D__HEDDLE_GCC__=1");
}

// What libstdc++ can check of its preconditions: that a container is not empty, that a pointer is set ... But not an index:
// it would read the size, which another thread may change that adds an element and moves none. Instead a vector says, as
// it does for AddressSanitizer, which part of its memory holds elements. First, so that a command decides itself; none of
// them where it speaks of these checks.
void check_preconditions(const CompileCommand& command, std::vector<std::string>& out) {
  const auto decides = [](const std::string& argument) {
    return argument.find("_GLIBCXX_ASSERTIONS") != std::string::npos ||
           argument.find("_GLIBCXX_DEBUG") != std::string::npos;
  };
  const auto decides_vector = [](const std::string& argument) {
    return argument.find("_GLIBCXX_SANITIZE") != std::string::npos;
  };
  if (std::none_of(command.arguments.begin(), command.arguments.end(), decides_vector))
    out.insert(out.end(), {"-D_GLIBCXX_SANITIZE_STD_ALLOCATOR=1", "-D_GLIBCXX_SANITIZE_VECTOR=1"});
  if (std::any_of(command.arguments.begin(), command.arguments.end(), decides)) return;
  out.insert(out.end(),
             {"-D_GLIBCXX_ASSERTIONS=1", "-D_GLIBCXX_DEBUG_ASSERTIONS_H=1",
              "-D__glibcxx_requires_subscript(n)=", "-D__glibcxx_requires_nonempty()=__glibcxx_assert(!this->empty())",
              "-D__glibcxx_requires_non_empty_range(first,last)=", "-D_GLIBCXX_DEBUG_ASSERT(condition)=",
              "-D_GLIBCXX_DEBUG_PEDASSERT(condition)=", "-D_GLIBCXX_DEBUG_ONLY(statement)="});
}

// From where Clang's own headers are found: from next to this program, if they came with it, else from where they were
// when it was built. Asked before any sandbox.
const std::string kClang = [] {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  const bool has_own = !error && fs::is_directory(prefix / "lib/clang" / HEDDLE_CLANG_VERSION / "include", error);
  return has_own ? (prefix / "bin/clang").string() : std::string(HEDDLE_CLANG);
}();

}  // namespace

std::vector<std::string> effective_arguments(const CompileCommand& command) {
  std::vector<std::string> result;
  const bool cxx = is_cxx(command);
  result.push_back(kClang + (cxx ? "++" : ""));
  if (cxx) check_preconditions(command, result);
  for (size_t n = 1; n < command.arguments.size(); ++n) {
    const std::string& argument = command.arguments[n];
    if (argument == "--") break;  // only the file may follow
    if (drops_two(argument)) {
      ++n;
    } else if (argument == "-Xclang") {
      if (n + 1 < command.arguments.size() &&
          starts_with_any(command.arguments[n + 1], {"-load", "-plugin", "-add-plugin"}))
        n += 3;
      else
        result.push_back(argument);
    } else if (!drops_one(argument)) {
      result.push_back(argument);
    }
  }
  const bool has_standard = std::any_of(result.begin(), result.end(), [](const std::string& a) {
    return a.starts_with("-std=") || a.starts_with("--std") || a == "-ansi";
  });
  if (!has_standard && !cxx) result.push_back("-std=gnu17");
  // The file is named once, after `--`, as its absolute path; what the command calls it goes.
  const auto names_file = [&](const std::string& argument) {
    if (argument.empty() || argument[0] == '-') return false;
    if (argument == command.file) return true;
    const size_t slash = command.file.find_last_of('/');
    const std::string base = slash == std::string::npos ? command.file : command.file.substr(slash + 1);
    return argument == base || argument.ends_with("/" + base);
  };
  std::vector<std::string> kept;
  for (size_t n = 0; n < result.size(); ++n) {
    const bool value =
        n > 0 && is_any(result[n - 1], {"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-x",
                                        "-isysroot", "-imacros", "-target", "-Xclang", "-arch"});
    if (n == 0 || value || !names_file(result[n])) kept.push_back(result[n]);
  }
  // The library's inline forms of its own functions are of no use: they hide calls that we model. Types are described
  // in every unit, for the names of their fields: not only where their constructor or virtual table is.
  for (const char* own :
       {"-O1", "-g", "-gcolumn-info", "-fstandalone-debug", "-fno-builtin", "-fno-finite-loops",
        "-fno-delete-null-pointer-checks", "-U__OPTIMIZE__", "-D__NO_CTYPE", "-U_FORTIFY_SOURCE", "-D_GLIBCXX_TSAN=1",
        "-D__HEDDLE__=1", "-Qunused-arguments", "-fsyntax-only", "-ferror-limit=50", "-fno-color-diagnostics"})
    kept.push_back(own);
  if (cxx) kept.insert(kept.end(), {"-idirafter", std::string(kFrameworkFolder)});
  accept_what_gcc_accepts(command, cxx, kept);
  kept.push_back("--");
  kept.push_back(command.file);
  return kept;
}

}  // namespace heddle::frontend
