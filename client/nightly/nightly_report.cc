// The nightly's report: text, and one HTML page with the course of the runs.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>

#include "client/nightly/nightly.h"
#include "client/nightly/nightly_kinds.h"
#include "client/report/report_document.h"

namespace heddle::client {
namespace {

using List = std::vector<NightlyFinding> NightlyTarget::*;

std::string when(int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::string rounded(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) return std::to_string(static_cast<int64_t>(value));
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.1f", value);
  return text;
}

std::string place_text(const NightlyFinding& f, const std::string& root) { return relative_path(f.place, root); }

struct Heading {
  const char* text;
  List list;
};
constexpr Heading kHeadings[] = {{"missed by the increments", &NightlyTarget::missed},
                                 {"reported by the increments, not confirmed", &NightlyTarget::unconfirmed},
                                 {"both found", &NightlyTarget::agreed},
                                 {"fixed since the last check", &NightlyTarget::fixed}};

// "lock dropped, condition changed"
std::string edits_text(const NightlyFinding& f) {
  std::string text;
  for (const std::string& kind : f.edits) text += (text.empty() ? "" : ", ") + kind;
  return text;
}

std::vector<NightlyKind> kinds_of_run(const NightlyRun& run) {
  std::vector<NightlyKind> kinds;
  for (const NightlyTarget& t : run.targets) add_kinds(kinds, t.kinds);
  return kinds;
}

struct Column {
  const char* text;
  uint64_t NightlyKind::* number;
};
constexpr Column kColumns[] = {{"edits", &NightlyKind::edits},   {"both found", &NightlyKind::agreed},
                               {"missed", &NightlyKind::missed}, {"not confirmed", &NightlyKind::unconfirmed},
                               {"fixed", &NightlyKind::fixed},   {"inconclusive", &NightlyKind::inconclusive}};

std::optional<double> recall(const NightlyKind& kind) {
  if (kind.agreed + kind.missed == 0) return std::nullopt;
  return 100 * static_cast<double>(kind.agreed) / static_cast<double>(kind.agreed + kind.missed);
}

std::string kinds_text(const NightlyRun& run) {
  const std::vector<NightlyKind> kinds = kinds_of_run(run);
  if (kinds.empty()) return "";
  constexpr size_t kName = 36;
  const auto padded = [](std::string text, size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
  };
  std::string text = "edits since the last nightly";
  text.resize(kName, ' ');
  for (const Column& column : kColumns) text += "  " + std::string(column.text);
  text += "  recall\n";
  for (const NightlyKind& kind : kinds) {
    std::string row = "  " + kind.name;
    row.resize(std::max(kName, row.size()), ' ');
    for (const Column& column : kColumns)
      row += "  " + padded(std::to_string(kind.*column.number), std::string_view(column.text).size());
    const std::optional<double> part = recall(kind);
    text += row + "  " + padded(part ? rounded(*part) + " %" : "-", 6) + "\n";
  }
  return text;
}

// Over all stored runs.
std::string kinds_html(const std::vector<NightlyRun>& history) {
  std::vector<NightlyKind> kinds;
  for (const NightlyRun& run : history) add_kinds(kinds, kinds_of_run(run));
  if (kinds.empty()) return "";
  std::string page =
      "<h2>Kinds of edits</h2>\n<p>" +
      (history.size() == 1 ? std::string("this run") : "all " + std::to_string(history.size()) + " runs") +
      "; an edit of several kinds counts in each</p>\n<table class=\"kinds\">\n<tr><th>Kind</th>";
  for (const Column& column : kColumns) page += "<th class=\"number\">" + std::string(column.text) + "</th>";
  page += "<th>recall</th></tr>\n";
  for (const NightlyKind& kind : kinds) {
    page += "<tr><td>" + escaped(kind.name) + "</td>";
    for (const Column& column : kColumns) {
      const uint64_t number = kind.*column.number;
      const bool bad = number && (column.number == &NightlyKind::missed || column.number == &NightlyKind::unconfirmed);
      page += "<td class=\"number" +
              std::string(bad      ? " bad"
                          : number ? ""
                                   : " none") +
              "\" data-name=\"" + column.text + "\">" + std::to_string(number) + "</td>";
    }
    const std::optional<double> part = recall(kind);
    page += "<td class=\"share\" data-name=\"recall\">" +
            (part ? "<meter min=\"0\" max=\"100\" value=\"" + rounded(*part) + "\"></meter> " + rounded(*part) + " %"
                  : std::string("<span class=\"none\">no finding</span>")) +
            "</td></tr>\n";
  }
  return page + "</table>\n";
}

double recall(const NightlyRun& run) {
  const double agreed = static_cast<double>(run.count(&NightlyTarget::agreed));
  const double missed = static_cast<double>(run.count(&NightlyTarget::missed));
  return agreed + missed == 0 ? 100 : 100 * agreed / (agreed + missed);
}

double coverage(const NightlyRun& run) {
  double explored = 0, owed = 0;
  for (const NightlyTarget& t : run.targets) {
    explored += static_cast<double>(t.pairs_explored);
    owed += static_cast<double>(t.pairs_owed);
  }
  return explored + owed == 0 ? 100 : 100 * explored / (explored + owed);
}

double total_seconds(const NightlyRun& run) {
  double sum = 0;
  for (const NightlyTarget& t : run.targets) sum += t.seconds;
  return sum;
}

// "12 executions, 5 of them before an interruption, 3 s"
std::string effort(const NightlyTarget& t) {
  return std::to_string(t.executions) + " executions, " +
         (t.resumed ? std::to_string(t.resumed) + " of them before an interruption, " : "") + rounded(t.seconds) + " s";
}

// One figure over the runs, oldest on the left.
std::string plot(const std::vector<NightlyRun>& history, const std::string& title, const std::string& unit,
                 double (*figure)(const NightlyRun&)) {
  constexpr double kWidth = 320, kHeight = 96, kLeft = 40, kTop = 8, kBottom = 18;
  double most = 0;
  for (const NightlyRun& run : history) most = std::max(most, figure(run));
  if (most == 0) most = 1;
  const auto x = [&](size_t n) {
    const double last = history.size() > 1 ? static_cast<double>(history.size() - 1) : 1;
    return rounded(kLeft + (kWidth - kLeft - 8) * static_cast<double>(n) / last);
  };
  const auto y = [&](double value) { return rounded(kTop + (kHeight - kTop - kBottom) * (1 - value / most)); };
  std::string points, dots;
  for (size_t n = 0; n < history.size(); ++n) {
    const double value = figure(history[n]);
    points += x(n) + "," + y(value) + " ";
    dots += "<circle cx=\"" + x(n) + "\" cy=\"" + y(value) + "\" r=\"2.5\"><title>" + when(history[n].started_unix_ms) +
            ": " + rounded(value) + " " + unit + "</title></circle>";
  }
  return "<figure><figcaption>" + title + " <b>" + rounded(figure(history.back())) + " " + unit +
         "</b></figcaption><svg viewBox=\"0 0 320 96\" role=\"img\" aria-label=\"" + title +
         "\"><path class=\"axis\" d=\"M40 8V78H312\"/>" + "<text x=\"36\" y=\"14\" text-anchor=\"end\">" +
         rounded(most) + "</text><text x=\"36\" y=\"80\" text-anchor=\"end\">0</text>" + "<text x=\"40\" y=\"93\">" +
         when(history.front().started_unix_ms).substr(0, 10) + "</text><text x=\"312\" y=\"93\" text-anchor=\"end\">" +
         when(history.back().started_unix_ms).substr(0, 10) + "</text>" + "<polyline points=\"" + points + "\"/>" +
         dots + "</svg></figure>\n";
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1d1f23; --soft: #6b7280; --line: #3563c9; --ground: #fff; --rule: #d9dce1; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7ea; --soft: #9aa1ac; --line: #86a8f7; --ground: #17181b; --rule: #34373d; --bad: #ff8a80; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem } p { color: var(--soft); margin: .2rem 0 }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 1rem; margin: 1.5rem 0 }
figure { margin: 0; border: 1px solid var(--rule); border-radius: 6px; padding: .6rem } figcaption { font-size: .85rem; color: var(--soft) } figcaption b { color: var(--ink) }
svg { width: 100% } svg text { font-size: 9px; fill: var(--soft) } polyline { fill: none; stroke: var(--line); stroke-width: 1.5 } circle { fill: var(--line) } .axis { fill: none; stroke: var(--rule) }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--rule); vertical-align: top } th { color: var(--soft); font-weight: 500; font-size: .85rem }
.bad { color: var(--bad) } .none { color: var(--soft) } code { font-size: .9em }
.number { text-align: right; font-variant-numeric: tabular-nums } .share { white-space: nowrap } meter { width: 5rem; vertical-align: middle }
@media (max-width: 40rem) { table, tbody, tr, td { display: block } tr:first-child { display: none } tr { border-bottom: 1px solid var(--rule); padding: .5rem 0 } td { border: 0; padding: .1rem 0 } td:nth-child(2) { color: var(--soft) } td:nth-child(3) { overflow-wrap: anywhere }
  .kinds td:first-child { font-weight: 600 } .kinds td + td { display: inline-block; margin-right: 1rem; color: var(--ink); text-align: left }
  .kinds td + td.none { display: none } .kinds td.bad { color: var(--bad) } .kinds td[data-name]::before { content: attr(data-name) " "; color: var(--soft); font-size: .85rem } }
)";

}  // namespace

