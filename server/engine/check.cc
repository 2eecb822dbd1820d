#include "server/engine/check.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "server/disk/read.h"
#include "server/engine/explorers/look_inside.h"
#include "server/engine/explorers/verify.h"
#include "server/engine/given_base.h"
#include "server/engine/not_checked.h"
#include "server/engine/present_programs.h"
#include "server/engine/program_keys.h"
#include "server/engine/settings/baseline.h"
#include "server/engine/settings/unfitting_values.h"
#include "server/engine/settings/unused_names.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wanted_targets.h"
#include "server/engine/wire/convert.h"
#include "server/frontend/flags.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/verdict/merge.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

namespace {

// A model on the command line and another one in the settings: it is unknown which is meant.
std::optional<SettingsError> contradiction(const ProjectSettings& settings, v1::MemoryModel asked) {
  const std::optional<GivenModel>& given = settings.memory_model;
  if (!given || asked == v1::MEMORY_MODEL_DEFAULT || asked == given->model) return std::nullopt;
  const std::string option = "--memory-model=" + memory_model_name(asked);
  return SettingsError{given->file,
                       given->line,
                       given->column,
                       "memory-model is " + given->name + ", and the command says " + option,
                       "leave " + option + " out, or change the line",
                       settings.files};
}

// As the request has them: unsaved buffers, texts of git.
FileReader reader_of(const v1::CheckRequest& request) {
  return [&request](const std::string& path, uint64_t bytes_most, std::string& problem) -> std::optional<std::string> {
    for (const v1::Overlay& overlay : request.overlays())
      if (overlay.path() == path) {
        if (!overlay.absent()) return overlay.text();
        problem = "does not exist";
        return std::nullopt;
      }
    return disk::read_regular(path, bytes_most, &problem);
  };
}

constexpr size_t kManyFiles = 4;  // the compiler builds no preambles for more of them

// One call of run_check.
class CheckRun {
 public:
  CheckRun(const v1::CheckRequest& request, const CheckServices& services)
      : request_(request), services_(services), settings_(settings_for(request, services.settings)) {}

  CheckOutcome run() {
    const Projects::Result found = services_.projects.find(request_);
    if (const auto* error = std::get_if<frontend::ProjectError>(&found))
      return end(error_verdict(v1::ERROR_USAGE, error->message + (error->remedy.empty() ? "" : "; " + error->remedy)));
    project_ = std::get<Project*>(found);
    if (const std::string flag = typed_flag_objection(); !flag.empty())
      return end(error_verdict(v1::ERROR_USAGE, flag));
    if (services_.driver) project_->add_command(*services_.driver);
    auto read = project_settings(*project_, request_);
    if (auto* settings = std::get_if<ProjectSettings>(&read))
      if (auto error = contradiction(*settings, request_.memory_model())) read = *std::move(error);
    if (const auto* error = std::get_if<SettingsError>(&read)) return end(refused(*error));
    auto baseline = Baseline::read(project_->description().root, reader_of(request_));
    if (const auto* error = std::get_if<SettingsError>(&baseline)) return end(refused(*error));
    baseline_ = std::move(std::get<Baseline>(baseline));
    settings_.apply(std::get<ProjectSettings>(read));
    if (request_.weaken() && settings_.memory_model == v1::MEMORY_MODEL_DEFAULT)
      settings_.memory_model = settings_.weak_model;
    settings_files_ = std::get<ProjectSettings>(read).files;
    settings_files_.push_back(baseline_.path());
    for (const SuppressionEntry& entry : std::get<ProjectSettings>(read).suppressions) suppressions_.add(entry);
    project_->set_models(settings_.models);
    project_->versions().use(settings_.machine.unknown_calls);
    project_->units().use(settings_);
    project_->units().set_compiles_at_once(request_.background() ? 1 : explorers_at_once(settings_));
    Loaded loaded = load(overlays_of(request_));
    if (loaded.interrupted) return cancelled();
    leave_out_ignored(std::get<ProjectSettings>(read).ignored, project_->description().root, request_, loaded);
    send_files(loaded);
    if (!request_.trial() && !request_.ledger_only() && !request_.has_base_texts()) project_->set_failed(loaded.failed);
    if (GivenBase::is_given(request_)) base_.emplace(request_, *project_, settings_files_);
    if (knows_its_programs(loaded))  // else one of them may be missing that is there
      for (const frontend::Target& target : loaded.targets.targets) programs_.push_back(target.name);
    if (!base_ && !request_.trial() && !request_.ledger_only()) remember_programs(*project_, loaded);
    compile_ms_ = base::ms_since(started_);
    if (base_ && !is_all_ignored(loaded, request_))
      if (const auto problem = base_->load(loaded, on_compiled(), services_.interrupt))
        return end(error_verdict(v1::ERROR_USAGE, *problem));
    v1::CheckRequest wanted = request_;
    if (base_ && !base_->not_comparable().empty()) wanted.clear_files();  // it concerns all programs
    std::vector<const frontend::Target*> targets =
        wanted_targets(wanted, loaded, base_ ? base_->touched_targets() : std::set<std::string>{}, services_.wanted);
    if (is_whole() && !base_)
      std::erase_if(targets, [&](const auto* target) { return is_of_broken_case(*target, loaded); });
    if (targets.empty()) return end(no_target(loaded, request_, *project_));
    read_suppressions(targets, loaded);
    // The base was loaded with other texts; what follows reads only lines for the words of findings.
    for (const frontend::Target* target : targets) {
      std::optional<v1::Verdict> verdict = check_target(*target, loaded);
      if (!verdict) return cancelled();
      if (targets.size() > 1) verdict->mutable_scope()->set_summary(target->name + ": " + verdict->scope().summary());
      verdict::merge(total_, *verdict);
    }
    total_.mutable_stats()->mutable_ms()->set_compile(compile_ms_);
    report_unused_and_broken(targets, loaded);
    return end(total_);
  }

