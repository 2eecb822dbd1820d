#include "client/report/verdict_text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "client/report/numbers.h"
#include "server/text/grouped.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

constexpr int kPlacesMax = 3, kLimitsMax = 3;
constexpr unsigned kSubjectMax = 30;

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

struct Head {
  Ink ink = Ink::Red;
  std::string words;
};

Head head(const v1::Verdict& verdict) {
  switch (verdict.kind()) {
    case v1::VERDICT_CLEAR: return {Ink::Green, "nothing found within scope"};
    case v1::VERDICT_FINDINGS: {
      const uint32_t below = std::min(verdict.findings(), verdict.consequences() + verdict.grouped());
      const uint32_t defects = verdict.findings() - below;
      std::string words = counted(defects, "finding");
      if (verdict.introduced() < defects && verdict.introduced() > 0)
        words += " (" + text::grouped(verdict.introduced()) + " new)";
      if (below > 0) words += ", also seen at " + counted(below, "place");
      return {Ink::Red, words};
    }
    case v1::VERDICT_INCONCLUSIVE:
      return {Ink::Yellow, verdict.error() == v1::ERROR_CANCELLED ? "cancelled" : "inconclusive"};
    default: return {Ink::Red, verdict.error() == v1::ERROR_BUILD ? "build error" : "error"};
  }
}

// The message of an inconclusive verdict repeats the limits, which have lines of their own.
std::string short_message(const v1::Verdict& verdict) {
  std::string text = verdict.message();
  for (const std::string& limit : verdict.scope().limits()) {
    const size_t at = text.find(limit);
    if (at == text.npos || limit.empty()) continue;
    const bool more = text.compare(at + limit.size(), 2, "; ") == 0;
    text.erase(at, limit.size() + (more ? 2 : 0));
  }
  while (text.ends_with(": ") || text.ends_with("; ")) text.resize(text.size() - 2);
  return text;
}

std::string pairs_part(const v1::Verdict& verdict) {
  const v1::Scope& scope = verdict.scope();
  std::vector<std::string> parts;
  if (scope.pairs_explored() > 0) parts.push_back(counted(scope.pairs_explored(), "pair") + " explored");
  if (scope.pairs_reused() > 0) parts.push_back(text::grouped(scope.pairs_reused()) + " reused");
  if (scope.pairs_skipped() > 0) parts.push_back(text::grouped(scope.pairs_skipped()) + " skipped");
  if (scope.pairs_not_reached() > 0)
    parts.push_back(text::grouped(scope.pairs_not_reached()) + " never came to the change");
  if (scope.pairs_owed() > 0) parts.push_back(text::grouped(scope.pairs_owed()) + " still owed");
  return joined(parts, ", ");
}

// "steps 1 and 2 complete", "step 1 complete, step 2 incomplete", "every interleaving explored".
std::string steps_part(const v1::Scope& scope) {
  const auto word = [](v1::StepState state) -> std::string {
    switch (state) {
      case v1::STEP_COMPLETE: return "complete";
      case v1::STEP_INCOMPLETE: return "incomplete";
      case v1::STEP_RUNNING: return "running";
      default: return "";
    }
  };
  if (scope.full() == v1::STEP_COMPLETE) return "all interleavings";
  if (scope.full() == v1::STEP_INCOMPLETE) return "not all interleavings";
  const std::string one = word(scope.step1()), two = word(scope.step2());
  if (one.empty() && two.empty()) return "";
  if (one == two) return "steps 1 and 2 " + one;
  return joined({one.empty() ? "" : "step 1 " + one, two.empty() ? "" : "step 2 " + two}, ", ");
}

std::string place_list(const v1::UnknownExternal& external, const Style& style) {
  std::string text;
  for (int i = 0; i < external.places_size() && i < kPlacesMax; ++i) {
    text += (i == 0 ? " at " : ", ") + style.path(external.places(i).file()) + ":" +
            std::to_string(external.places(i).line());
  }
  if (external.places_size() > kPlacesMax) text += ", ...";
  return text;
}

std::string cut(const std::string& text, unsigned columns) {
  if (display_width(text) <= columns) return text;
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    const bool begins = (static_cast<unsigned char>(text[n]) & 0xC0) != 0x80;
    if (begins && display_width(out) + 3 >= columns) break;
    out += text[n];
  }
  return out + "...";
}

// Why there is no answer, in few words: the first limit that was hit, the first clause of an error.
std::string reason(const v1::Verdict& verdict, const Style& style) {
  const bool limited = verdict.kind() == v1::VERDICT_INCONCLUSIVE && !verdict.scope().limits().empty();
  const std::string text = style.paths(limited ? verdict.scope().limits(0) : verdict.message());
  return text.substr(0, text.find("; "));
}

