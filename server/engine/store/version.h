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
  explicit Version(std::vector<program::UnitPtr> units) : units_(std::move(units)) {}

  const std::vector<program::UnitPtr>& units() const { return units_; }
  const program::ProgramPtr& program();
  const analysis::FactsPtr& facts();
  const machine::ImagePtr& image();

 private:
  std::vector<program::UnitPtr> units_;
  program::ProgramPtr program_;
  analysis::FactsPtr facts_;
  machine::ImagePtr image_;
};
using VersionPtr = std::shared_ptr<Version>;

// The last few versions, so that comparing with one of them again costs nothing.
class RecentVersions {
 public:
  VersionPtr get(const std::vector<program::UnitPtr>& units);

 private:
  std::vector<VersionPtr> versions_;  // newest last
};

}  // namespace heddle::engine