 private:
  void emit(v1::Event event, const std::string& target) {
    if (project_) event.set_project(project_->description().root);
    event.set_target(target);
    event.set_version(request_.document_version());
    event.set_generation(services_.generation);
    services_.emit(event);
    // While a project that is new is explored, the compiler has nothing else to do.
    if (event.has_started() && compiled_ > kManyFiles && !settings_.one_command)
      project_->units().prepare({request_.files().begin(), request_.files().end()});
  }

  std::function<void(const std::string&)> on_compiled() {
    return [this](const std::string& file) {
      ++compiled_;
      v1::Event event;
      event.mutable_progress()->set_phase(verdict::name_of(verdict::Phase::Compile));
      event.mutable_progress()->set_unit(file);
      event.mutable_progress()->set_seconds(base::ms_since(started_) / 1000);
      emit(event, "");
    };
  }

  std::string typed_flag_objection() const {
    if (request_.flags().empty()) return "";
    for (const frontend::CompileCommand& command : project_->description().commands)
      if (std::string flag = frontend::unknown_flag(command); !flag.empty())
        return flag + " (flags after `--` are those of Clang)";
    return "";
  }

  Loaded load(std::vector<frontend::Overlay> overlays) {
    return project_->load(std::move(overlays), on_compiled(), services_.interrupt);
  }

  void send_files(const Loaded& loaded) {
    v1::ProjectFiles files;
    files.set_root(project_->description().root);
    for (const std::string& file : project_->watched_files(loaded)) files.add_files(file);
    for (const std::string& file : project_->watched_absences(loaded)) files.add_absent(file);
    for (const std::string& file : settings_files_) {
      std::error_code ignored;
      if (std::filesystem::exists(file, ignored))
        files.add_files(file);
      else
        files.add_absent(file);
    }
    services_.files(files);
  }

  // A settings file that cannot be read; it is watched, so that its correction is seen.
  v1::Verdict refused(const SettingsError& error) {
    settings_files_ = error.files;
    if (std::find(settings_files_.begin(), settings_files_.end(), error.file) == settings_files_.end())
      settings_files_.push_back(error.file);
    send_files({});
    return settings_verdict(error);
  }

  // Nothing: the settings have values for every call.
  std::optional<v1::Verdict> refused_values(Version& version) const {
    const auto& calls = settings_.machine.unknown_calls;
    const auto has_values = [](const machine::UnknownPolicy& policy) {
      return !policy.values.empty() || !policy.fills.empty();
    };
    const bool any =
        has_values(calls.otherwise) || std::any_of(calls.by_name.begin(), calls.by_name.end(),
                                                   [&](const auto& entry) { return has_values(entry.second); });
    if (!any) return std::nullopt;
    const std::optional<SettingsError> error =
        unfitting_values(version.image(), calls, settings_files_, reader_of(request_));
    return error ? std::optional(settings_verdict(*error)) : std::nullopt;
  }

  static v1::Verdict settings_verdict(const SettingsError& error) {
    v1::Verdict verdict = error_verdict(v1::ERROR_USAGE, error.text());
    *verdict.add_diagnostics() =
        to_proto(frontend::Diagnostic{frontend::Severity::Error, error.file, error.line, error.column, error.message});
    return verdict;
  }