// Names the exploration of which something is said.
bool is_label(std::string_view text) {
  constexpr std::string_view kLabels[] = {"pair ",
                                          "step ",
                                          "under ",
                                          "of the version before: ",
                                          "all interleavings: ",
                                          "the program's run: ",
                                          "what the races lead to: "};
  return std::any_of(std::begin(kLabels), std::end(kLabels),
                     [&](std::string_view one) { return text.starts_with(one); });
}

// "pair A / B: stopped at its time limit (10.0 s)" -> "stopped at its time limit (10.0 s)", if the names do not fit.
// What stands after a colon explains: "main starts no thread: `stdin` says ..." -> "main starts no thread".
std::string fitting(std::string why, unsigned columns) {
  for (size_t at; display_width(why) > columns && is_label(why) && (at = why.find(": ")) != std::string::npos;)
    why.erase(0, at + 2);
  if (display_width(why) <= columns) return why;
  const size_t at = why.find(": ");
  const size_t place = why.rfind(" (");  // " (queue.cc:12)"
  if (at == std::string::npos) return cut(why, columns);
  const std::string said = why.substr(0, at);
  if (place == std::string::npos || place < at || !why.ends_with(")")) return cut(said, columns);
  const std::string with_place = said + why.substr(place);
  return display_width(with_place) <= columns ? with_place : cut(said, columns);
}

// A target's name in few columns: of the test case "tests/pool_test:Pool.Waits", which does not fit, "Pool.Waits".
std::string subject(const std::string& target, const Style& style) {
  std::string name = style.path(target);
  if (const size_t at = name.find(':'); display_width(name) > kSubjectMax && at != std::string::npos)
    name.erase(0, at + 1);
  return cut(name, kSubjectMax);
}

// From the current folder, also if that leads up.
std::string short_path(const std::string& absolute, const Style& style) {
  const std::string from_here = fs::path(absolute).lexically_relative(style.current_directory).string();
  return from_here.empty() || from_here.size() > absolute.size() ? absolute : from_here;
}

std::string last_part(const std::string& text, unsigned columns) {
  if (display_width(text) <= columns) return text;
  size_t at = 0;
  while (display_width(text.substr(at)) + 3 > columns || (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return "..." + text.substr(at);
}

// "the version verified 2 minutes ago" -> "base: verified 2 minutes ago"
std::string base_part(const std::string& compared_with, const Style& style) {
  constexpr std::string_view kVersion = "the version ";
  if (compared_with.empty()) return "";
  if (compared_with == "nothing: first check") return "first check";
  if (compared_with.starts_with("nothing")) return "compared with nothing";
  if (compared_with.starts_with(kVersion)) return "base: " + compared_with.substr(kVersion.size());
  if (compared_with.starts_with("the same program")) return compared_with;
  constexpr std::string_view kGiven = "--base ";
  if (compared_with.starts_with(kGiven))  // its end says which one
    return "base: " + last_part(short_path(compared_with.substr(kGiven.size()), style), 40);
  return "base: " + cut(style.paths(compared_with), 40);
}

std::string steps_in_short(const v1::Scope& scope) {
  if (scope.full() == v1::STEP_COMPLETE) return "all interleavings";
  if (scope.full() == v1::STEP_INCOMPLETE) return "not all interleavings";
  if (scope.step2() == v1::STEP_COMPLETE) return scope.everything() ? "all interleavings" : "step 2 complete";
  if (scope.step2() != v1::STEP_NOT_NEEDED)
    return scope.step2() == v1::STEP_RUNNING ? "step 2 still runs" : "step 2 not complete";
  if (scope.step1() == v1::STEP_NOT_NEEDED) return "nothing explored";
  return scope.step1() == v1::STEP_COMPLETE ? "step 1 complete" : "step 1 not complete";
}

// What fits, the more important parts first; printed in the order of the list.
std::string fitted(const std::vector<std::pair<int, std::string>>& parts, unsigned columns) {
  std::vector<size_t> order;
  for (size_t n = 0; n < parts.size(); ++n) order.push_back(n);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return parts[a].first < parts[b].first; });
  std::vector<std::string> chosen(parts.size());
  std::string text;
  for (const size_t n : order) {
    chosen[n] = parts[n].second;
    std::string longer = joined(chosen, "; ");
    if (display_width(longer) <= columns)
      text = std::move(longer);
    else
      chosen[n].clear();
  }
  return text;
}

