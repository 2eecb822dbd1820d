#include "server/engine/harness.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "server/engine/declarations.h"
#include "server/engine/driver_names.h"
#include "server/engine/written_tests.h"
#include "server/program/identity_hash.h"
#include "server/verdict/steps.h"

namespace heddle::engine {
namespace {

namespace fs = std::filesystem;

constexpr int kFilesMost = 6;             // that are tried for a name
constexpr double kSecondsPerDriver = 20;  // unless the request says otherwise

bool is_cxx(const frontend::CompileCommand& command) {
  const std::string extension = fs::path(command.file).extension().string();
  if (extension == ".c") return false;
  return extension != ".h" || command.arguments[0].ends_with("++");
}

// Names of the test cases that the drivers of a text are: "Queue.push_with_pop" of heddle_driver_Queue__push_with_pop.
std::set<std::string> drivers_of(const std::string& text) {
  constexpr std::string_view kDriver = "void heddle_driver_";
  std::set<std::string> names;
  for (size_t at = 0; (at = text.find(kDriver, at)) != std::string::npos;) {
    at += kDriver.size();
    std::string name = text.substr(at, text.find('(', at) - at);
    if (const size_t bars = name.find("__"); bars != std::string::npos) name.replace(bars, 2, ".");
    names.insert(std::move(name));
  }
  return names;
}

// One call of run_harness.
class HarnessRun {
 public:
  HarnessRun(const v1::CheckRequest& request, const CheckServices& services) : request_(request), services_(services) {}

  CheckOutcome run() {
    const Projects::Result found = services_.projects.find(request_);
    if (const auto* error = std::get_if<frontend::ProjectError>(&found))
      return end(refused(v1::ERROR_USAGE, error->message + (error->remedy.empty() ? "" : "; " + error->remedy)));
    project_ = std::get<Project*>(found);
    load();
    if (add_named_headers()) load();
    if (try_as_cxx()) load();
    if (loaded_.interrupted) return end(refused(v1::ERROR_CANCELLED, "cancelled"));
    if (const std::string problem = write_drivers(); !problem.empty()) return end(refused(v1::ERROR_USAGE, problem));
    report_drivers();
    return check();
  }

 private:
  static v1::Verdict refused(v1::ErrorClass kind, const std::string& message) {
    v1::Verdict verdict;
    verdict.set_kind(v1::VERDICT_ERROR);
    verdict.set_error(kind);
    verdict.set_message(message);
    verdict.mutable_scope()->set_summary("nothing was checked");
    verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
    return verdict;
  }

  void load() {
    if (loaded_.interrupted) return;
    loaded_ = project_->load(overlays_of(request_), [](const std::string&) {}, services_.interrupt);
  }

  bool is_loaded(const std::string& file) const {
    return std::any_of(loaded_.units.begin(), loaded_.units.end(), [&](const CompiledUnitPtr& unit) {
      const auto& read = unit->dependencies;
      return unit->file == file || std::any_of(read.begin(), read.end(), [&](const frontend::Dependency& dependency) {
               return dependency.path == file;
             });
    });
  }

  // A named header that no unit of the database includes is a unit of its own, with the folders and macros of one.
  bool add_named_headers() {
    frontend::Project description = project_->description();
    const std::vector<frontend::CompileCommand> known = description.commands;
    for (const std::string& file : request_.files()) {
      if (known.empty() || is_loaded(file)) continue;
      const frontend::CompileCommand& like = known[0];
      frontend::CompileCommand& made = description.commands.emplace_back();
      made.file = file;
      made.directory = like.directory;
      made.arguments = {"cc", file};
      for (const std::string& argument : like.arguments)
        if (argument.starts_with("-I/") || argument.starts_with("-D")) made.arguments.push_back(argument);
    }
    if (description.commands.size() == known.size()) return false;
    project_->set_description(std::move(description));
    return true;
  }

  // A header without a command that is no C: C++, perhaps.
  bool try_as_cxx() {
    frontend::Project description = project_->description();
    bool any = false;
    for (frontend::CompileCommand& command : description.commands) {
      const bool failed = std::any_of(loaded_.failed.begin(), loaded_.failed.end(),
                                      [&](const CompiledUnitPtr& unit) { return unit->file == command.file; });
      if (!failed || fs::path(command.file).extension() != ".h" || command.arguments[0] != "cc") continue;
      command.arguments[0] = "c++";
      command.arguments.insert(command.arguments.begin() + 1, {"-x", "c++", "-std=gnu++17"});
      any = true;
    }
    if (any) project_->set_description(std::move(description));
    return any;
  }

  void emit(v1::Event event) {
    if (project_) event.set_project(project_->description().root);
    event.set_version(request_.document_version());
    event.set_generation(services_.generation);
    services_.emit(event);
  }