  // Of the files that the targets are made of.
  void read_suppressions(const std::vector<const frontend::Target*>& targets, const Loaded& loaded) {
    std::set<std::string> files;
    for (const frontend::Target* target : targets)
      for (const program::UnitPtr& unit : target->units) files.insert(unit->path);
    for (const CompiledUnitPtr& unit : loaded.units) {
      if (files.count(unit->file) == 0) continue;
      for (const frontend::Dependency& dependency : unit->dependencies)
        if (!dependency.system && dependency.file.empty()) files.insert(dependency.path);
    }
    for (const std::string& file : files)
      for (const SuppressionEntry& entry : project_->comments().of(file, project_->files())) suppressions_.add(entry);
  }

  std::vector<v1::Diagnostic> unused_names() const {
    return unused_names_.warnings(settings_.machine.unknown_calls, project_->description().root + "/" + kSettingsFile,
                                  reader_of(request_));
  }

  void report(const std::vector<v1::Diagnostic>& warnings) {
    for (const v1::Diagnostic& warning : warnings) {
      total_.add_warnings(warning.file() + ":" + std::to_string(warning.line()) + ": " + warning.message());
      v1::Event event;
      *event.mutable_diagnostic() = warning;
      emit(event, "");
    }
  }

  // Of a test case whose file compiled before, and does not now.
  static bool is_of_broken_case(const frontend::Target& target, const Loaded& loaded) {
    return std::any_of(target.units.begin(), target.units.end(), [&](const program::UnitPtr& unit) {
      const auto is_it = [&](const CompiledUnitPtr& one) { return one->file == unit->path; };
      if (std::none_of(loaded.failed.begin(), loaded.failed.end(), is_it)) return false;
      const std::vector<frontend::TestCase> cases = frontend::test_cases(*unit);
      return std::any_of(cases.begin(), cases.end(),
                         [&](const frontend::TestCase& one) { return one.name == target.test_case; });
    });
  }

  v1::Verdict reported(v1::Verdict verdict, const std::string& target) {
    v1::Event event;
    *event.mutable_verdict() = verdict;
    emit(std::move(event), target);
    return verdict;
  }

  bool is_whole() const { return request_.files().empty() && request_.target().empty(); }

  // As the program is if what does not compile is left out; null: it needs that.
  VersionPtr without(const std::vector<CompiledUnitPtr>& broken, const frontend::Target& target) const {
    if (!is_whole() || base_) return nullptr;
    const auto is_broken = [&](const program::UnitPtr& unit) {
      return std::any_of(broken.begin(), broken.end(), [&](const auto& one) { return one->file == unit->path; });
    };
    std::vector<program::UnitPtr> units = target.units;
    if (is_broken(units.front())) return nullptr;
    std::erase_if(units, is_broken);
    VersionPtr version = project_->versions().get(units);
    return machine::lacks_definitions(*version->image()) ? nullptr : version;
  }

