// The link.txt files of CMake's Makefiles.
#include <filesystem>
#include <set>

#include "server/disk/read.h"
#include "server/frontend/command/link_step.h"
#include "server/frontend/command/paths.h"
#include "server/frontend/command/targets.h"

namespace heddle::frontend {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kScriptMost = uint64_t{4} << 20;  // bytes

bool is_archiver(const std::string& program) {
  const std::string name = fs::path(program).filename().string();
  return name == "ar" || name.ends_with("-ar") || name.find("llvm-ar") != std::string::npos;
}

// "ar qc libcore.a a.o" and "cc a.o -o app libcore.a".
std::optional<LinkStep> read_script(const std::string& text, const std::string& directory, const std::string& name) {
  LinkStep step;
  step.name = name;
  step.directory = directory;
  const std::vector<std::string> words = split_words(text.substr(0, text.find('\n')));
  if (words.size() < 3) return std::nullopt;
  const bool archive = is_archiver(words[0]);
  if (archive) step.kind = BuildKind::StaticLibrary;
  for (size_t n = archive ? 3 : 1; n < words.size(); ++n) {
    if (words[n] == "-o" && n + 1 < words.size())
      step.output = words[++n];
    else if (words[n] == "-shared")
      step.kind = BuildKind::SharedLibrary;
    else
      step.words.push_back(words[n]);
  }
  if (archive) step.output = words[2];
  if (step.output.empty()) return std::nullopt;
  step.output = absolute_path(step.output, directory);
  return step;
}

}  // namespace

std::optional<LinkSteps> read_link_scripts(const std::string& folder, const std::vector<CompileCommand>& commands) {
  LinkSteps out;
  std::set<std::string> seen;
  for (const auto& [file, folders] : object_folders(commands))
    for (const ObjectFolder& objects : folders) {
      if (!objects.id.ends_with(".dir") || !seen.insert(objects.id).second) continue;
      const std::string path = objects.id + "/link.txt";
      const auto text = disk::read_regular(path, kScriptMost);
      if (!text) continue;
      // The words are relative to the folder that CMakeFiles is in.
      const size_t files = objects.id.rfind("/CMakeFiles/");
      const std::string directory = files == std::string::npos ? folder : objects.id.substr(0, files);
      auto step = read_script(*text, directory, objects.name);
      if (!step) continue;
      out.steps.push_back(std::move(*step));
      out.files.push_back(path);
    }
  if (out.steps.empty()) return std::nullopt;
  return out;
}

}  // namespace heddle::frontend