  CheckOutcome end(v1::Verdict verdict) {
    verdict.set_step(verdict::name_of(verdict::Step::Final));
    v1::Event event;
    *event.mutable_verdict() = verdict;
    emit(event);
    CheckOutcome outcome;
    outcome.interrupted = verdict.error() == v1::ERROR_CANCELLED;
    outcome.verdict = std::move(verdict);
    outcome.project = project_;
    return outcome;
  }

  // Where the text would be; in memory it is a file that is not on the disk.
  std::string driver_path(bool cxx) const {
    if (!request_.harness_file().empty()) return request_.harness_file();
    const std::string base = project_->description().root + "/heddle_harness";
    std::error_code error;
    for (int n = 0;; ++n) {
      const std::string path = base + (n == 0 ? "" : "_" + std::to_string(n)) + (cxx ? ".cc" : ".c");
      if (!fs::exists(path, error)) return path;
    }
  }

  std::string include_of(const Declaring& from) const {
    const fs::path folder = fs::path(order_.command.file).parent_path();
    const std::string path = fs::path(from.file).lexically_relative(folder).string();
    const std::string line = "#include \"" + (path.empty() ? from.file : path) + "\"\n";
    if (from.file != from.unit) return line;
    return "#define main main_of_" + std::string("the_project\n") + line + "#undef main\n";
  }

  bool set_command(const std::string& unit) {
    for (const frontend::CompileCommand& command : project_->description().commands) {
      if (command.file != unit) continue;
      order_.command = command;
      order_.command.outputs.clear();
      const bool cxx = is_cxx(command);
      order_.command.file = driver_path(cxx);
      std::replace_if(
          order_.command.arguments.begin() + 1, order_.command.arguments.end(),
          [&](const std::string& argument) {
            return argument == command.file ||
                   (fs::path(command.directory) / argument).lexically_normal() == command.file;
          },
          order_.command.file);
      return true;
    }
    return false;
  }

  std::string not_found(const std::string& name) const {
    return "no class or function '" + name + "' is in the files of the project; name one as its text does, such as " +
           "Queue, app::Queue or 'Queue<int>'";
  }

  std::string write_drivers() {
    std::vector<std::vector<Declaring>> files;
    for (const std::string& name : request_.harness()) {
      files.push_back(files_that_declare(name, loaded_, project_->files()));
      if (files.back().empty()) return not_found(name);
      order_.names.push_back(name);
    }
    order_.overlays = overlays_of(request_);
    order_.linearizable = request_.linearizable();
    std::vector<size_t> chosen(files.size());
    for (int tries = 0; tries < kFilesMost; ++tries) {
      if (!set_command(files[0][chosen[0]].unit)) return not_found(order_.names[0]);
      order_.include.clear();
      std::set<std::string> included;
      for (size_t n = 0; n < files.size(); ++n)
        if (included.insert(files[n][chosen[n]].file).second) order_.include += include_of(files[n][chosen[n]]);
      harness_ = project_->units().harness(order_);
      if (harness_.absent.empty()) return harness_.problem;
      for (size_t n = 0; n < files.size(); ++n) {
        const auto& absent = harness_.absent;
        if (std::find(absent.begin(), absent.end(), order_.names[n]) == absent.end()) continue;
        if (++chosen[n] >= files[n].size()) return not_found(order_.names[n]);
      }
    }
    return not_found(harness_.absent[0]);
  }

  // A file that is kept has tests of the project's framework. One that includes a source file stays a program.
  std::string text_to_keep() const {
    if (request_.harness_file().empty() || order_.include.find("#define main") != std::string::npos ||
        !is_cxx(order_.command))
      return harness_.text;
    std::vector<std::pair<std::string, std::string>> files;
    for (const CompiledUnitPtr& unit : loaded_.units)
      if (auto text = project_->files().text(unit->file)) files.emplace_back(unit->file, std::move(text->first));
    const auto style =
        test_style_of(files, fs::path(order_.command.file).parent_path().string(),
                      [this](const std::string& path) { return project_->files().text(path).has_value(); });
    return style ? as_tests(harness_.text, *style) : harness_.text;
  }

  void report_drivers() {
    v1::Event event;
    v1::Drivers& drivers = *event.mutable_drivers();
    drivers.set_text(text_to_keep());
    drivers.set_path(order_.command.file);
    for (const std::string& note : harness_.notes) drivers.add_notes(note);
    for (const std::string& argument : order_.command.arguments) drivers.add_flags(argument);
    emit(event);
  }

  // A file outside of the project has no folder in its name.
  std::string program_name() const {
    const fs::path file = order_.command.file, inside = file.lexically_relative(project_->description().root);
    const bool outside = inside.empty() || *inside.begin() == "..";
    return fs::path(outside ? file.filename() : inside).replace_extension().string();
  }