  std::optional<v1::Verdict> check_target(const frontend::Target& target, const Loaded& loaded) {
    TargetRequest wanted;
    wanted.name = target.name;
    wanted.version = project_->versions().get(target.units);
    const std::vector<CompiledUnitPtr> broken = broken_units(target, loaded, *wanted.version, request_, *project_);
    const VersionPtr rest = broken.empty() ? nullptr : without(broken, target);
    if (rest) wanted.version = rest;
    if (!broken.empty() && !rest) {
      v1::Verdict verdict = error_verdict(error_class(broken), build_message(broken, request_, *project_));
      add_diagnostics(verdict, broken);
      return reported(std::move(verdict), target.name);
    }
    if (auto verdict = refused_values(*wanted.version)) return reported(*std::move(verdict), target.name);
    if (!settings_.machine.unknown_calls.by_name.empty())
      unused_names_.meet(*wanted.version->image(), settings_.machine.unknown_calls);
    look_inside(target);
    if (!base_ && !request_.trial() && !rest) project_->set_newest(target.name, wanted.version);
    if (base_) {
      wanted.given_base_text = base_->name();
      wanted.not_comparable = base_->not_comparable();
      wanted.given_base = base_->version_of(target.name);
      if (wanted.given_base) wanted.given_base_record = known_record(target.name, *wanted.given_base);
    }
    if (!base_ && (request_.trial() || request_.has_rerun() || rest)) choose_trial_base(wanted);
    wanted.rerun_pairs.assign(request_.rerun().pairs().begin(), request_.rerun().pairs().end());
    wanted.coverage = request_.rerun().coverage();
    wanted.suppressions = &suppressions_;
    wanted.baseline = &baseline_;
    wanted.marks_older = request_.has_base_texts();
    wanted.ledger_only = request_.ledger_only();
    wanted.with_increments = request_.with_increments();
    wanted.text = text_key(target, loaded.units);
    wanted.portable_key = [&] { return portable_key(*project_, settings_, target, loaded.units); };
    wanted.full = request_.full();
    wanted.weaken = request_.weaken();
    wanted.no_wait_step2 = request_.no_wait_step2();
    wanted.time_limit_seconds = request_.time_limit_seconds();
    wanted.started = started_;
    wanted.compile_ms = compile_ms_;
    wanted.is_test_case = target.cases_without_threads || !target.test_case.empty();
    wanted.assumptions = target.notes;
    for (const std::string& note : project_->description().notes) wanted.assumptions.push_back(note);
    for (const std::string& note : settings_.notes) wanted.assumptions.push_back(note);
    if (base_)
      wanted.assumptions.insert(wanted.assumptions.end(), base_->assumptions().begin(), base_->assumptions().end());
    wanted.notes = project_->description().build.notes;  // of the disk as it is now, whatever the version
    if (!project_->cache().problem().empty()) wanted.notes.push_back(project_->cache().problem());
    project_->cache().forget_problem();
    std::vector<std::string> left_out = target.left_out;
    if (base_) left_out.insert(left_out.end(), base_->left_out().begin(), base_->left_out().end());
    TargetCheck check(wanted, *project_, services_.explorers, settings_, services_.interrupt, [&](v1::Event event) {
      if (event.has_verdict()) report_left_out(left_out, *event.mutable_verdict());
      emit(std::move(event), target.name);
    });
    TargetOutcome outcome = check.run();
    if (outcome.interrupted) return std::nullopt;
    report_left_out(left_out, outcome.verdict);
    if (outcome.owes) owed_.push_back({project_, target.name, wanted.version, settings_});
    return outcome.verdict;
  }

  void look_inside(const frontend::Target& target) const {
    if (!settings_.look) return;
    settings_.look->after(Stage::Unit, target.name, [&] {
      std::string text;
      for (const program::UnitPtr& unit : target.units) text += print_unit(*unit, settings_.look->only);
      return text;
    });
    if (!settings_.look->verify) return;
    for (const program::UnitPtr& unit : target.units)
      for (const std::string& problem : verify_unit(*unit)) settings_.look->problem(unit->path + ": " + problem);
  }

  // What the ledger knows of a version by its content.
  std::optional<v1::VersionRecord> known_record(const std::string& target, Version& version) const {
    const std::string key = book_key(target, settings_, version) + "\n" + version.program()->content().hex();
    const auto known = project_->ledger().get<v1::VerdictRecord>(Table::Verdict, key);
    return known ? std::optional(known->version()) : std::nullopt;
  }

  // Of a check of the whole project: what is in no program, and programs that the settings ignore.
  void report_unlinked(const Loaded& loaded) {
    if (!request_.files().empty() || !request_.target().empty()) return;
    std::vector<std::string> sentences;
    for (const auto& [path, sentence] : loaded.targets.unlinked) sentences.push_back(sentence);
    report_left_out(sentences, total_);
    for (const std::string& sentence : loaded.ignored) total_.mutable_scope()->add_assumptions(sentence);
  }

  void report_unused_and_broken(const std::vector<const frontend::Target*>& targets, const Loaded& loaded) {
    const bool all = targets.size() == loaded.targets.targets.size();
    const bool explored = total_.kind() != v1::VERDICT_INCONCLUSIVE && total_.scope().limits().empty();
    report(suppressions_.warnings(all, explored));
    if (all && loaded.failed.empty()) report(unused_names());
    report_unlinked(loaded);
    report_broken(loaded);
    report_left_out(unused_texts(request_, settings_files_, targets, loaded), total_);
  }

  // Of a check of the whole project: a file that does not compile, and that no program needs, may be a program of its
  // own, or register tests.
  void report_broken(const Loaded& loaded) {
    if (!is_whole() || total_.error() == v1::ERROR_BUILD) return;
    std::vector<std::string> sentences;
    for (const CompiledUnitPtr& unit : loaded.failed)
      sentences.push_back(unit->file + " does not compile: whether it is a program of its own is not known");
    add_diagnostics(total_, loaded.failed);
    report_left_out(sentences, total_);
  }

