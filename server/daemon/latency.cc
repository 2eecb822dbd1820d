#include "server/daemon/latency.h"

#include <algorithm>

namespace heddle::daemon {
namespace {

struct Phase {
  const char* name;
  double (v1::Milliseconds::*value)() const;
};
constexpr Phase kPhaseTable[] = {
    {"compile", &v1::Milliseconds::compile},
    {"analyse", &v1::Milliseconds::analyse},
    {"diff", &v1::Milliseconds::diff},
    {"explore", &v1::Milliseconds::explore},
    {"step1", &v1::Milliseconds::step1},
    {"step2", &v1::Milliseconds::step2},
    {"first_finding", &v1::Milliseconds::first_finding},
    {"total", &v1::Milliseconds::total},
};

// Nearest rank.
double percentile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[std::min(rank, sorted.size() - 1)];
}

}  // namespace

void LatencyBook::add(const v1::Milliseconds& ms) {
  static_assert(std::size(kPhaseTable) == kPhases);
  for (size_t i = 0; i < kPhases; ++i) {
    // By a reference: the bounds check of g++ 12 misreads an index inside the callee expression.
    const Phase& phase = kPhaseTable[i];
    const double value = (ms.*phase.value)();
    if (value < 0) continue;  // there was no first finding
    Ring& ring = rings_[i];
    if (ring.samples.size() < kSamplesMax)
      ring.samples.push_back(value);
    else
      ring.samples[ring.next] = value;
    ring.next = (ring.next + 1) % kSamplesMax;
  }
}

void LatencyBook::print_to(v1::ProjectStatus& status) const {
  for (size_t i = 0; i < kPhases; ++i) {
    if (rings_[i].samples.empty()) continue;
    std::vector<double> sorted = rings_[i].samples;
    std::sort(sorted.begin(), sorted.end());
    v1::PhaseLatency& latency = *status.add_latency();
    latency.set_phase(kPhaseTable[i].name);
    latency.set_p50_ms(percentile(sorted, 0.5));
    latency.set_p95_ms(percentile(sorted, 0.95));
    latency.set_count(static_cast<uint32_t>(sorted.size()));
  }
}

}  // namespace heddle::daemon
