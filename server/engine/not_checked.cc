#include "server/engine/not_checked.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "server/disk/file_kind.h"
#include "server/disk/utf8_name.h"
#include "server/engine/wanted_targets.h"
#include "server/engine/wire/convert.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

v1::Verdict error_verdict(v1::ErrorClass kind, const std::string& message) {
  v1::Verdict out;
  out.set_kind(v1::VERDICT_ERROR);
  out.set_error(kind);
  out.set_message(message);
  out.mutable_scope()->set_summary("nothing was checked");
  out.mutable_stats()->mutable_ms()->set_first_finding(-1);
  out.set_step(verdict::name_of(verdict::Step::Final));
  return out;
}

v1::ErrorClass error_class(const std::vector<CompiledUnitPtr>& failed) {
  bool found = false;
  for (const CompiledUnitPtr& unit : failed)
    for (const frontend::Diagnostic& diagnostic : unit->diagnostics) {
      if (diagnostic.severity != frontend::Severity::Error) continue;
      if (!diagnostic.message.starts_with(frontend::kUnknownAnnotation)) return v1::ERROR_BUILD;
      found = true;
    }
  return found ? v1::ERROR_USAGE : v1::ERROR_BUILD;
}

// What kept the compiler from saying anything of the text: time, memory, a crash, no sandbox. Empty: nothing did.
std::string without_compiler(const CompiledUnit& unit) {
  for (const frontend::Diagnostic& diagnostic : unit.diagnostics)
    if (diagnostic.severity == frontend::Severity::Error && diagnostic.line == 0) return diagnostic.message;
  return "";
}

std::string build_message(const std::vector<CompiledUnitPtr>& failed, const v1::CheckRequest& request,
                          const Project& project) {
  const bool builds = error_class(failed) != v1::ERROR_BUILD;
  const std::string obstacle = without_compiler(*failed[0]);
  const char* const what = builds             ? "wrong annotations in "
                           : obstacle.empty() ? "compile errors in "
                                              : "cannot compile ";
  std::string text = what + failed[0]->file;
  if (failed.size() > 1) text += " and " + counted(failed.size() - 1, "other file");
  if (!obstacle.empty()) text += ": " + obstacle;
  text += "; nothing changed in the ledger";
  if (!builds && obstacle.empty() && project.description().database.empty() && request.flags().empty())
    text += "; if it needs flags, give them after `--`, or make a compile_commands.json";
  return text;
}

void add_diagnostics(v1::Verdict& verdict, const std::vector<CompiledUnitPtr>& failed) {
  std::set<std::string> seen;  // a header's errors are those of every unit that reads it
  for (const CompiledUnitPtr& unit : failed)
    for (const frontend::Diagnostic& diagnostic : unit->diagnostics) {
      if (diagnostic.severity != frontend::Severity::Error) continue;
      const v1::Diagnostic made = to_proto(diagnostic);
      if (seen.insert(made.SerializeAsString()).second) *verdict.add_diagnostics() = made;
    }
}

bool is_all_ignored(const Loaded& loaded, const v1::CheckRequest& request) {
  const auto& files = request.files();
  const auto ignored = [&](const std::string& file) { return loaded.ignored_files.contains(file); };
  return request.has_base_texts() && !files.empty() && std::all_of(files.begin(), files.end(), ignored);
}

namespace {

// There is nothing to check, and nothing to be loud about. Nothing: it is another commit, or the user names files.
std::optional<v1::Verdict> all_ignored(const Loaded& loaded, const v1::CheckRequest& request) {
  if (!is_all_ignored(loaded, request)) return std::nullopt;
  const auto& files = request.files();
  v1::Verdict out = error_verdict(v1::ERROR_NONE, "");
  out.set_kind(v1::VERDICT_CLEAR);
  out.mutable_scope()->set_summary("nothing to check: " + loaded.ignored_files.at(files[0]) + " ignores " +
                                   std::filesystem::path(files[0]).filename().string() +
                                   (files.size() > 1 ? " and " + counted(files.size() - 1, "other file") : ""));
  return out;
}

// Of a revision: files that no program includes, and files that are gone. A program that needs them would be
// one of the project, so nothing depends on them. Not of a source: the database may be older.
std::optional<v1::Verdict> needed_by_none(const Loaded& loaded, const v1::CheckRequest& request) {
  const auto& files = request.files();
  const auto matters = [&](const std::string& file) {
    std::error_code error;
    return disk::is_translation_unit(file) && std::filesystem::exists(disk::file_of_name(file), error);
  };
  if (!request.has_base_texts() || files.empty() || !loaded.failed.empty() || !loaded.targets.unlinked.empty() ||
      !request.target().empty() || loaded.targets.targets.empty() || std::any_of(files.begin(), files.end(), matters))
    return std::nullopt;
  v1::Verdict out = error_verdict(v1::ERROR_NONE, "");
  out.set_kind(v1::VERDICT_CLEAR);
  out.mutable_scope()->set_summary("nothing to check: no program needs " +
                                   std::filesystem::path(files[0]).filename().string() +
                                   (files.size() > 1 ? " and " + counted(files.size() - 1, "other file") : ""));
  return out;
}

}  // namespace

