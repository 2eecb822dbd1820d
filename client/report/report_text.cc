// Text for people, in the form every problem matcher knows: `path:line:col: error: message [rule]`.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "client/report/finding_order.h"
#include "client/report/harmless_text.h"
#include "client/report/numbers.h"
#include "client/report/pairs_text.h"
#include "client/report/repeated_defects.h"
#include "client/report/report.h"
#include "client/report/status_text.h"
#include "client/report/table.h"
#include "client/report/verdict_text.h"
#include "client/story/story.h"
#include "client/story/words.h"
#include "server/base/clock.h"

namespace heddle::client {
namespace {

constexpr int kTablesMax = 3;  // of one check: one defect may have many findings
constexpr std::chrono::seconds kKeptMost{2};

std::string who(const v1::Place& place) {
  std::string text = place.thread();
  if (!place.role().empty()) text += (text.empty() ? "" : " ") + place.role();
  if (!place.function().empty()) text += " in " + called(place.function());
  return text;
}

template <typename Message>
Message fit_for_terminal(Message message) {
  make_harmless(message);
  return message;
}

class TextReport final : public Report {
 public:
  TextReport(const ReportOptions& options, Progress& progress) : options_(options), progress_(progress) {}

  void findings(const v1::ShowResponse& given) override {
    const v1::ShowResponse response = fit_for_terminal(given);
    std::map<std::string, std::vector<std::string>> programs;  // by id
    for (const v1::Finding& finding : response.findings()) programs[finding.id()].push_back(finding.target());
    for (const v1::Finding& finding : in_order({response.findings().begin(), response.findings().end()})) {
      tables_ = 0;  // each was asked for
      const std::vector<std::string>& of = programs.at(finding.id());
      if (of.size() > 1 && !options_.quiet)
        write(style().paint(Ink::Bold, "target " + style().path(finding.target())) + " (" + finding.id() +
              " is open in " + std::to_string(of.size()) + " programs: --target NAME chooses one)\n");
      if (response.findings_size() > 1 && counts(finding) && is_below_another(finding))
        show_below(finding);
      else
        show_finding(finding);
    }
    if (response.findings().empty()) write("no open findings\n");
  }

  void pairs(const v1::PairsResponse& given, const std::string& place) override {
    const v1::PairsResponse response = fit_for_terminal(given);
    if (response.targets().empty()) write("nothing was checked yet in this project\n");
    bool found = false;
    for (const v1::TargetPairs& target : response.targets()) {
      const auto& fragments = target.diffed().fragments();
      if (!place.empty() && std::none_of(fragments.begin(), fragments.end(),
                                         [&](const v1::Fragment& fragment) { return lies_at(fragment, place); })) {
        continue;
      }
      found = true;
      write(style().paint(Ink::Bold, "target " + style().path(target.target())) + "\n");
      write(pairs_text(target.diffed(), place, style()));
    }
    if (!found && !response.targets().empty()) {
      write("the last check saw no changed statement at " + place + ": no pair was chosen because of it\n");
    }
  }

  void status(const v1::StatusResponse& given) override {
    const v1::StatusResponse response = fit_for_terminal(given);
    write("heddled " + response.version() + ", process " + std::to_string(response.pid()) + ", up " +
          duration_text(response.uptime_seconds() * 1000) + ", " + response.socket() + "\n");
    if (response.projects().empty()) write("no project yet\n");
    const int64_t now = base::unix_ms();
    if (response.projects_size() > 1) return write(projects_text(response, style(), now));
    for (const v1::ProjectStatus& project : response.projects()) write(project_text(project, style(), now));
  }

 protected:
  void show(const v1::Event& given) override {
    const v1::Event event = fit_for_terminal(given);
    progress_.event(event);
    if (event.generation() != std::exchange(generation_, event.generation())) show_heading();
    switch (event.event_case()) {
      case v1::Event::kDiffed:
        if (!options_.quiet) show_diffed(event);
        break;
      case v1::Event::kFinding: keep(event.finding()); break;
      case v1::Event::kDiagnostic: show_diagnostic(event.diagnostic()); break;
      case v1::Event::kVerdict:
        flush();
        show_verdict(event);
        break;
      case v1::Event::kWeakening: show_weakening(event.weakening()); break;
      case v1::Event::kSmaller: write(smaller_text(event.smaller(), style()) + "\n"); break;
      default: break;
    }
    if (!kept_.empty() && std::chrono::steady_clock::now() - kept_since_ > kKeptMost) flush();
  }

