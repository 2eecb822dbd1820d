// One page that needs nothing else: the findings, each with the interleaving view of client/view and the code around
// its steps.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "client/report/finding_order.h"
#include "client/report/inputs.h"
#include "client/report/report_document.h"
#include "client/report/rules.h"
#include "client/report/source_text.h"
#include "client/report/terminal.h"
#include "client/report/verdict_text.h"
#include "client/report/view_assets.h"
#include "client/story/outline.h"
#include "client/story/story.h"

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;
constexpr uint32_t kAround = 6;  // lines of code kept around a step's

std::string item(const std::string& text) { return "<li>" + escaped(text) + "</li>"; }

class Page {
 public:
  explicit Page(const Document& document) : document_(document) {}

  std::string text() {
    for (const v1::Finding& finding : document_.findings) {
      if (finding.state() != v1::FINDING_FIXED) shown_.push_back(&finding);
    }
    // The page runs its own script only, and loads nothing.
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n"
        "<title>" +
        escaped(title()) + "</title>\n<style>\n" + std::string(asset::report_css) +
        std::string(asset::interleaving_css) + "</style>\n</head>\n<body>\n<div class=\"page\">\n";
    page += head() + list();
    if (!shown_.empty()) {
      page +=
          "<main id=\"interleaving\"></main>\n<p class=\"keys\">Keys: <kbd>&darr;</kbd> <kbd>&uarr;</kbd> step, "
          "<kbd>[</kbd> <kbd>]</kbd> "
          "switch, <kbd>o</kbd> other thread, <kbd>-</kbd> <kbd>+</kbd> detail, <kbd>h</kbd> what happens before what, "
          "<kbd>t</kbd> table</p>\n";
    }
    page += "<footer>Heddle " HEDDLE_VERSION "</footer>\n</div>\n";
    if (!shown_.empty()) {
      page += "<script type=\"application/json\" id=\"data\">" + data() + "</script>\n<script>\n" +
              std::string(asset::interleaving_model_js) + std::string(asset::interleaving_parts_js) +
              std::string(asset::interleaving_view_js) + std::string(asset::report_js) + "</script>\n";
    }
    return page + "</body>\n</html>\n";
  }

 private:
  std::string title() const {
    if (shown_.size() == 1) return shown_[0]->message();
    return shown_.empty() ? "Heddle: no findings" : "Heddle: " + std::to_string(shown_.size()) + " findings";
  }

  std::string head() const {
    const std::string project = document_.root.substr(document_.root.rfind('/') + 1);
    std::string text = "<header>\n<h1>Heddle: " + escaped(project) + "</h1>\n";
    if (!document_.verdict) return text + "</header>\n";
    const v1::Verdict& verdict = *document_.verdict;
    text += "<p class=\"verdict\">" + escaped(verdict_words(verdict)) + "</p>\n";
    std::string details;
    for (const v1::Diagnostic& diagnostic : document_.diagnostics) {
      details += item(relative_path(diagnostic.file(), document_.root) + ":" + std::to_string(diagnostic.line()) +
                      ": " + diagnostic.severity() + ": " + diagnostic.message());
    }
    const v1::Scope& scope = verdict.scope();
    for (const std::string& entry : scope.limits()) details += item("limit: " + entry);
    for (const v1::UnknownExternal& external : scope.unknown_externals())
      details += item(external.variable() ? "unknown variable: " + external.name()
                                          : "unknown function: " + external.name() + "()");
    for (const std::string& entry : scope.widened()) details += item("widened: " + entry);
    for (const std::string& entry : scope.assumptions()) details += item("assumed: " + entry);
    for (const v1::Finding& finding : document_.findings) {
      if (finding.state() == v1::FINDING_FIXED) details += item("fixed: " + finding.message());
    }
    if (!details.empty()) {
      const bool open = verdict.kind() == v1::VERDICT_INCONCLUSIVE || verdict.kind() == v1::VERDICT_ERROR;
      text += std::string("<details") + (open ? " open" : "") + "><summary>What the verdict rests on</summary><ul>" +
              details + "</ul></details>\n";
    }
    return text + "</header>\n";
  }