  // Checks the drivers of a text; all if `only` is empty. `rest` hears what is no finding and no verdict.
  CheckOutcome check_text(const std::string& text, std::vector<v1::Event>& findings,
                          const std::function<void(const v1::Event&)>& rest, const std::set<std::string>& only) {
    v1::CheckRequest wanted = request_;
    wanted.clear_harness();
    wanted.set_full(true);
    wanted.set_trial(true);
    if (wanted.time_limit_seconds() == 0) wanted.set_time_limit_seconds(kSecondsPerDriver);
    v1::Overlay& overlay = *wanted.add_overlays();
    overlay.set_path(order_.command.file);
    overlay.set_text(text);
    wanted.set_target(program_name());
    Settings settings = services_.settings;
    // Execution graphs cannot express that a driver waits until all other threads are blocked.
    waits_ = text.find("__heddle_settle(-1)") != std::string::npos;
    if (waits_) settings.weak_model = v1::MEMORY_MODEL_SC;
    const auto heard = [&](const v1::Event& event) {
      if (event.has_finding() && !of_results(event.finding()))
        findings.push_back(event);
      else if (event.has_verdict() && !event.target().empty())
        verdicts_[event.target()] = event.verdict();
      else if (!event.has_finding() && !event.has_verdict() && !event.has_diffed())
        rest(event);
    };
    CheckServices services{services_.projects, services_.explorers, settings, services_.interrupt, heard,
                           services_.files,    services_.generation};
    services.driver = order_.command;
    // The text includes the project's own, which may have test cases.
    const std::set<std::string> drivers = drivers_of(text);
    services.wanted = [&](const frontend::Target& target) {
      return drivers.contains(target.test_case) && (only.empty() || only.contains(target.name));
    };
    CheckOutcome outcome = run_check(wanted, services);
    outcome.owed.clear();
    return outcome;
  }

  CheckOutcome check() {
    std::vector<v1::Event> findings;
    CheckOutcome outcome = check_text(harness_.text, findings, services_.emit, {});
    if (outcome.verdict.kind() == v1::VERDICT_ERROR) return end(std::move(outcome.verdict));
    drop_what_needs_no_threads(findings);
    for (const v1::Event& event : findings) report(event);
    return end(summed_up(std::move(outcome.verdict)));
  }

  // The driver keeps no results, and no threads that wait.
  static bool of_results(const v1::Finding& finding) {
    return finding.rule() == "leak" || finding.rule() == "thread-leak";
  }

  // Errors that a misuse may cause: calls in an order that the class does not allow.
  static bool may_be_misuse(const std::string& rule) {
    return rule != "data-race" && rule != "deadlock" && rule != "lost-signal" && rule != "livelock" &&
           rule != "not-linearizable";
  }

  // What a sequential order of the same calls does, too, is no error between threads.
  void drop_what_needs_no_threads(std::vector<v1::Event>& findings) {
    std::set<std::string> asked;
    for (const v1::Event& event : findings)
      if (may_be_misuse(event.finding().rule())) asked.insert(event.target());
    if (asked.empty()) return;
    frontend::HarnessOrder order = order_;
    order.sequential = true;
    const frontend::Harness sequential = project_->units().harness(order);
    if (sequential.text.empty()) return;
    std::vector<v1::Event> alone;
    const auto verdicts = verdicts_;
    check_text(sequential.text, alone, [](const v1::Event&) {}, asked);
    verdicts_ = verdicts;
    for (const v1::Event& event : alone) {
      const v1::Finding& finding = event.finding();
      if (!may_be_misuse(finding.rule())) continue;
      const size_t before = findings.size();
      std::erase_if(findings, [&](const v1::Event& one) {
        return one.target() == event.target() && one.finding().rule() == finding.rule();
      });
      if (findings.size() == before) continue;
      misused_.insert(event.target());
      const std::string text = "a sequential order of the calls fails, too: " + finding.message();
      const auto& notes = harness_.notes;
      if (std::find(notes.begin(), notes.end(), text) == notes.end()) harness_.notes.push_back(text);
    }
  }

  // Histories are judged at one place of the text, whatever was called.
  static void name_apart(const std::string& target, v1::Finding& finding) {
    if (finding.rule() != "not-linearizable") return;
    const std::string id =
        program::IdentityHasher().text(finding.id() + target).finish().hex().substr(0, finding.id().size());
    if (finding.group() == finding.id()) finding.set_group(id);
    finding.set_id(id);
  }

