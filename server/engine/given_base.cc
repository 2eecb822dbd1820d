#include "server/engine/given_base.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <variant>

#include "server/disk/file_kind.h"
#include "server/disk/utf8_name.h"
#include "server/engine/check.h"
#include "server/engine/project/base_build.h"
#include "server/engine/store/base.h"
#include "server/engine/target/scope.h"

namespace heddle::engine {

namespace {

// The first unit that does not compile; null: there is none. `but_for`: files that do not matter.
const CompiledUnit* broken_unit(const Loaded& loaded, const std::set<std::string>& but_for) {
  for (const CompiledUnitPtr& unit : loaded.units)
    if (!unit->unit && !but_for.contains(unit->file)) return unit.get();
  return nullptr;
}

// The first names, and how many there are more.
std::vector<std::string> shortened(std::vector<std::string> names) {
  constexpr size_t kNamedMost = 3;
  if (names.size() <= kNamedMost) return names;
  names[kNamedMost] = std::to_string(names.size() - kNamedMost) + " more";
  names.resize(kNamedMost + 1);
  return names;
}

// REQUIRES a command. The same language counts first, then the folders that the paths share.
const frontend::CompileCommand& nearest(const std::vector<frontend::CompileCommand>& commands,
                                        const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  const auto near = [&](const frontend::CompileCommand& command) {
    const auto [end, unused] = std::mismatch(file.begin(), file.end(), command.file.begin(), command.file.end());
    const auto folders = std::count(file.begin(), end, '/');
    return std::pair(std::filesystem::path(command.file).extension() == extension, folders);
  };
  return *std::max_element(commands.begin(), commands.end(),
                           [&](const auto& a, const auto& b) { return near(a) < near(b); });
}

// The command of another file, for this one.
frontend::CompileCommand as_for(const frontend::CompileCommand& model, const std::string& file) {
  namespace fs = std::filesystem;
  frontend::CompileCommand command = model;
  command.file = file;
  for (std::string& argument : command.arguments)
    if ((fs::path(model.directory) / argument).lexically_normal() == model.file) argument = file;
  const std::string before = fs::path(model.file).stem().string();
  for (std::string& output : command.outputs) {
    std::string name = fs::path(output).filename().string();
    if (const size_t at = name.rfind(before); at != name.npos)
      name.replace(at, before.size(), fs::path(file).stem().string());
    output = fs::path(output).replace_filename(name).string();
  }
  return command;
}

// Gives the project its compile commands back.
class SavedDescription {
 public:
  explicit SavedDescription(Project& project) : project_(project), description_(project.description()) {}
  ~SavedDescription() { project_.set_description(std::move(description_)); }
  SavedDescription(const SavedDescription&) = delete;
  SavedDescription& operator=(const SavedDescription&) = delete;

