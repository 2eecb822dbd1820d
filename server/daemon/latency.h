// How long the phases of the last checks took: median and 95th percentile, for `heddle status`.
//
// In:      the milliseconds of final verdicts; a negative value is no sample.
// Out:     a PhaseLatency per phase that has samples, in the order of the phases.
// Cost:    the last 256 samples per phase are kept; print_to() sorts them.
// Owns:    the samples.
// Threads: one at a time.
// Fails:   never.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::daemon {

class LatencyBook {
 public:
  void add(const v1::Milliseconds& ms);
  void print_to(v1::ProjectStatus& status) const;

 private:
  static constexpr size_t kPhases = 8, kSamplesMax = 256;
  struct Ring {
    std::vector<double> samples;
    size_t next = 0;
  };
  std::array<Ring, kPhases> rings_;
};

}  // namespace heddle::daemon