  void flush() override {
    for (const v1::Finding& finding : in_order(std::exchange(kept_, {}))) {
      const bool below = is_below_another(finding);
      // A template instance or a caller of a place that was shown says nothing more.
      const bool again =
          !options_.all_steps && counts(finding) &&
          (below ? finding.follows_from().empty() && repeated_.shown(finding) : repeated_.repeats(finding));
      if (again)
        shown_[finding.target() + "\n" + finding.id()] = finding.state();
      else
        show_finding(finding);
    }
  }

 private:
  // The last word on a finding counts: a defect may turn out to be that of another one.
  void keep(const v1::Finding& finding) {
    if (kept_.empty()) kept_since_ = std::chrono::steady_clock::now();
    const auto same = std::find_if(kept_.begin(), kept_.end(), [&](const v1::Finding& other) {
      return other.id() == finding.id() && other.target() == finding.target();
    });
    if (same != kept_.end())
      *same = finding;
    else if (const auto shown = shown_.find(finding.target() + "\n" + finding.id());
             shown == shown_.end() || shown->second != finding.state())
      kept_.push_back(finding);
    else if (finding.has_remedy() && remedied_.insert(finding.target() + "\n" + finding.id()).second)
      show_remedy(finding);
  }

  const Style& style() const { return options_.style; }

  void write(const std::string& text) {
    progress_.erase();
    std::fwrite(text.data(), 1, text.size(), options_.out);
    std::fflush(options_.out);
  }

  void show_heading() {
    diagnostics_shown_.clear();
    targets_.clear();
    fixed_.clear();
    source_ = {};
    kept_.clear();
    shown_.clear();
    remedied_.clear();
    repeated_.clear();
    tables_ = 0;
    if (!options_.many_checks) return;
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%H:%M:%S", &parts);
    write(style().paint(Ink::Dim,
                        std::string(style().unicode ? "── " : "-- ") + text + (style().unicode ? " ──" : " --")) +
          "\n");
  }

  void show_diagnostic(const v1::Diagnostic& diagnostic) {
    const std::string line = place_prefix(style(), diagnostic.file(), diagnostic.line(), diagnostic.column());
    const bool error = diagnostic.severity() == "error";
    const Ink ink = error ? Ink::Red : diagnostic.severity() == "warning" ? Ink::Magenta : Ink::Cyan;
    // A verdict repeats what was streamed before it, for clients that only read the verdict.
    const std::string text = style().paint(Ink::Bold, line + ":") + " " +
                             style().paint(ink, diagnostic.severity() + ":") + " " + diagnostic.message() + "\n";
    if (diagnostics_shown_.insert(text).second) write(text);
  }

  // Of an error whose message is a diagnostic that was shown and what to do: the latter. The verdict names the place.
  std::string after_diagnostic(v1::Verdict& verdict) const {
    if (verdict.kind() != v1::VERDICT_ERROR) return "";
    for (const v1::Diagnostic& diagnostic : verdict.diagnostics()) {
      const size_t at = verdict.message().find(diagnostic.message() + "; ");
      if (diagnostic.message().empty() || at == std::string::npos) continue;
      std::string rest = verdict.message().substr(at + diagnostic.message().size() + 2);
      verdict.set_message(style().path(diagnostic.file()) + " cannot be used: see line " +
                          std::to_string(diagnostic.line()));
      return rest;
    }
    return "";
  }

  // Of a finding that was shown before it was known.
  void show_remedy(const v1::Finding& finding) {
    const size_t at = finding.message().rfind("; ");
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    if (at != std::string::npos)
      write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
            style().paint(Ink::Cyan, "note:") + " " + finding.message().substr(at + 2) + "\n");
  }

  void show_suppressed(const v1::Finding& finding) {
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    const v1::Suppression& by = finding.suppressed();
    write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
          style().paint(Ink::Cyan, "note:") + " suppressed: " + finding.message() + " [" + finding.rule() + "] " +
          finding.id() + ": " + by.reason() + (by.until().empty() ? "" : ", until " + by.until()) + "\n");
  }

