#include "client/story/causes.h"

namespace heddle::client {

bool is_memory(const v1::TraceStep& step) {
  return step.kind() == "read" || step.kind() == "write" || step.kind() == "update";
}

bool is_of_driver(const v1::TraceStep& step) {
  const std::string& file = step.place().file();
  return file.compare(file.rfind('/') + 1, 15, "heddle_harness.") == 0;
}

bool is_atomic_call(const v1::TraceStep& step) {
  return step.library().starts_with("std::atomic") || step.library().starts_with("std::__atomic");
}

bool is_capture(const v1::TraceStep& step) {
  const std::string reference = "&" + step.object();
  return is_memory(step) && (step.value_read() == reference || step.value_written() == reference);
}

bool is_own_access(const v1::TraceStep& step) {
  if (!is_memory(step) || step.object().empty() || step.object().starts_with("a ") || is_of_driver(step)) return false;
  return !is_capture(step) && (step.library().empty() || is_atomic_call(step));
}

std::optional<LostUpdate> lost_update(const v1::Finding& finding, int write) {
  const v1::TraceStep& last = finding.trace(write);
  if (last.kind() != "write") return std::nullopt;
  int lost = -1;
  for (int n = write; n-- > 0;) {
    const v1::TraceStep& step = finding.trace(n);
    if (step.object() != last.object() || !is_own_access(step)) continue;
    const bool own = step.thread_number() == last.thread_number();
    if (!own && step.kind() != "read" && lost < 0) lost = n;
    if (!own) continue;
    if (step.kind() != "read" || lost < 0) return std::nullopt;
    return LostUpdate{n, lost, write};
  }
  return std::nullopt;
}

int last_change_by_another(const v1::Finding& finding, int step) {
  const v1::TraceStep& access = finding.trace(step);
  for (int n = step; n-- > 0;) {
    const v1::TraceStep& earlier = finding.trace(n);
    if (earlier.thread_number() == access.thread_number() || earlier.object() != access.object()) continue;
    if (earlier.kind() == "write" || earlier.kind() == "update") return n;
    const v1::TraceStep& next = finding.trace(n + 1);
    const bool folded = next.kind() == "steps" && next.thread_number() == earlier.thread_number() &&
                        next.place().line() == earlier.place().line() && !earlier.library().empty();
    if (folded) return n;
  }
  return -1;
}

bool is_access_of_a_call(const v1::TraceStep& step) {
  return is_memory(step) && !step.library().empty() && !step.object().empty() && !step.object().starts_with("a ") &&
         !step.place().file().starts_with("/usr/") && !is_of_driver(step);
}

int change_by_a_call(const v1::Finding& finding, int failure) {
  constexpr int kLooksBack = 8;
  for (int n = failure, looked = 0; n-- > 0 && looked < kLooksBack;) {
    const v1::TraceStep& step = finding.trace(n);
    if (step.thread_number() != finding.trace(failure).thread_number()) continue;
    ++looked;
    if (!is_access_of_a_call(step) || is_atomic_call(step)) continue;
    if (const int change = last_change_by_another(finding, n); change >= 0) return change;
  }
  return -1;
}

int end_of_concurrent_calls(const v1::Finding& finding) {
  for (int n = 0; n < finding.trace_size(); ++n) {
    const v1::TraceStep& step = finding.trace(n);
    if (step.kind() == "create" && is_of_driver(step) && step.object().find("alone") != std::string::npos) return n;
  }
  return finding.trace_size();
}

}  // namespace heddle::client