std::string short_scope(const v1::Verdict& verdict, const Style& style, unsigned columns) {
  const v1::Scope& scope = verdict.scope();
  const v1::Statistics& stats = verdict.stats();
  const std::string why = reason(verdict, style);
  if (verdict.kind() == v1::VERDICT_ERROR || verdict.error() == v1::ERROR_CANCELLED) return cut(why, columns);
  const uint32_t pairs = scope.pairs_explored() + scope.pairs_reused();
  const std::string time = stats.ms().total() > 0 ? duration_text(stats.ms().total()) : "";
  const std::string not_confirmed =
      verdict.not_confirmed() > 0 ? counted(verdict.not_confirmed(), "finding") + " not confirmed" : "";
  const uint32_t accepted = verdict.suppressed() - std::min(verdict.suppressed(), verdict.known());
  const std::string suppressed = accepted > 0 ? counted(accepted, "finding") + " suppressed" : "";
  const std::string owed = scope.pairs_owed() > 0 ? counted(scope.pairs_owed(), "pair") + " owed" : "";
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE) {
    const unsigned room = columns - std::min(columns, display_width(time) + 2);
    return fitted({{0, fitting(why, room)}, {2, owed}, {2, not_confirmed}, {2, suppressed}, {1, time}}, columns);
  }
  const std::string what = scope.everything()      ? "whole program"
                           : stats.fragments() > 0 ? counted(stats.fragments(), "changed fragment")
                                                   : "";
  return fitted({{6, what},
                 {4, pairs > 0 ? counted(pairs, "pair") : ""},
                 {1, owed},
                 {0, steps_in_short(scope)},
                 {0, scope.weak() == v1::STEP_INCOMPLETE ? "weaker memory orders in part" : ""},
                 {7, stats.executions() > 0 ? counted(stats.executions(), "interleaving") : ""},
                 {1, not_confirmed},
                 {1, suppressed},
                 {2, base_part(scope.compared_with(), style)},
                 {3, time}},
                columns);
}

}  // namespace

std::string verdict_words(const v1::Verdict& verdict) {
  const v1::Scope& scope = verdict.scope();
  const v1::Statistics& stats = verdict.stats();
  const bool failed = verdict.kind() == v1::VERDICT_ERROR || verdict.error() == v1::ERROR_CANCELLED;
  std::vector<std::string> parts;
  parts.push_back(short_message(verdict));
  // The engine's summary says all of it; without one it is put together from the figures.
  if (!failed && !scope.summary().empty()) {
    parts.push_back(scope.summary());
  } else if (!failed) {
    parts.push_back(pairs_part(verdict));
    parts.push_back(steps_part(scope));
    if (verdict.open_findings() > verdict.findings()) {
      parts.push_back(counted(verdict.open_findings() - verdict.findings(), "older finding") + " open");
    }
    if (!scope.compared_with().empty()) parts.push_back("compared with " + scope.compared_with());
    if (stats.executions() > 0) parts.push_back(counted(stats.executions(), "interleaving"));
  }
  if (verdict.not_confirmed() > 0) parts.push_back(counted(verdict.not_confirmed(), "finding") + " not confirmed");
  if (verdict.suppressed() > 0) parts.push_back(counted(verdict.suppressed(), "finding") + " suppressed");
  if (verdict.known() > 0) parts.push_back("of them " + text::grouped(verdict.known()) + " in the baseline");
  if (stats.ms().total() > 0) parts.push_back(duration_text(stats.ms().total()));
  const std::string rest = joined(parts, "; ");
  return head(verdict).words + (rest.empty() ? "" : ": " + rest);
}

std::string verdict_line(const v1::Verdict& verdict, const std::string& target, const Style& style, unsigned columns) {
  const std::string name = target.empty() ? "" : subject(target, style);
  const Head first = head(verdict);
  const unsigned used = display_width(first.words) + (name.empty() ? 0 : display_width(name) + 2);
  const std::string rest = short_scope(verdict, style, columns - used - 2);
  return (name.empty() ? "" : style.paint(Ink::Bold, name) + ": ") + style.paint(first.ink, first.words) +
         (rest.empty() ? "" : ": " + rest);
}

// Of "clear with up to 2 preemptive switches; not everything could be explored: ..." what is clear; empty: nothing is.
static std::string depth_reached(const v1::Verdict& verdict) {
  const std::string& message = verdict.message();
  return message.starts_with("clear with ") ? message.substr(0, message.find("; ")) : "";
}

