#include "server/engine/given_base.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <variant>

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

}  // namespace

GivenBase::GivenBase(const v1::CheckRequest& request, Project& project, const std::vector<std::string>& settings_files)
    : request_(request), project_(project) {
  const std::vector<std::string> changed = changed_build(request, project.description(), settings_files);
  if (!changed.empty())
    not_comparable_ = join(changed) + (changed.size() == 1 ? " is" : " are") + " not as in " + name() +
                      ": everything counts as changed";
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
  constexpr size_t kNamedMost = 3;
  std::set<std::string> included;
  for (const CompiledUnitPtr& unit : now.units)
    for (const frontend::Dependency& dependency : unit->dependencies) included.insert(dependency.path);
  std::vector<std::string> names;
  std::erase_if(texts, [&](const frontend::Overlay& text) {
    if (!text.absent || !included.contains(text.path)) return false;
    names.push_back(std::filesystem::path(text.path).lexically_relative(project_.description().root).string());
    return true;
  });
  if (names.size() > kNamedMost) {
    names[kNamedMost] = std::to_string(names.size() - kNamedMost) + " more";
    names.resize(kNamedMost + 1);
  }
  return join(names);
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
