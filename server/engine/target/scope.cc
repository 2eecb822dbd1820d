#include "server/engine/target/scope.h"

#include <algorithm>

#include "server/engine/wire/convert.h"
#include "server/text/grouped.h"
#include "server/text/numbers.h"

namespace heddle::engine {

namespace {

std::string pairs_text(const v1::Scope& scope, const ScopeFacts& facts) {
  std::string text = counted(scope.pairs_explored(), "pair") + " explored";
  if (scope.pairs_reused() > 0) text += ", " + text::grouped(scope.pairs_reused()) + " reused";
  if (scope.pairs_not_reached() > 0)
    text += ", " + text::grouped(scope.pairs_not_reached()) + " never came to the change";
  if (scope.pairs_owed() > 0) text += ", " + text::grouped(scope.pairs_owed()) + " owed";
  if (scope.pairs_skipped() > 0) text += ", " + text::grouped(scope.pairs_skipped()) + " skipped";
  return text;
}

std::string step2_text(const v1::Scope& scope) {
  const std::string what = scope.everything() ? "all interleavings" : "all interleavings over the affected objects";
  switch (scope.step2()) {
    case v1::STEP_COMPLETE: return "step 2 complete (" + what + ")";
    case v1::STEP_RUNNING: return "step 2 still runs (" + what + ")";
    case v1::STEP_INCOMPLETE: return "step 2 not complete (" + what + ")";
    default: return "";
  }
}

std::string consequences_text(const v1::Scope& scope) {
  switch (scope.consequences()) {
    case v1::STEP_COMPLETE: return "what the races lead to was searched";
    case v1::STEP_RUNNING: return "what the races lead to is still searched";
    case v1::STEP_INCOMPLETE: return "what the races lead to was not searched to the end";
    default: return "";
  }
}

std::string weak_text(const v1::Scope& scope) {
  switch (scope.weak()) {
    case v1::STEP_COMPLETE: return "weaker memory orders explored";
    case v1::STEP_RUNNING: return "weaker memory orders still explored";
    case v1::STEP_INCOMPLETE: return "weaker memory orders not explored to the end";
    default: return "";
  }
}

void append(std::string& line, const std::string& part) {
  if (part.empty()) return;
  if (!line.empty()) line += "; ";
  line += part;
}

}  // namespace

void summarise(v1::Scope& scope, const ScopeFacts& facts) {
  std::string line;
  if (facts.full) {
    append(line, scope.full() != v1::STEP_COMPLETE ? "full exploration not complete"
                 : facts.graphs                    ? "every execution graph explored"
                                                   : "every interleaving explored");
  } else if (facts.one_thread) {
    append(line, scope.full() == v1::STEP_INCOMPLETE ? "one thread only; its run is not complete"
                                                     : "one thread only; no interleavings");
  } else if (facts.nothing_changed) {
    append(line, "no interaction statement changed; nothing explored");
  } else if (facts.from_ledger) {
    append(line, "judged before, nothing explored now: " +
                     (facts.pairs_chosen > 0 ? counted(facts.pairs_chosen, "pair") : std::string("no pair")));
    append(line, step2_text(scope));
  } else {
    append(line, facts.whole_program ? std::string("the whole program") : counted(facts.fragments, "changed fragment"));
    append(line, pairs_text(scope, facts));
    if (scope.step1() == v1::STEP_INCOMPLETE) append(line, "step 1 not complete");
    append(line, step2_text(scope));
    append(line, consequences_text(scope));
  }
  if (facts.preemptive_switches)
    append(line, "every interleaving with " + up_to_switches(*facts.preemptive_switches) + " explored");
  append(line, weak_text(scope));
  if (facts.executions > 0) append(line, counted(facts.executions, facts.graphs ? "graph" : "interleaving"));
  if (facts.limit_seconds > 0) append(line, "stopped at the limit of " + text::seconds_text(facts.limit_seconds));
  if (!scope.unknown_externals().empty())
    append(line, counted(static_cast<uint64_t>(scope.unknown_externals_size()), "unknown function") + " not modelled");
  if (!scope.compared_with().empty()) append(line, "compared with " + scope.compared_with());
  scope.set_summary(line);
}

std::string up_to_switches(uint32_t most) {
  return most == 0 ? "no preemptive switch" : "up to " + counted(most, "preemptive switch", "preemptive switches");
}

std::string busiest_text(const v1::JobResult& result) {
  constexpr int kThreadsTold = 4;
  const v1::JobBusiest& busiest = result.busiest();
  if (busiest.of() == 0 || busiest.place().line() == 0) return "";
  std::string text = text::grouped(busiest.steps() * 100 / busiest.of()) + " % of its steps are in " +
                     busiest.place().function() + " (" + busiest.place().file() + ":" +
                     std::to_string(busiest.place().line()) + "), by ";
  if (busiest.threads_size() > 1) text += counted(static_cast<uint64_t>(busiest.threads_size()), "thread") + ": ";
  for (int n = 0; n < std::min(busiest.threads_size(), kThreadsTold); ++n)
    text += (n > 0 ? ", " : "") + busiest.threads(n);
  return busiest.threads_size() > kThreadsTold ? text + ", ..." : text;
}

std::string incomplete_text(const std::string& job, const v1::JobResult& result, double seconds) {
  std::string text = job + ": ";
  const std::string counts = " after " + counted(result.stats().executions(), "interleaving");
  switch (result.completeness()) {
    case v1::JOB_TIME_LIMIT: return text + "stopped at its time limit (" + text::seconds_text(seconds) + ")" + counts;
    case v1::JOB_EXECUTION_LIMIT: return text + "stopped at its limit of interleavings" + counts;
    case v1::JOB_CANCELLED: return text + "cancelled" + counts;
    case v1::JOB_CRASHED:
    case v1::JOB_MEMORY_LIMIT: return text + result.failure() + counts;
    default: return text + "not complete" + counts;
  }
}

std::string limit_text(const v1::JobLimit& limit) {
  std::string text = limit.message();
  if (limit.place().line() > 0) text += " (" + limit.place().file() + ":" + std::to_string(limit.place().line()) + ")";
  if (limit.count() > 1) text += ", on " + counted(limit.count(), "path");
  return text;
}

std::string join(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace heddle::engine