std::string verification_text(const NightlyRun& run, const std::string& root) {
  std::string text;
  for (const NightlyTarget& t : run.targets) {
    for (const auto& [heading, list] :
         {std::pair("missed by the increment", &NightlyTarget::missed),
          std::pair("reported by the increment, not confirmed", &NightlyTarget::unconfirmed),
          std::pair("both found", &NightlyTarget::agreed)})
      for (const NightlyFinding& f : t.*list)
        text += place_text(f, root) + ": " + heading + ": " + f.message + " [" + f.rule + "] " + f.id + "\n";
    const size_t differences = t.missed.size() + t.unconfirmed.size();
    text += t.name + ": increment " + t.verdict_before + ", every interleaving " +
            (t.complete ? t.verdict_full : "not explored to the end") + ": " +
            (differences ? std::to_string(differences) + " differences; please report them" : "no difference") + "; " +
            std::to_string(t.executions) + " interleavings\n";
  }
  return text;
}

std::string nightly_text(const NightlyRun& run, const std::string& root) {
  std::string text;
  for (const NightlyTarget& t : run.targets) {
    text += t.name + ": increments " + t.verdict_before + ", all interleavings " + t.verdict_full +
            (t.complete ? "" : ", not explored to the end") + " (" + effort(t) + ")\n";
    for (const auto& [heading, list] : kHeadings)
      for (const NightlyFinding& f : t.*list)
        text += "  " + std::string(heading) + ": " + place_text(f, root) + ": " + f.message + " [" + f.rule + "] " +
                f.id + (f.edits.empty() ? "" : " (edit: " + edits_text(f) + ")") + "\n";
  }
  text += kinds_text(run);
  text += "nightly: " + std::to_string(run.count(&NightlyTarget::agreed)) + " agreed, " +
          std::to_string(run.count(&NightlyTarget::missed)) + " missed, " +
          std::to_string(run.count(&NightlyTarget::unconfirmed)) + " not confirmed, " +
          std::to_string(run.count(&NightlyTarget::fixed)) + " fixed" +
          (run.complete() ? "; every interleaving of every target was explored"
                          : "; not every target was explored to its end") +
          "\n";
  return text;
}