 private:
  Project& project_;
  frontend::Project description_;
};

}  // namespace

GivenBase::GivenBase(const v1::CheckRequest& request, Project& project, const std::vector<std::string>& settings_files)
    : request_(request), project_(project) {
  const std::vector<std::string> changed = changed_build(request, project.description(), settings_files);
  if (!changed.empty())
    not_comparable_ = join(changed) + (changed.size() == 1 ? " is" : " are") + " not as in " + name() +
                      ": everything counts as changed";
}

// Sources that the base has, and that are neither there now nor in the compile database.
std::vector<std::string> GivenBase::gone_sources(const std::vector<frontend::Overlay>& texts) const {
  const frontend::Project& project = project_.description();
  std::vector<std::string> files;
  if (project.database.empty() || project.commands.empty()) return files;
  for (const frontend::Overlay& text : texts) {
    const auto is_it = [&](const auto& command) { return command.file == text.path; };
    if (text.absent || !disk::is_translation_unit(text.path) || !text.path.starts_with(project.root + "/") ||
        std::any_of(project.commands.begin(), project.commands.end(), is_it))
      continue;
    const auto now = std::find_if(request_.overlays().begin(), request_.overlays().end(),
                                  [&](const v1::Overlay& overlay) { return overlay.path() == text.path; });
    std::error_code error;
    const bool there = now != request_.overlays().end() ? !now->absent()
                                                        : std::filesystem::exists(disk::file_of_name(text.path), error);
    if (!there) files.push_back(text.path);
  }
  return files;
}

// How the build compiled and linked them then is not known: as it does what is nearest now.
void GivenBase::add_gone(const std::vector<std::string>& gone) {
  const frontend::Project& project = project_.description();
  const std::vector<frontend::CompileCommand> commands = project.commands;
  for (const std::string& file : gone) {
    const frontend::CompileCommand& model = nearest(commands, file);
    project_.add_command(as_for(model, file));
    assumptions_.push_back(shown(file) + " of " + name() +
                           " is gone: it is taken to have been compiled and linked as " + shown(model.file) + " is");
  }
}

std::string GivenBase::shown(const std::string& file) const {
  return std::filesystem::path(file).lexically_relative(project_.description().root).string();
}

std::string GivenBase::name() const {
  return request_.has_base_texts() ? request_.base_texts().name() : "--base " + request_.base();
}

std::vector<frontend::Overlay> GivenBase::texts_of_request() const {
  std::vector<frontend::Overlay> texts = overlays_of(request_);
  const auto put = [&](frontend::Overlay old) {
    std::erase_if(texts, [&](const frontend::Overlay& known) { return known.path == old.path; });
    texts.push_back(std::move(old));
  };
  for (const v1::Overlay& text : request_.base_texts().files()) put({text.path(), text.text()});
  for (const std::string& file : request_.base_texts().absent()) put({file, "", /*absent=*/true});
  return texts;
}

// Takes back that files are absent which today's units include; their names.
std::string GivenBase::show_dependencies(const Loaded& now, std::vector<frontend::Overlay>& texts) const {
  std::set<std::string> included;
  for (const CompiledUnitPtr& unit : now.units)
    for (const frontend::Dependency& dependency : unit->dependencies) included.insert(dependency.path);
  std::vector<std::string> names;
  std::erase_if(texts, [&](const frontend::Overlay& text) {
    if (!text.absent || !included.contains(text.path)) return false;
    names.push_back(std::filesystem::path(text.path).lexically_relative(project_.description().root).string());
    return true;
  });
  return join(shortened(std::move(names)));
}

std::optional<std::string> GivenBase::load(const Loaded& now, const std::function<void(const std::string&)>& compiling,
                                           const Interrupt& interrupt) {
  if (!not_comparable_.empty()) return std::nullopt;
  std::vector<frontend::Overlay> texts;
  if (request_.has_base_texts()) {
    texts = texts_of_request();
  } else {
    auto read = base_texts(project_.description(), request_.base(), {request_.files().begin(), request_.files().end()});
    if (const auto* problem = std::get_if<std::string>(&read)) return *problem;
    texts = std::move(std::get<BaseTexts>(read).overlays);
    left_out_ = std::move(std::get<BaseTexts>(read).left_out);
  }
  const std::vector<std::string> gone = gone_sources(texts);
  const SavedDescription today(project_);
  add_gone(gone);
  std::set<std::string> absent;
  for (const frontend::Overlay& text : texts)
    if (text.absent) absent.insert(text.path);
  std::set<std::string> need_not_compile = absent;
  for (const auto& [file, place] : now.ignored_files) need_not_compile.insert(file);
  const std::vector<frontend::Overlay> newest = project_.files().overlays();
  Loaded old = project_.load(texts, compiling, interrupt);
  if (!request_.has_base_texts() && broken_unit(old, need_not_compile)) {  // the folder may hold the edited files alone
    if (const std::string missing = show_dependencies(now, texts); !missing.empty()) {
      left_out_.push_back("the folder '" + request_.base() + "' of --base lacks " + missing +
                          ": what was edited there was taken for old");
      old = project_.load(texts, compiling, interrupt);
    }
  }
  if (const CompiledUnit* unit = broken_unit(old, need_not_compile)) {
    if (std::find(gone.begin(), gone.end(), unit->file) != gone.end()) {
      project_.files().begin_check(newest);
      assumptions_.clear();
      not_comparable_ = shown(unit->file) + " is in " + name() +
                        " only, and how the build compiled it is not known: everything counts as changed";
      return std::nullopt;
    }
    project_.files().begin_check(newest);
    std::string problem = "the version of " + unit->file + " in " + name() + " does not compile";
    if (!unit->diagnostics.empty()) problem += ": " + unit->diagnostics[0].message;
    return problem;
  }
  std::vector<program::UnitPtr> units;
  for (const CompiledUnitPtr& unit : old.units)
    if (unit->unit && !absent.contains(unit->file)) units.push_back(unit->unit);
  std::vector<CompiledUnitPtr> compiled;
  targets_ = project_.find_targets(units, compiling, compiled);
  note_touched(old);
  for (frontend::Target& target : targets_.targets) project_.add_library(target, compiling);
  project_.files().begin_check(newest);  // the words of findings are those of these texts
  return std::nullopt;
}

void GivenBase::note_touched(const Loaded& old) {
  const std::set<std::string> files(request_.files().begin(), request_.files().end());
  std::set<std::string> units;
  for (const CompiledUnitPtr& unit : old.units) {
    const bool reads = std::any_of(unit->dependencies.begin(), unit->dependencies.end(),
                                   [&](const frontend::Dependency& one) { return files.contains(one.path); });
    if (reads || files.contains(unit->file)) units.insert(unit->file);
  }
  for (const frontend::Target& target : targets_.targets)
    for (const program::UnitPtr& unit : target.units)
      if (units.contains(unit->path)) touched_targets_.insert(target.name);
}

VersionPtr GivenBase::version_of(const std::string& target) const {
  for (const frontend::Target& old : targets_.targets)
    if (old.name == target) return project_.versions().get(old.units);
  return nullptr;
}

}  // namespace heddle::engine