  // What the ledger would compare with, or did last time; nothing is written to it.
  void choose_trial_base(TargetRequest& wanted) {
    wanted.given_base_text = "nothing";
    const auto book = project_->ledger().get<v1::Book>(Table::Book, book_key(wanted.name, settings_, *wanted.version));
    if (!book) return;
    const bool rerun = request_.has_rerun();
    const bool assumed = !rerun && book->has_assumed();  // it is newer than the base
    if (rerun ? !book->has_compared() : !assumed && !book->has_base()) return;
    const v1::VersionRecord* record = rerun ? &book->compared() : assumed ? &book->assumed() : &book->base();
    const char* text = rerun     ? "what the last check compared with"
                       : assumed ? "the version explored in part last"
                                 : "the version verified last";
    // A trial mostly mends a finding: what that one hid was not explored.
    if (!rerun && record->findings_size() > 0) {
      if (!book->has_clean()) return;
      record = &book->clean();
      text = "the last version without findings";
    }
    wanted.given_base = project_->version_of(*record);
    if (!wanted.given_base) return;
    wanted.given_base_record = *record;
    wanted.given_base_text = text;
  }

  CheckOutcome cancelled() {
    CheckOutcome outcome =
        end(error_verdict(v1::ERROR_CANCELLED, "cancelled; what was not explored is owed by the next check"));
    outcome.interrupted = true;
    return outcome;
  }

  CheckOutcome end(v1::Verdict verdict) {
    verdict.set_step(verdict::name_of(verdict::Step::Final));
    for (const std::string& name : programs_) verdict.add_targets(name);
    verdict.mutable_stats()->mutable_ms()->set_total(base::ms_since(started_));
    v1::Event event;
    *event.mutable_verdict() = verdict;
    emit(event, "");
    CheckOutcome outcome;
    outcome.verdict = std::move(verdict);
    outcome.project = project_;
    outcome.owed = std::move(owed_);
    return outcome;
  }

  const v1::CheckRequest& request_;
  const CheckServices& services_;
  Settings settings_;
  std::vector<std::string> settings_files_;
  const base::SteadyTime started_ = base::now();
  Project* project_ = nullptr;
  double compile_ms_ = 0;
  size_t compiled_ = 0;  // files
  std::optional<GivenBase> base_;
  std::vector<std::string> programs_;  // all that are known; empty: they are not
  std::vector<Owed> owed_;
  Suppressions suppressions_{today_text()};
  UnusedNames unused_names_;
  Baseline baseline_;
  v1::Verdict total_ = [] {
    v1::Verdict verdict;
    verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
    return verdict;
  }();
};

}  // namespace

Settings settings_for(const v1::CheckRequest& request, const Settings& settings) {
  Settings out = settings;
  if (request.plain_accesses() == v1::PLAIN_ACCESSES_VISIBLE)
    out.machine.plain_accesses = machine::PlainAccesses::Visible;
  out.machine.spurious_wakeups = request.spurious_wakeups();
  out.memory_model = request.memory_model();
  return out;
}

std::variant<ProjectSettings, SettingsError> project_settings(const Project& project, const v1::CheckRequest& request) {
  return read_project_settings(project.description().root, reader_of(request));
}

std::vector<frontend::Overlay> overlays_of(const v1::CheckRequest& request) {
  std::vector<frontend::Overlay> out;
  for (const v1::Overlay& overlay : request.overlays())
    out.push_back({overlay.path(), overlay.text(), overlay.absent()});
  return out;
}

IdleWork work_off(const Owed& owed, Explorers& explorers, const Interrupt& interrupt,
                  const std::function<void(const v1::Event&)>& emit) {
  TargetRequest wanted;
  wanted.name = owed.target;
  wanted.version = owed.version;
  wanted.full = true;
  wanted.background = true;
  wanted.started = base::now();
  TargetCheck check(wanted, *owed.project, explorers, owed.settings, interrupt, emit);
  wanted.time_limit_seconds =
      std::min(kLongestIdleSeconds, std::max(owed.settings.background_seconds, 2 * check.idle_seconds()));
  const TargetOutcome outcome = check.run();
  if (outcome.interrupted) return IdleWork::NotDone;
  if (outcome.deepens && wanted.time_limit_seconds < kLongestIdleSeconds) return IdleWork::Deepens;
  return outcome.owes ? IdleWork::NotDone : IdleWork::Done;
}

CheckOutcome run_check(const v1::CheckRequest& request, const CheckServices& services) {
  return CheckRun(request, services).run();
}

}  // namespace heddle::engine
