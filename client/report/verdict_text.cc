#include "client/report/verdict_text.h"

#include <algorithm>
#include <vector>

#include "client/report/numbers.h"
#include "server/text/grouped.h"

namespace heddle::client {
namespace {

constexpr int kPlacesMax = 3;

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string head(const v1::Verdict& verdict, const Style& style) {
  switch (verdict.kind()) {
    case v1::VERDICT_CLEAR: return style.paint(Ink::Green, "nothing found within scope");
    case v1::VERDICT_FINDINGS: {
      const uint32_t defects = verdict.findings() - std::min(verdict.findings(), verdict.consequences());
      const std::string more =
          verdict.consequences() > 0 ? " and " + counted(verdict.consequences(), "consequence") : "";
      return style.paint(Ink::Red, counted(defects, "finding") + more);
    }
    case v1::VERDICT_INCONCLUSIVE:
      return style.paint(Ink::Yellow, verdict.error() == v1::ERROR_CANCELLED ? "cancelled" : "inconclusive");
    default: return style.paint(Ink::Red, verdict.error() == v1::ERROR_BUILD ? "build error" : "error");
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

}  // namespace

std::string verdict_line(const v1::Verdict& verdict, const std::string& target, const Style& style) {
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
  if (stats.ms().total() > 0) parts.push_back(duration_text(stats.ms().total()));
  const std::string subject = target.empty() ? "" : style.paint(Ink::Bold, style.path(target)) + ": ";
  const std::string rest = joined(parts, "; ");
  return subject + head(verdict, style) + (rest.empty() ? "" : ": " + rest);
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
  for (const std::string& entry : scope.limits()) line("limit:", style.paths(entry));
  for (const v1::UnknownExternal& external : scope.unknown_externals()) {
    const bool plain = external.name().find_first_of(" (") == std::string::npos;  // not as C++ writes it
    const char* const how = external.variable() ? ", a variable, used " : plain ? "(), called " : ", called ";
    line("unknown:", external.name() + how + counted(external.calls(), "time") + place_list(external, style) +
                         "; `models` or `unknown-externals` in .heddle.yaml say what it does");
  }
  for (const std::string& entry : scope.assumptions()) line("assumed:", entry);
  if (!scope.values().empty()) line("values:", style.paths(scope.values()));
  return text;
}

}  // namespace heddle::client