  void report(v1::Event event) {
    v1::Finding& finding = *event.mutable_finding();
    name_apart(event.target(), finding);
    if (!reported_.insert(finding.id()).second || !places_.insert(places_of(finding)).second) return;
    // The first reported finding of a group leads it: the leader in its own driver may repeat an earlier finding.
    const bool first = leaders_.try_emplace(finding.group(), finding.id()).second || finding.group().empty();
    if (!finding.group().empty()) finding.set_group(leaders_[finding.group()]);
    DriverNames(harness_.text).apply(finding);
    const bool counts = !finding.has_suppressed() && finding.state() != v1::FINDING_FIXED;
    const bool follows = finding.follows_from_size() > 0;
    findings_ += counts;
    consequences_ += counts && follows;
    grouped_ += counts && !follows && !first;
    services_.emit(event);
  }

  // The same error in another driver: its rule and where it is, whichever threads came there.
  static std::string places_of(const v1::Finding& finding) {
    std::set<std::string> places;
    for (const v1::Place& place : finding.places())
      places.insert(place.file() + ":" + std::to_string(place.line()) + ":" + std::to_string(place.column()));
    std::string text = finding.rule();
    if (finding.rule() == "not-linearizable") text += finding.message();
    for (const std::string& place : places) text += "\n" + place;
    return text;
  }

  // A driver whose calls are a misuse in some order counts as explored if the same calls were explored on an object
  // that was filled before, or on a fresh one.
  bool has_other_driver(const std::string& target) const {
    if (target.ends_with(".three_threads")) return true;  // its pairs have drivers of their own
    const std::string filled = "_filled", results = target.ends_with("_results") ? "_results" : "";
    const std::string base = target.substr(0, target.size() - results.size());
    const std::string other =
        (base.ends_with(filled) ? base.substr(0, base.size() - filled.size()) : base + filled) + results;
    return verdicts_.contains(other) && !misused_.contains(other);
  }

  // Why the verdict cannot be clear. Empty: it can.
  std::string unexplored() const {
    for (const auto& [target, verdict] : verdicts_) {
      if (verdict.kind() == v1::VERDICT_INCONCLUSIVE && !misused_.contains(target))
        return target + ": " + verdict.message();
      const v1::Scope& scope = verdict.scope();
      const bool cut = scope.step1() == v1::STEP_INCOMPLETE || scope.step2() == v1::STEP_INCOMPLETE ||
                       scope.full() == v1::STEP_INCOMPLETE;
      if (misused_.contains(target) ? !has_other_driver(target) : cut && verdict.kind() != v1::VERDICT_CLEAR)
        return misused_.contains(target) ? target + " fails in a sequential order of its calls, too: it says nothing"
                                         : target + " is not explored to its end";
    }
    return "";
  }

  v1::Verdict summed_up(v1::Verdict verdict) const {
    verdict.set_findings(findings_);
    verdict.set_consequences(consequences_);
    verdict.set_grouped(grouped_);
    verdict.set_open_findings(findings_);
    verdict.set_introduced(findings_ - consequences_ - grouped_);
    if (findings_ > 0) {
      verdict.set_kind(v1::VERDICT_FINDINGS);
      verdict.clear_message();
    } else if (verdict.kind() == v1::VERDICT_FINDINGS) {
      verdict.set_kind(v1::VERDICT_CLEAR);
    }
    if (const std::string why = unexplored(); findings_ == 0 && !why.empty()) {
      verdict.set_kind(v1::VERDICT_INCONCLUSIVE);
      verdict.set_message(why);
    }
    v1::Scope& scope = *verdict.mutable_scope();
    for (const std::string& note : harness_.notes) scope.add_assumptions(note);
    constexpr std::string_view kSettings = ", as memory-model in .heddle.yaml says";
    std::string values = scope.values();
    if (const size_t at = values.find(kSettings); waits_ && at != std::string::npos)
      scope.set_values(values.replace(at, kSettings.size(), ", as calls may wait (docs/HARNESS.md)"));
    std::string names;
    for (const std::string& name : request_.harness()) names += (names.empty() ? "" : ", ") + name;
    scope.set_summary("drivers of " + names + ": every interleaving of each");
    return verdict;
  }

  const v1::CheckRequest& request_;
  const CheckServices& services_;
  Project* project_ = nullptr;
  Loaded loaded_;
  frontend::HarnessOrder order_;
  frontend::Harness harness_;
  std::set<std::string> reported_;              // ids of findings
  std::set<std::string> places_;                // of findings
  std::map<std::string, std::string> leaders_;  // by group
  uint32_t findings_ = 0, consequences_ = 0, grouped_ = 0;
  std::map<std::string, v1::Verdict> verdicts_;  // by driver
  bool waits_ = false;                           // some calls may wait
  std::set<std::string> misused_;                // drivers whose calls fail without threads, too
};

}  // namespace

CheckOutcome run_harness(const v1::CheckRequest& request, const CheckServices& services) {
  return HarnessRun(request, services).run();
}

}  // namespace heddle::engine
