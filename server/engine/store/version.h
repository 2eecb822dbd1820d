// Holds one version of a target: its units and what is derived from them, each made at first use.
//
// In:      units.
// Out:     linked program, facts, image.
// Cost:    linking, analysis and decoding, once each.
// Owns:    shares the units and the derived values.
// Threads: one; the values that it returns are immutable.
// Fails:   never.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/machine/machine.h"

namespace heddle::engine {

class Version {
 public:
  // `calls`: what the settings say of functions that nothing defines; null: nothing.
  using CallsPtr = std::shared_ptr<const machine::UnknownCalls>;
  explicit Version(std::vector<program::UnitPtr> units, CallsPtr calls = nullptr)
      : units_(std::move(units)), calls_(std::move(calls)) {}

  const std::vector<program::UnitPtr>& units() const { return units_; }
  const CallsPtr& calls() const { return calls_; }
  const program::ProgramPtr& program();
  const analysis::FactsPtr& facts();
  const machine::ImagePtr& image();

 private:
  std::vector<program::UnitPtr> units_;
  CallsPtr calls_;
  program::ProgramPtr program_;
  analysis::FactsPtr facts_;
  machine::ImagePtr image_;
};
using VersionPtr = std::shared_ptr<Version>;

// The last few versions, so that comparing with one of them again costs nothing.
class RecentVersions {
 public:
  VersionPtr get(const std::vector<program::UnitPtr>& units);
  // Of later versions. If other memory is filled than before, those that are known are forgotten.
  void use(const machine::UnknownCalls& calls);

 private:
  Version::CallsPtr calls_;           // null: none fills memory
  std::vector<VersionPtr> versions_;  // newest last
};

}  // namespace heddle::engine