  // What was seen before, and may be there no more.
  void show_not_confirmed(const v1::Finding& finding) {
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
          style().paint(Ink::Cyan, "note:") + " not confirmed, seen in an earlier version: " + finding.message() +
          " [" + finding.rule() + "] " + finding.id() + "\n");
  }

  // Of the same defect as another finding: a line, one for those that read alike or are seen in one line of the text
  // on one object: "data race on 'total'", whichever thread reads or writes it there.
  void show_below(const v1::Finding& finding) {
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    const std::string how = finding.follows_from_size() > 0 ? "finding " + finding.follows_from(0) + " leads to: "
                                                            : "finding " + finding.group() + " is also seen here: ";
    const std::string text =
        style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
        style().paint(Ink::Cyan, "note:") + " " + how + finding.message() + " [" + finding.rule() + "] ";
    const std::string key = finding.follows_from_size() > 0
                                ? text
                                : how + place.file() + ":" + std::to_string(place.line()) + " " +
                                      finding.message().substr(0, finding.message().find(": "));
    if (diagnostics_shown_.insert(key).second)
      write(text + style().paint(Ink::Dim, "`heddle show " + finding.id() + "`") + "\n");
  }

  // What followed from another finding went with it.
  bool fixed_with_another(const v1::Finding& finding) {
    fixed_.insert(finding.id());
    const auto& origins = finding.follows_from();
    return std::any_of(origins.begin(), origins.end(), [&](const std::string& id) { return fixed_.count(id) > 0; });
  }

  // As every problem matcher reads it.
  void show_in_a_line(const v1::Finding& finding) {
    if (!counts(finding) || is_below_another(finding)) return;
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
          style().paint(Ink::Red, "error:") + " " + finding.message() + " [" + finding.rule() + "]\n");
  }

  // A replayed interleaving may run through the places of other findings.
  void show_also_there(const v1::Finding& finding) {
    const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
          style().paint(Ink::Cyan, "note:") + " the interleaving also shows: " + finding.message() + " [" +
          finding.rule() + "] `heddle show " + finding.id() + "`\n");
  }

  void show_finding(const v1::Finding& finding) {
    shown_[finding.target() + "\n" + finding.id()] = finding.state();
    if (finding.has_remedy()) remedied_.insert(finding.target() + "\n" + finding.id());
    if (options_.only_new && !is_introduced(finding)) return;
    if (options_.quiet) return show_in_a_line(finding);
    if (finding.state() == v1::FINDING_FIXED) {
      if (fixed_with_another(finding)) return;
      const v1::Place place = finding.places_size() > 0 ? finding.places(0) : v1::Place();
      return write(style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") +
                   " " + style().paint(Ink::Green, "fixed:") + " " + finding.message() + " [" + finding.rule() + "]\n");
    }
    if (finding.suppressed().baseline() && !options_.verbose && !options_.all_steps) return;  // the verdict counts it
    if (finding.has_suppressed()) return show_suppressed(finding);
    if (finding.state() == v1::FINDING_NOT_CONFIRMED && !options_.all_steps) return show_not_confirmed(finding);
    if (!finding.id().starts_with(options_.replayed)) return show_also_there(finding);
    if (is_below_another(finding) && !options_.all_steps) return show_below(finding);
    std::string text;
    const v1::Place first = finding.places_size() > 0 ? finding.places(0) : v1::Place();
    text += style().paint(Ink::Bold, place_prefix(style(), first.file(), first.line(), first.column()) + ":") + " " +
            (finding.state() == v1::FINDING_NOT_CONFIRMED ? style().paint(Ink::Cyan, "not confirmed:")
                                                          : style().paint(Ink::Red, "error:")) +
            " " + style().paint(Ink::Bold, finding.message()) + " " +
            style().paint(Ink::Dim, "[" + finding.rule() + "]") + "\n";
    for (const std::string& sentence : story_of(finding)) text += "  " + sentence + "\n";
    for (const v1::Place& place : finding.places()) {
      if (who(place).empty()) continue;
      text += style().paint(Ink::Bold, place_prefix(style(), place.file(), place.line(), place.column()) + ":") + " " +
              style().paint(Ink::Cyan, "note:") + " " + who(place) + "\n";
    }
    text += interleaving(finding);
    write(text + "\n");
  }

  std::string interleaving(const v1::Finding& finding) {
    std::set<uint32_t> threads;
    size_t switches = 0;
    for (const v1::TraceStep& step : finding.trace()) {
      threads.insert(step.thread_number());
      switches += step.switched() ? 1 : 0;
    }
    std::string text = "  " + style().paint(Ink::Dim, "finding " + finding.id());
    switch (finding.state()) {
      case v1::FINDING_STILL_THERE: text += style().paint(Ink::Dim, ", still there"); break;
      case v1::FINDING_CHANGED: text += style().paint(Ink::Dim, ", changed since it was first seen"); break;
      case v1::FINDING_NOT_CONFIRMED: text += style().paint(Ink::Dim, ", of an earlier version"); break;
      default: break;
    }
    if (finding.trace_size() == 0) return text + "\n";
    text += style().paint(Ink::Dim, finding.without_interleaving()
                                        ? ", needs no thread to be interrupted: "
                                        : ", " + counted(switches, "switch", "switches") + " between threads: ");
    text += style().paint(Ink::Dim, counted(static_cast<uint64_t>(finding.trace_size()), "step"));
    if (++tables_ > kTablesMax && !options_.all_steps)
      return text + style().paint(Ink::Dim, ", see `heddle show " + finding.id() + "`") + "\n";
    text += "\n";
    TableOptions table;
    table.detail = options_.detail;
    if (options_.quote) table.source = &source_;
    text += render_interleaving(finding, style(), table);
    if (!std::exchange(legend_shown_, true)) {
      text += "    " +
              style().paint(Ink::Dim, style().unicode ? "▸ another thread ran before   ● a place of the finding"
                                                      : "> another thread ran before   * a place of the finding") +
              "\n";
    }
    return text;
  }

  void show_diffed(const v1::Event& event) {
    const std::string text = diffed_text(event.diffed(), event.target(), style());
    if (!text.empty()) write(text);
  }

  // A row as soon as it is known.
  void show_weakening(const v1::Weakening& row) {
    const v1::OrderChange& change = row.change();
    const std::string place = style().path(change.place().file()) + ":" + std::to_string(change.place().line()) + ":" +
                              std::to_string(change.place().column());
    const std::string orders = change.from() + " -> " + change.to();
    const Ink ink = row.outcome() == "noticed" ? Ink::Green : row.outcome() == "harmless" ? Ink::Yellow : Ink::Dim;
    std::string why = row.message();
    if (row.has_place()) why += " (line " + std::to_string(row.place().line()) + ")";
    if (row.outcome() == "harmless") why = "could be " + change.to();
    char text[64];
    std::snprintf(text, sizeof text, "  %-8s%-20s", change.operation().c_str(), orders.c_str());
    write(place + text + style().paint(ink, row.outcome()) + (why.empty() ? "" : ": " + why) + "\n");
    ++weakenings_[row.outcome()];
  }

  void show_weakenings() {
    if (weakenings_.empty()) return;
    write(std::to_string(weakenings_["noticed"]) + " noticed, " + std::to_string(weakenings_["harmless"]) +
          " harmless, " + std::to_string(weakenings_["unknown"]) + " not known\n");
    weakenings_.clear();
  }

  void show_verdict(const v1::Event& event) {
    const v1::Verdict& verdict = event.verdict();
    for (const v1::Diagnostic& diagnostic : verdict.diagnostics()) show_diagnostic(diagnostic);
    const bool combined = is_combined_verdict(event);
    if (options_.many_checks && verdict.error() == v1::ERROR_CANCELLED) return;  // a newer save took over
    show_weakenings();
    if (!combined && verdict.step() != "final") return;  // the progress line and the final verdict say it
    if (!combined) {
      targets_.push_back(verdict_line(verdict, event.target(), style()) + "\n");
      return;
    }
    // With one target its line and the combined one would say the same.
    std::string text;
    if (!options_.quiet)
      for (const std::string& line : repeated_.lines()) text += style().paint(Ink::Cyan, "note:") + " " + line + "\n";
    if (targets_.size() > 1) {
      for (const std::string& line : targets_) text += line;
    }
    targets_.clear();
    v1::Verdict once = verdict;
    if (const std::string rest = after_diagnostic(once); !rest.empty())
      text += "  " + rest + "\n";
    else if (options_.verbose)
      text += verdict_details(verdict, style());
    else if (!options_.quiet || verdict.kind() == v1::VERDICT_ERROR)
      text += verdict_reasons(verdict, style());
    once.set_grouped(verdict.grouped() + repeated_.count());
    text += verdict_line(once, "", style()) + "\n";
    if (!options_.quiet && !options_.verbose) text += verdict_notes(verdict, style());
    write(text);
  }

  std::map<std::string, uint32_t> weakenings_;  // by outcome
  const ReportOptions options_;
  Progress& progress_;
  std::set<std::string> diagnostics_shown_, fixed_;
  std::set<std::string> remedied_;  // findings that were shown with what forbids them
  std::vector<v1::Finding> kept_;   // not shown yet
  std::chrono::steady_clock::time_point kept_since_;
  std::map<std::string, v1::FindingState> shown_;  // of this check, by target and id
  std::vector<std::string> targets_;
  RepeatedDefects repeated_;
  bool legend_shown_ = false;
  SourceText source_;        // as the disk has it now
  int tables_ = 0;           // interleavings of this check that were printed
  uint64_t generation_ = 0;  // of the check that is shown
};

}  // namespace

std::unique_ptr<Report> make_text_report(const ReportOptions& options, Progress& progress) {
  return std::make_unique<TextReport>(options, progress);
}

}  // namespace heddle::client