std::string nightly_html(const std::vector<NightlyRun>& history, const std::string& root) {
  const NightlyRun& run = history.back();
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>Heddle nightly</title>\n<style>" +
      std::string(kStyle) +
      "</style>\n</head>\n<body>\n<h1>Heddle nightly: " + escaped(root.substr(root.rfind('/') + 1)) + "</h1>\n<p>" +
      when(run.started_unix_ms) + " UTC, " + std::to_string(run.targets.size()) +
      (run.targets.size() == 1 ? " target, " : " targets, ") +
      (run.complete() ? "every interleaving explored" : "not explored to the end") + "</p>\n<div class=\"plots\">\n";
  page += plot(history, "Open findings", "", [](const NightlyRun& r) {
    return static_cast<double>(r.count(&NightlyTarget::agreed) + r.count(&NightlyTarget::missed));
  });
  page += plot(history, "Missed by increments", "",
               [](const NightlyRun& r) { return static_cast<double>(r.count(&NightlyTarget::missed)); });
  page += plot(history, "Recall of increments", "%", recall);
  page += plot(history, "Time", "s", total_seconds);
  page += plot(history, "Pairs covered", "%", coverage);
  page += "</div>\n";
  for (const NightlyTarget& t : run.targets) {
    page += "<h2>" + escaped(t.name) + "</h2>\n<p>increments " + t.verdict_before + ", all interleavings " +
            t.verdict_full + (t.complete ? "" : ", not explored to the end") + ", " + effort(t) + "</p>\n";
    std::string rows;
    for (const auto& [heading, list] : kHeadings)
      for (const NightlyFinding& f : t.*list)
        rows += "<tr><td" + std::string(list == &NightlyTarget::missed ? " class=\"bad\"" : "") + ">" + heading +
                "</td><td>" + escaped(f.rule) + "</td><td>" + escaped(f.message) + "</td><td><code>" +
                escaped(place_text(f, root)) + "</code></td><td>" + escaped(edits_text(f)) + "</td></tr>\n";
    if (!rows.empty())
      page += "<table>\n<tr><th>Comparison</th><th>Rule</th><th>Finding</th><th>Place</th><th>Came with</th></tr>\n" +
              rows + "</table>\n";
  }
  page += kinds_html(history);
  return page + "</body>\n</html>\n";
}

}  // namespace heddle::client