v1::Verdict no_target(const Loaded& loaded, const v1::CheckRequest& request, const Project& project) {
  if (auto nothing = all_ignored(loaded, request)) return *std::move(nothing);
  if (auto nothing = needed_by_none(loaded, request)) return *std::move(nothing);
  if (!loaded.failed.empty()) {
    v1::Verdict out = error_verdict(error_class(loaded.failed), build_message(loaded.failed, request, project));
    add_diagnostics(out, loaded.failed);
    return out;
  }
  std::string unlinked;
  const auto& files = request.files();
  for (const auto& [path, sentence] : loaded.targets.unlinked) {
    const bool asked = files.empty() ? request.target().empty() || sentence.starts_with(request.target() + " (")
                                     : std::find(files.begin(), files.end(), path) != files.end();
    if (asked && unlinked.empty()) unlinked = sentence;
  }
  if (!unlinked.empty()) return error_verdict(v1::ERROR_USAGE, unlinked);
  if (!request.target().empty())
    return error_verdict(v1::ERROR_USAGE, no_such_target(request.target(), loaded.targets.targets));
  if (loaded.targets.targets.empty() && !loaded.ignored.empty())
    return error_verdict(v1::ERROR_USAGE, loaded.ignored[0] + "; --target checks one of them all the same");
  if (loaded.targets.targets.empty())
    return error_verdict(v1::ERROR_USAGE,
                         "no file defines main(), so there is no program to run; check a program that uses this "
                         "library, or name a test with a main() of its own");
  return error_verdict(v1::ERROR_USAGE, "no program of the project needs " + request.files(0) +
                                            "; the targets are: " + shown_names(loaded.targets.targets) +
                                            (loaded.ignored.empty() ? "" : "; " + loaded.ignored[0]));
}

bool never_compiled(const CompiledUnit& unit, const Loaded& loaded) {
  return std::find(loaded.unknown_failed.begin(), loaded.unknown_failed.end(), unit.file) !=
         loaded.unknown_failed.end();
}

std::vector<CompiledUnitPtr> broken_units(const frontend::Target& target, const Loaded& loaded, Version& version,
                                          const v1::CheckRequest& request, const Project& project) {
  std::vector<CompiledUnitPtr> out;
  std::optional<bool> lacks;
  for (const CompiledUnitPtr& unit : loaded.failed) {
    const bool member = std::any_of(target.units.begin(), target.units.end(),
                                    [&](const program::UnitPtr& u) { return u->path == unit->file; });
    const bool unknown = never_compiled(*unit, loaded);
    const bool named = std::find(request.files().begin(), request.files().end(), unit->file) != request.files().end();
    if (!member && !named && !project.may_link(target, unit->file)) continue;
    if (!member && unknown && !named && !lacks) lacks = machine::lacks_definitions(*version.image());
    if (member || (unknown && (named || *lacks))) out.push_back(unit);
  }
  return out;
}

namespace {

// A unit of one of the targets is this file, or includes it.
bool is_read_by(const std::vector<const frontend::Target*>& targets, const Loaded& loaded, const std::string& path) {
  std::set<std::string> readers = {path};
  for (const CompiledUnitPtr& unit : loaded.units)
    for (const frontend::Dependency& dependency : unit->dependencies)
      if (dependency.path == path) readers.insert(unit->file);
  return std::any_of(targets.begin(), targets.end(), [&](const frontend::Target* target) {
    return std::any_of(target->units.begin(), target->units.end(),
                       [&](const program::UnitPtr& unit) { return readers.contains(unit->path); });
  });
}

}  // namespace

std::vector<std::string> unused_texts(const v1::CheckRequest& request, const std::vector<std::string>& settings_files,
                                      const std::vector<const frontend::Target*>& targets, const Loaded& loaded) {
  std::vector<std::string> sentences;
  for (const v1::Overlay& overlay : request.overlays()) {
    const std::string& path = overlay.path();
    const bool is_settings = std::find(settings_files.begin(), settings_files.end(), path) != settings_files.end();
    if (overlay.asked() && !is_settings && !is_read_by(targets, loaded, path))
      sentences.push_back("the text given for " + path + " was not checked: no program that was checked has that file");
  }
  return sentences;
}

void report_left_out(const std::vector<std::string>& sentences, v1::Verdict& verdict) {
  for (const std::string& sentence : sentences) verdict.mutable_scope()->add_limits(sentence);
  if (sentences.empty() || verdict.kind() != v1::VERDICT_CLEAR) return;
  verdict.set_kind(v1::VERDICT_INCONCLUSIVE);
  verdict.set_message(sentences[0]);
}

}  // namespace heddle::engine
