#include "server/frontend/command/build_targets.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "server/frontend/command/link_step.h"
#include "server/frontend/command/paths.h"
#include "server/frontend/command/wrapped_names.h"

namespace heddle::frontend {

std::vector<std::string> split_words(std::string_view text) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(llvm::StringRef(text.data(), text.size()), saver, words);
  return {words.begin(), words.end()};
}

namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !error;
}

// Written before the database: the build has changed since.
bool is_older(const std::string& file, const std::string& database) {
  std::error_code error;
  const auto own = fs::last_write_time(file, error);
  if (error) return false;
  const auto other = fs::last_write_time(database, error);
  return !error && own < other;
}

// A folder that is not there cannot be watched.
std::string first_missing(fs::path path) {
  while (path.has_parent_path() && path.parent_path() != path && !exists(path.parent_path().string()))
    path = path.parent_path();
  return path.string();
}

// A path as one types it in a shell.
std::string quoted(const std::string& path) {
  const bool plain = path.find_first_of(" \t'\"\\$&;|<>()*?`") == std::string::npos;
  if (plain) return path;
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string remedy(const std::string& folder) {
  const std::string query = folder + "/.cmake/api/v1/query";
  return "`mkdir -p " + quoted(query) + " && touch " + quoted(query + "/codemodel-v2") + " && cmake " + quoted(folder) +
         "` makes it";
}

// Objects and libraries of the steps' command lines as sources and targets.
class Resolver {
 public:
  Resolver(std::vector<LinkStep> steps, const std::vector<CompileCommand>& commands) : steps_(std::move(steps)) {
    for (const CompileCommand& command : commands) {
      known_.insert(command.file);
      for (const std::string& output : command.outputs) source_of_[output] = command.file;
    }
    name_targets();
    for (size_t n = 0; n < steps_.size(); ++n)
      if (!steps_[n].output.empty()) at_[steps_[n].output] = n;
  }

  std::vector<BuildTarget> run() {
    for (size_t n = 0; n < steps_.size(); ++n) read_words(n);
    for (size_t n = 0; n < steps_.size(); ++n) add_inner(n);
    std::erase_if(targets_, [](const BuildTarget& target) { return target.sources.empty(); });
    std::sort(targets_.begin(), targets_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return std::move(targets_);
  }

 private:
  // Two folders of a build may each have a target of one name: where it is linked distinguishes them.
  void name_targets() {
    std::map<std::string, int> count;
    for (const LinkStep& step : steps_) ++count[step.name];
    std::set<std::string> taken;
    for (const LinkStep& step : steps_) {
      BuildTarget target;
      target.id = count[step.name] > 1 && !step.output.empty() ? step.output : step.name;
      while (!taken.insert(target.id).second) target.id += "+";
      target.name = step.name;
      target.file = fs::path(step.output).filename().string();
      target.kind = step.kind;
      for (const std::string& source : step.sources)
        if (known_.contains(source)) target.sources.push_back(source);
      for (const std::string& source : step.generated)
        if (!exists(source)) target.absent.push_back(source);
      targets_.push_back(std::move(target));
    }
  }

  void read_words(size_t n) {
    BuildTarget& target = targets_[n];
    target.wraps = wrapped_in(steps_[n].words);
    bool whole = false;
    for (const std::string& word : steps_[n].words) {
      if (word.find("--no-whole-archive") != std::string::npos || word.find("--pop-state") != std::string::npos)
        whole = false;
      else if (word.find("--whole-archive") != std::string::npos)
        whole = true;
      target.binds_own = target.binds_own || is_option(word, "-Bsymbolic");
      target.has_version_script = target.has_version_script || is_option(word, "--version-script");
      if (word.starts_with('-')) continue;
      const std::string path = absolute_path(word, steps_[n].directory);
      if (const auto source = source_of_.find(path); source != source_of_.end()) {
        add(target.sources, source->second);
      } else if (const auto library = at_.find(path); library != at_.end() && library->second != n) {
        add(target.links, targets_[library->second].id);
        if (whole) add(target.whole, targets_[library->second].id);
      }
    }
  }

  // Alone, or among those that the compiler hands on: "-Wl,-z,now,-Bsymbolic-functions".
  static bool is_option(const std::string& word, std::string_view option) {
    return word.starts_with(option) || word.find("," + std::string(option)) != std::string::npos;
  }

  // A shared library brings the ones that it is linked with.
  void add_inner(size_t n) {
    std::vector<std::string> work = targets_[n].links;
    while (!work.empty()) {
      const std::string id = std::move(work.back());
      work.pop_back();
      for (const BuildTarget& inner : targets_) {
        if (inner.id != id || inner.kind != BuildKind::SharedLibrary) continue;
        for (const std::string& link : inner.links)
          if (link != targets_[n].id && add(targets_[n].links, link)) work.push_back(link);
      }
    }
  }

  static bool add(std::vector<std::string>& to, const std::string& text) {
    if (std::find(to.begin(), to.end(), text) != to.end()) return false;
    to.push_back(text);
    return true;
  }

  std::vector<LinkStep> steps_;
  std::vector<BuildTarget> targets_;
  std::set<std::string> known_;
  std::map<std::string, std::string> source_of_;  // by path of the object
  std::map<std::string, size_t> at_;              // by path of what is linked
};

// The reply of CMake, if it is there and as new as the database; else a sentence.
std::optional<LinkSteps> current_reply(const std::string& database, const std::string& folder, BuildTargets& out) {
  const std::string index = cmake_reply_index(folder);
  const std::string place = folder + "/.cmake/api/v1/reply";
  out.files.push_back(index.empty() ? place : index);
  if (index.empty() && exists(folder + "/CMakeCache.txt")) {
    out.notes.push_back("CMake's list of targets is not in " + place + ": " + remedy(folder));
  } else if (!index.empty() && is_older(index, database)) {
    out.notes.push_back("CMake's list of targets in " + place + " is older than " + database +
                        " and is not used: " + remedy(folder));
  } else if (!index.empty()) {
    std::string problem;
    if (auto steps = read_cmake_reply(folder, problem)) return steps;
    out.notes.push_back("CMake's list of targets cannot be used (" + problem + "): " + remedy(folder));
  }
  return std::nullopt;
}

}  // namespace

BuildTargets build_targets(const std::string& database, const std::vector<CompileCommand>& commands) {
  BuildTargets out;
  std::error_code error;  // the sources' folder often has a link to the database
  const fs::path real = fs::canonical(database, error);
  const std::string folder = (error ? fs::path(database) : real).parent_path().string();
  std::optional<LinkSteps> steps = current_reply(database, folder, out);
  out.files.push_back(folder + "/build.ninja");
  if (!steps) {
    std::string problem;
    steps = read_ninja_file(folder, problem);
    if (!problem.empty()) out.notes.push_back(problem + ": which objects it links is not known");
  }
  if (!steps) steps = read_link_scripts(folder, commands);
  if (steps) {
    out.files.insert(out.files.end(), steps->files.begin(), steps->files.end());
    out.targets = Resolver(std::move(steps->steps), commands).run();
  }
  std::sort(out.files.begin(), out.files.end());
  out.files.erase(std::unique(out.files.begin(), out.files.end()), out.files.end());
  for (const std::string& file : out.files)
    if (!exists(file)) out.absent.push_back(first_missing(file));
  std::erase_if(out.files, [](const std::string& file) { return !exists(file); });
  return out;
}

bool may_link(const BuildTargets& build, const std::string& program, const std::string& source) {
  const auto has = [&](const BuildTarget& target) {
    return std::find(target.sources.begin(), target.sources.end(), source) != target.sources.end();
  };
  const auto linked = [&](const BuildTarget& target) {
    return std::any_of(build.targets.begin(), build.targets.end(), [&](const BuildTarget& library) {
      return has(library) && std::find(target.links.begin(), target.links.end(), library.id) != target.links.end();
    });
  };
  bool known = false;
  for (const BuildTarget& target : build.targets) {
    if (target.kind != BuildKind::Program || target.name != program) continue;
    known = true;
    if (has(target) || linked(target)) return true;
  }
  return !known;
}

}  // namespace heddle::frontend