  std::string list() const {
    if (shown_.size() < 2) return "";
    std::string text = "<nav aria-label=\"Findings\"><ol>\n";
    for (const v1::Finding* finding : shown_) {
      const char* state = finding->state() == v1::FINDING_NOT_CONFIRMED ? "not confirmed"
                          : finding->follows_from_size() > 0            ? "consequence"
                          : is_below_another(*finding)                  ? "also seen"
                          : finding->state() == v1::FINDING_STILL_THERE ? "still there"
                          : finding->state() == v1::FINDING_CHANGED     ? "changed"
                                                                        : "";
      text += "<li><a href=\"#" + escaped(finding->id()) + "\"><span>" + escaped(finding->message()) +
              "</span><span class=\"state\">" + state + "</span>";
      if (!finding->places().empty()) {
        text += "<span class=\"place\">" + escaped(relative_path(finding->places(0).file(), document_.root)) + ":" +
                std::to_string(finding->places(0).line()) + "</span>";
      }
      text += "</a></li>\n";
    }
    return text + "</ol></nav>\n";
  }

  // Traces have the shape of `heddle/trace` in docs/LSP.md.
  std::string data() {
    Json traces = Json::array();
    for (const v1::Finding* finding : shown_) traces.push_back(trace(*finding));
    const Json all = {{"traces", std::move(traces)}, {"sources", sources()}};
    std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (size_t at = 0; (at = text.find('<', at)) != text.npos;)
      text.replace(at, 1, "\\u003c");  // "</script>" in a string
    return text;
  }

  Json trace(const v1::Finding& finding) {
    Json threads = Json::array(), steps = Json::array();
    std::set<uint32_t> seen;
    const std::vector<StepOutline> outline = steps_outlined(finding);
    for (const v1::TraceStep& step : finding.trace()) {
      const StepOutline& shown = outline[steps.size()];
      if (seen.insert(step.thread_number()).second)
        threads.push_back({{"number", step.thread_number()}, {"name", step.thread()}});
      const v1::Place& place = step.place();
      lines_[place.file()].insert(place.line());
      Json locks = Json::array(), after = Json::array();
      for (const std::string& lock : step.locks_held()) locks.push_back(lock);
      for (const uint32_t row : step.after()) after.push_back(row);
      steps.push_back({{"index", steps.size()},
                       {"thread", step.thread_number()},
                       {"uri", relative_path(place.file(), document_.root)},
                       {"line", place.line()},
                       {"column", place.column()},
                       {"function", place.function()},
                       {"text", source_.excerpt(place.file(), place.line(), place.column())},
                       {"action", step.action()},
                       {"object", step.object()},
                       {"valueRead", step.value_read()},
                       {"valueWritten", step.value_written()},
                       {"locksHeld", std::move(locks)},
                       {"switched", step.switched()},
                       {"decisive", step.decisive()},
                       {"library", step.library()},
                       {"row", shown.row},
                       {"detail", static_cast<int>(shown.detail)},
                       {"summary", shown.summary},
                       {"after", std::move(after)}});
      if (step.reads_from() > 0) steps.back()["readsFrom"] = step.reads_from() - 1;
    }
    return {{"id", finding.id()},
            {"rule", finding.rule()},
            {"message", finding.message()},
            {"story", story_of(finding)},
            {"target", relative_path(finding.target(), document_.root)},
            {"schedule", finding.schedule()},
            {"stale", false},
            {"withoutInterleaving", finding.without_interleaving()},
            {"inputs", inputs_of(finding)},
            {"threads", std::move(threads)},
            {"steps", std::move(steps)}};
  }

  // The lines around the steps, in runs.
  Json sources() {
    Json all = Json::object();
    for (const auto& [file, wanted] : lines_) {
      const auto& text = source_.lines(file);
      Json excerpts = Json::array();
      uint32_t end = 0;  // first line that is not in yet
      for (const uint32_t line : wanted) {
        if (line == 0 || line > text.size()) continue;
        const uint32_t first = line > kAround ? line - kAround : 1,
                       last = std::min<uint32_t>(line + kAround, static_cast<uint32_t>(text.size()));
        if (excerpts.empty() || first > end) excerpts.push_back({{"first", first}, {"lines", Json::array()}});
        for (uint32_t n = std::max(first, end); n <= last; ++n) excerpts.back()["lines"].push_back(text[n - 1]);
        end = std::max(end, last + 1);
      }
      all[relative_path(file, document_.root)] = std::move(excerpts);
    }
    return all;
  }

  const Document& document_;
  std::vector<const v1::Finding*> shown_;
  SourceText source_;
  std::map<std::string, std::set<uint32_t>> lines_;  // quoted, per file
};

}  // namespace

std::string html_text(const Document& document) { return Page(document).text(); }

}  // namespace heddle::client
