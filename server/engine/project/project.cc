#include "server/engine/project/project.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "server/disk/utf8_name.h"
#include "server/engine/project/framework_notes.h"
#include "server/frontend/command/clangd_file.h"
#include "server/frontend/command/framework_note.h"

namespace heddle::engine {

namespace {

constexpr size_t kProjectsMax = 16;
constexpr uint64_t kBlobBytesMax = uint64_t{512} << 20;

// The symbolic links on the way to a file, and on theirs: another one in the place of any leads elsewhere.
// `seen`: paths that were looked at.
void add_links(const std::string& path, std::set<std::string>& seen, std::set<std::string>& out) {
  namespace fs = std::filesystem;
  constexpr int kDepthMax = 40;  // as Linux has it
  std::vector<fs::path> open = {path};
  for (int depth = 0; depth < kDepthMax && !open.empty(); ++depth) {
    const fs::path next = open.back();
    open.pop_back();
    fs::path at;
    for (auto part = next.begin(); part != next.end(); ++part) {
      at /= *part;
      if (!seen.insert(at.string()).second) continue;
      std::error_code error;
      if (!fs::is_symlink(fs::symlink_status(at, error))) continue;
      if (!out.insert(at.lexically_normal().string()).second) continue;
      const fs::path to = fs::read_symlink(at, error);
      if (!error) open.push_back(to.is_absolute() ? to : at.parent_path() / to);
    }
  }
}

// What cannot be said by its own name is read after the one that stands for it: the compiler knows the name only.
void add_texts_of_other_names(const std::vector<frontend::CompileCommand>& commands,
                              std::vector<frontend::Overlay>& overlays) {
  for (const frontend::CompileCommand& command : commands) {
    const std::string& name = command.file;
    if (disk::file_of_name(name) == name) continue;
    const bool given =
        std::any_of(overlays.begin(), overlays.end(), [&](const auto& overlay) { return overlay.path == name; });
    std::optional<std::string> text = given ? std::nullopt : read_file(name);
    if (text) overlays.push_back({name, std::move(*text)});
  }
}

// The text with the paths in it that begin with the root's.
std::string from_root(std::string text, const std::string& root) {
  const std::string folder = root + "/";
  for (size_t at = text.find(folder); at != text.npos; at = text.find(folder, at))
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(')
      text.erase(at, folder.size());
    else
      ++at;
  return text;
}

// What the compiles of its units said of test frameworks, with places from the root.
void report_frameworks(const std::vector<CompiledUnitPtr>& compiled, const std::string& root,
                       frontend::TargetSet& targets) {
  for (const CompiledUnitPtr& one : compiled)
    for (const frontend::Diagnostic& diagnostic : one->diagnostics) {
      if (!diagnostic.message.starts_with(frontend::kFrameworkNote)) continue;
      const std::string note = from_root(diagnostic.message, root);
      const auto is_it = [&](const program::UnitPtr& unit) { return unit->path == one->file; };
      for (frontend::Target& target : targets.targets)
        if (std::any_of(target.units.begin(), target.units.end(), is_it)) target.notes.push_back(note);
      const auto unlinked = targets.unlinked.find(one->file);
      if (unlinked != targets.unlinked.end()) unlinked->second += "; " + note;
    }
}

// Where the commands may come from once these files are there, up to the project's root.
std::vector<std::string> command_files(const frontend::Project& description) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  if (description.commands.empty() || description.source == frontend::CommandSource::Given) return out;
  const fs::path root = description.root;
  for (fs::path at = fs::path(description.commands[0].file).parent_path();; at = at.parent_path()) {
    for (const char* name :
         {"compile_commands.json", "compile_flags.txt", "build/compile_commands.json", frontend::kClangdFile})
      out.push_back((at / name).string());
    // A folder that is not there cannot be watched.
    if (std::error_code error; !fs::is_directory(at / "build", error)) out.push_back((at / "build").string());
    if (at == root || at == at.parent_path()) break;
  }
  if (description.source == frontend::CommandSource::FlagsFile)
    out.push_back(description.commands[0].directory + "/compile_flags.txt");
  return out;
}

// Makes the cache folder again if it was removed meanwhile.
void restore(CacheFolder& cache, const frontend::Project& description) {
  std::error_code error;
  if (cache.path().empty() || std::filesystem::exists(cache.path(), error)) return;
  CacheFolder again(folder_of(description), cache_kind(description));
  if (again.path() == cache.path()) cache = std::move(again);
}

}  // namespace

bool is_framework_note(const std::string& assumption) { return assumption.starts_with(frontend::kFrameworkNote); }

CacheFolder::Of cache_kind(const frontend::Project& description) {
  const bool lone = description.database.empty() && description.source != frontend::CommandSource::FlagsFile;
  return lone ? CacheFolder::Of::LoneFiles : CacheFolder::Of::Project;
}

std::string folder_of(const frontend::Project& description) {
  return description.database.empty() ? description.root
                                      : std::filesystem::path(description.database).parent_path().string();
}

program::UnitPtr Project::known_unit(const std::string& file) {
  if (program::UnitPtr unit = units_.last_good(file)) return unit;
  program::UnitPtr found;
  ledger_.for_each(Table::Book, [&](const std::string&, const std::string& value) {
    v1::Book book;
    if (found || !book.ParseFromString(value)) return;
    for (const v1::UnitReference& reference : book.last().units())
      if (!found && reference.path() == file) found = units_.load(reference);
  });
  return found;
}

Loaded Project::load(std::vector<frontend::Overlay> overlays, const std::function<void(const std::string&)>& compiling,
                     const Interrupt& interrupt) {
  add_texts_of_other_names(description_.commands, overlays);
  files_.begin_check(std::move(overlays));
  restore(cache_, description_);
  ledger_.begin_check();
  Loaded out;
  std::vector<program::UnitPtr> units;
  // A question that arrives meanwhile may look the project up again, and with it its commands.
  std::vector<frontend::CompileCommand> commands = description_.commands;
  for (const std::string& model : models_)
    if (std::none_of(commands.begin(), commands.end(), [&](const auto& c) { return c.file == model; }))
      commands.push_back({model, std::filesystem::path(model).parent_path().string(), {"cc", model}});
  std::erase_if(commands, [&](const auto& command) { return files_.is_absent(command.file); });
  auto compiled_units = units_.get(commands, files_, compiling, interrupt.requested);
  if (!compiled_units) {
    out.interrupted = true;
    return out;
  }
  out.units = std::move(*compiled_units);
  for (const CompiledUnitPtr& compiled : out.units) {
    if (compiled->unit) {
      units.push_back(compiled->unit);
      continue;
    }
    out.failed.push_back(compiled);
    if (program::UnitPtr old = known_unit(compiled->file))
      units.push_back(old);
    else
      out.unknown_failed.push_back(compiled->file);
  }
  out.targets = find_targets(units, compiling, out.units);
  report_frameworks(out.units, description_.root, out.targets);
  for (frontend::Target& target : out.targets.targets) add_library(target, compiling);
  return out;
}

std::vector<CompiledUnitPtr> Project::compile_failures(const std::vector<std::string>& files) {
  std::vector<frontend::CompileCommand> commands = description_.commands;
  std::erase_if(commands, [&](const frontend::CompileCommand& command) {
    return std::find(files.begin(), files.end(), command.file) == files.end();
  });
  std::vector<frontend::Overlay> texts;
  add_texts_of_other_names(commands, texts);
  files_.begin_check(std::move(texts));
  std::vector<CompiledUnitPtr> out;
  const auto units = units_.get(commands, files_, [](const std::string&) {}, [] { return false; });
  for (const CompiledUnitPtr& unit : units.value_or(std::vector<CompiledUnitPtr>{}))
    if (!unit->unit && !unit->missing) out.push_back(unit);
  return out;
}

void Project::use_own_objects(frontend::Target& target, const std::function<void(const std::string&)>& compiling,
                              std::vector<CompiledUnitPtr>& compiled) {
  for (program::UnitPtr& unit : target.units) {
    const auto group = target.groups.find(unit->path);
    if (group == target.groups.end()) continue;
    const std::vector<frontend::CompileCommand>& variants = description_.variants.at(unit->path);
    const auto own = std::find_if(variants.begin(), variants.end(), [&](const frontend::CompileCommand& command) {
      const std::vector<std::string> groups = frontend::groups_of(command);
      return std::find(groups.begin(), groups.end(), group->second) != groups.end();
    });
    if (own == variants.begin()) continue;  // it is compiled with that one
    const std::string of = " for '" + group->second + "'";
    if (own == variants.end()) {
      target.left_out.push_back(unit->path + " has several compile commands, and which of them makes the object" + of +
                                " is not known: it was checked with the first one");
      continue;
    }
    const auto made = units_.get({*own}, files_, compiling, [] { return false; });
    if (made && made->front()->unit) {
      compiled.push_back(made->front());
      unit = made->front()->unit;
      continue;
    }
    target.left_out.push_back(unit->path + " does not compile" + of +
                              ": it was checked with its first compile command");
  }
}

frontend::TargetSet Project::find_targets(const std::vector<program::UnitPtr>& units,
                                          const std::function<void(const std::string&)>& compiling,
                                          std::vector<CompiledUnitPtr>& compiled) {
  std::set<std::string> with_variants;
  for (const auto& [file, commands] : description_.variants) with_variants.insert(file);
  frontend::TargetSet found = frontend::find_targets(own_names_.give(units, description_.build.targets),
                                                     description_.root, frontend::object_folders(description_.commands),
                                                     description_.build.targets, with_variants);
  own_names_.add_notes(found);
  for (frontend::Target& target : found.targets) use_own_objects(target, compiling, compiled);
  wrapped_names_.bind(found);
  sections_.gather(found);
  cases_.replace_programs(found);
  return found;
}

void Project::add_library(frontend::Target& target, const std::function<void(const std::string&)>& compiling) {
  std::vector<frontend::CompileCommand> used;
  for (const program::UnitPtr& unit : target.units)
    for (const frontend::CompileCommand& command : description_.commands)
      if (command.file == unit->path) used.push_back(command);
  const auto library = frontend::support_units(target.units, used, [&](const frontend::SupportModule& module) {
    return units_.support(module, files_, compiling);
  });
  for (const program::UnitPtr& unit : library) target.units.push_back(units_.shared(unit));
}

VersionPtr Project::version_of(const v1::VersionRecord& record) {
  std::vector<program::UnitPtr> units;
  for (const v1::UnitReference& reference : record.units()) {
    units.push_back(units_.load(reference));
    if (!units.back()) return nullptr;
  }
  return units.empty() ? nullptr : versions_.get(units);
}

v1::VersionRecord Project::record_of(Version& version) {
  v1::VersionRecord out;
  out.set_content(version.program()->content().hex());
  for (const program::UnitPtr& unit : version.units()) *out.add_units() = units_.reference(unit);
  return out;
}

std::vector<std::string> Project::watched_files(const Loaded& loaded) const {
  std::set<std::string> files, seen;
  for (const CompiledUnitPtr& unit : loaded.units) {
    files.insert(unit->file);
    add_links(unit->file, seen, files);
    for (const frontend::Dependency& dependency : unit->dependencies)
      if (!dependency.system) {
        files.insert(dependency.path);
        add_links(dependency.path, seen, files);
      }
  }
  if (!description_.database.empty()) {
    files.insert(description_.database);
    add_links(description_.database, seen, files);
  }
  for (const std::string& file : command_files(description_))
    if (std::error_code error; std::filesystem::exists(file, error)) files.insert(file);
  files.insert(description_.build.files.begin(), description_.build.files.end());
  return {files.begin(), files.end()};
}

std::vector<std::string> Project::watched_absences(const Loaded& loaded) const {
  std::set<std::string> files;
  for (const CompiledUnitPtr& unit : loaded.units)
    for (const frontend::Absent& absent : unit->absent)
      for (const frontend::FolderState& folder : absent.folders) {
        if (folder.path.starts_with("/usr/")) continue;
        for (const std::string& name : absent.names)
          if (!name.ends_with('/')) files.insert((folder.path == "/" ? "" : folder.path) + "/" + name);
      }
  for (const std::string& file : command_files(description_))
    if (std::error_code error; !std::filesystem::exists(file, error)) files.insert(file);
  files.insert(description_.build.absent.begin(), description_.build.absent.end());
  return {files.begin(), files.end()};
}

void Project::tidy() {
  std::vector<program::Hash> keep;
  const auto keep_units = [&](const v1::VersionRecord& record) {
    for (const v1::UnitReference& unit : record.units())
      if (const auto name = program::Hash::from_hex(unit.blob())) keep.push_back(*name);
  };
  const bool whole = ledger_.for_each(Table::Book, [&](const std::string&, const std::string& value) {
    v1::Book book;
    if (!book.ParseFromString(value)) return;
    keep_units(book.base());
    keep_units(book.clean());
    keep_units(book.assumed());
    for (const v1::VersionRecord& earlier : book.earlier()) keep_units(earlier);
    keep_units(book.last());
  });
  if (!whole) return;  // what is needed is not known
  std::sort(keep.begin(), keep.end());
  cache_.prune(kBlobBytesMax, keep);
}

namespace {

// The folder in which lone files were checked from here; empty: none were.
std::string folder_of_lone_files(const std::string& root) {
  const std::string folder = CacheFolder::has_books(root) ? root : remembered_folder(root);
  return !folder.empty() && CacheFolder::has_books(folder) ? folder : "";
}

// Lone files that were checked as the program of this name, or as the only one.
std::vector<std::string> lone_files_checked(const std::string& root, const std::string& target) {
  const std::string folder = folder_of_lone_files(root);
  if (folder.empty()) return {};
  const CacheFolder cache(folder, CacheFolder::Of::LoneFiles);
  Ledger ledger(cache.path());
  std::set<std::vector<std::string>> programs;
  ledger.for_each(Table::Book, [&](const std::string&, const std::string& value) {
    v1::Book book;
    if (!book.ParseFromString(value) || (!target.empty() && book.target() != target)) return;
    std::vector<std::string> files;
    std::error_code error;
    for (const v1::UnitReference& unit : book.last().units())
      if (std::filesystem::exists(disk::file_of_name(unit.path()), error)) files.push_back(unit.path());
    if (!files.empty()) programs.insert(std::move(files));
  });
  return programs.size() == 1 ? *programs.begin() : std::vector<std::string>();
}

// Of a revision: the version before has it, and this one does not.
bool is_deleted(const std::string& file, const v1::CheckRequest& request) {
  const auto is_it = [&](const v1::Overlay& text) { return text.path() == file; };
  const auto &before = request.base_texts().files(), &now = request.overlays();
  std::error_code error;
  return std::any_of(before.begin(), before.end(), is_it) && std::none_of(now.begin(), now.end(), is_it) &&
         !std::filesystem::exists(disk::file_of_name(file), error);
}

}  // namespace

Projects::Result Projects::find(const v1::CheckRequest& request) {
  frontend::ProjectRequest wanted;
  for (const std::string& file : request.files())
    if (!is_deleted(file, request)) wanted.files.push_back(file);
  wanted.database_directory = request.database_directory();
  wanted.flags.assign(request.flags().begin(), request.flags().end());
  wanted.flags_directory = request.root();
  for (const v1::Overlay& overlay : request.overlays())
    if (!overlay.absent()) wanted.texts.push_back(overlay.path());
  for (const std::string& name : request.files())
    if (disk::file_of_name(name) != name) wanted.texts.push_back(name);
  if (wanted.files.empty() && wanted.database_directory.empty() && !request.root().empty())
    wanted.database_directory = request.root();
  std::variant<frontend::Project, frontend::ProjectError> found = frontend::find_project(wanted);
  if (std::holds_alternative<frontend::ProjectError>(found) && wanted.files.empty() &&
      request.database_directory().empty()) {
    wanted.database_directory = request.root() + "/build";
    auto in_build = frontend::find_project(wanted);
    if (std::holds_alternative<frontend::Project>(in_build)) found = std::move(in_build);
  }
  if (std::holds_alternative<frontend::ProjectError>(found) && wanted.files.empty() &&
      request.database_directory().empty()) {
    wanted.database_directory.clear();
    wanted.files = lone_files_checked(request.root(), request.target());
    if (!wanted.files.empty()) found = frontend::find_project(wanted);
  }
  if (auto* error = std::get_if<frontend::ProjectError>(&found)) return *error;
  frontend::Project description = std::get<frontend::Project>(std::move(found));

  const std::string folder = folder_of(description);
  std::string key = folder + "\n" + description.root;
  // Without a database the files of the request are the whole project: each set of them has units of its own.
  if (description.database.empty()) {
    for (const frontend::CompileCommand& command : description.commands) key += "\n" + command.file;
    if (!request.root().empty() && request.root() != folder) remember_folder(request.root(), folder);
  }
  const auto at =
      std::find_if(projects_.begin(), projects_.end(), [&](const auto& entry) { return entry.first == key; });
  if (at != projects_.end()) {
    std::rotate(at, at + 1, projects_.end());
    projects_.back().second->set_description(std::move(description));
    return projects_.back().second.get();
  }
  projects_.emplace_back(key, std::make_unique<Project>(std::move(description), folder));
  return projects_.back().second.get();
}

namespace {

constexpr size_t kComingMost = 4;  // a preamble takes most of a second, and tens of megabytes

// Of the files of these commands, those that were saved last.
std::vector<frontend::CompileCommand> saved_last(const std::vector<frontend::CompileCommand>& commands) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, const frontend::CompileCommand*>> saved;
  for (const frontend::CompileCommand& command : commands) {
    std::error_code error;
    const auto time = fs::last_write_time(command.file, error);
    if (!error) saved.emplace_back(time, &command);
  }
  const auto end = saved.begin() + static_cast<std::ptrdiff_t>(std::min(saved.size(), kComingMost));
  std::partial_sort(saved.begin(), end, saved.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<frontend::CompileCommand> result;
  for (auto one = saved.begin(); one != end; ++one) result.push_back(*one->second);
  return result;
}

}  // namespace

void Project::prepare(const std::set<std::string>& open) {
  std::vector<frontend::CompileCommand> coming;
  if (!std::exchange(prepared_saved_, true)) coming = saved_last(description_.commands);
  for (const frontend::CompileCommand& command : description_.commands)
    if (coming.size() < 2 * kComingMost && open.contains(command.file)) coming.push_back(command);
  units_.prepare(coming, files_);
}

void Projects::trim() {
  while (projects_.size() >= kProjectsMax) projects_.erase(projects_.begin());
}

Project* Projects::known(const std::string& root) {
  const auto warm = [&](const std::string& at) -> Project* {
    for (size_t i = projects_.size(); i-- > 0;) {
      const frontend::Project& description = projects_[i].second->description();
      if (at.empty() || description.root == at || folder_of(description) == at) return projects_[i].second.get();
    }
    return nullptr;
  };
  if (Project* project = warm(root)) return project;
  if (root.empty()) return nullptr;
  v1::CheckRequest request;
  request.set_root(root);
  const Result found = find(request);
  if (Project* const* project = std::get_if<Project*>(&found)) return *project;
  const std::string folder = folder_of_lone_files(root);
  if (folder.empty()) return nullptr;
  if (Project* project = warm(folder)) return project;
  frontend::Project description;  // of lone files: whichever they were, their books are in one ledger
  description.root = folder;
  projects_.emplace_back(folder, std::make_unique<Project>(std::move(description), folder));
  return projects_.back().second.get();
}

}  // namespace heddle::engine