std::string verdict_reasons(const v1::Verdict& verdict, const Style& style) {
  const v1::Scope& scope = verdict.scope();
  std::string text;
  if (verdict.kind() == v1::VERDICT_ERROR || verdict.error() == v1::ERROR_CANCELLED) {
    const std::string message = style.paths(verdict.message());
    if (message != reason(verdict, style)) text += "  " + message + "\n";
    return text;
  }
  if (verdict.kind() != v1::VERDICT_INCONCLUSIVE) {
    // What was left out of weaker memory orders does not make a verdict inconclusive; it is said all the same.
    const auto of_weak = std::find_if(scope.limits().begin(), scope.limits().end(),
                                      [](const std::string& limit) { return limit.starts_with("under "); });
    if (scope.weak() == v1::STEP_INCOMPLETE && of_weak != scope.limits().end())
      text += "  " + style.paint(Ink::Dim, "limit:") + " " + style.paths(*of_weak) + "\n";
    // Errors of a program that misses its arguments say nothing of the missing arguments.
    for (const std::string& entry : scope.assumptions())
      if (verdict.kind() == v1::VERDICT_FINDINGS && entry.starts_with("the program is given no arguments"))
        text += "  " + style.paint(Ink::Dim, "assumed:") + " " + entry + "\n";
    return text;
  }
  if (const std::string depth = depth_reached(verdict); !depth.empty())
    text += "  " + style.paint(Ink::Dim, "so far:") + " " + depth + "\n";
  for (int n = 0; n < scope.limits_size() && n < kLimitsMax; ++n)
    text += "  " + style.paint(Ink::Dim, "limit:") + " " + style.paths(scope.limits(n)) + "\n";
  if (scope.limits().empty() && display_width(verdict.message()) > kVerdictColumns / 2)
    text += "  " + style.paint(Ink::Dim, "reason:") + " " + style.paths(verdict.message()) + "\n";
  return text;
}

std::string smaller_text(const v1::Smaller& smaller, const Style& style) {
  std::string changes;
  for (int n = 0; n < smaller.changes_size(); ++n) {
    const v1::NumberChange& change = smaller.changes(n);
    changes += (n == 0                            ? ""
                : n + 1 == smaller.changes_size() ? " and "
                                                  : ", ") +
               change.name() + " " + std::to_string(change.to()) + " in place of " + std::to_string(change.from()) +
               " (" + style.path(change.place().file()) + ":" + std::to_string(change.place().line()) + ")";
  }
  const auto where = [&](const v1::Finding& finding) {
    if (finding.places().empty()) return std::string();
    return " at " + style.path(finding.places(0).file()) + ":" + std::to_string(finding.places(0).line());
  };
  const std::string shows =
      smaller.has_finding()
          ? smaller.finding().message() + " [" + smaller.finding().rule() + "]" + where(smaller.finding())
          : "every interleaving is clear (" + counted(smaller.interleavings(), "interleaving") + ")";
  return "  " + style.paint(Ink::Dim, "smaller:") + " with " + changes + ", " + shows;
}

std::string verdict_notes(const v1::Verdict& verdict, const Style& style) {
  const v1::Scope& scope = verdict.scope();
  const auto of = [](int count, const char* what) {
    return count == 0 ? "" : counted(static_cast<uint64_t>(count), what);
  };
  const std::string counts = joined({of(scope.limits_size(), "limit"), of(scope.assumptions_size(), "assumption"),
                                     of(scope.unknown_externals_size(), "unknown function"),
                                     of(scope.everything() ? 0 : scope.widened_size(), "widened scope")},
                                    ", ");
  std::string text;
  if (verdict.known() > 0) text += "  " + counted(verdict.known(), "known finding") + ": heddle baseline show\n";
  if (counts.empty()) return text;
  const bool one = scope.limits_size() + scope.assumptions_size() + scope.unknown_externals_size() +
                       (scope.everything() ? 0 : scope.widened_size()) ==
                   1;
  return text + "  " + style.paint(Ink::Dim, counts + ": --verbose lists " + (one ? "it" : "them")) + "\n";
}

std::string verdict_details(const v1::Verdict& verdict, const Style& style) {
  const v1::Scope& scope = verdict.scope();
  std::string text;
  const auto line = [&](const char* label, const std::string& what) {
    text += "  " + style.paint(Ink::Dim, label) + " " + what + "\n";
  };
  if (!scope.everything()) {
    for (const std::string& entry : scope.widened()) line("widened:", entry);
  }
  if (const std::string depth = depth_reached(verdict); !depth.empty()) line("so far:", depth);
  for (const std::string& entry : scope.limits()) line("limit:", style.paths(entry));
  for (const v1::UnknownExternal& external : scope.unknown_externals()) {
    const bool plain = external.name().find_first_of(" (") == std::string::npos;  // not as C++ writes it
    const char* const how = external.variable() ? ", a variable, used " : plain ? "(), called " : ", called ";
    line("unknown:", external.name() + how + counted(external.calls(), "time") + place_list(external, style) +
                         "; `models` or `unknown-externals` in .heddle.yaml say what it does");
  }
  for (const std::string& entry : scope.assumptions()) line("assumed:", entry);
  if (!scope.values().empty()) line("values:", style.paths(scope.values()));
  if (!scope.summary().empty()) line("scope:", scope.summary());
  return text;
}

}  // namespace heddle::client
