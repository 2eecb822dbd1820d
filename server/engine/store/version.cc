#include "server/engine/store/version.h"

#include <algorithm>

namespace heddle::engine {

namespace {
constexpr size_t kRecent = 12;
}

const program::ProgramPtr& Version::program() {
  if (!program_) program_ = program::Program::link(units_);
  return program_;
}

const analysis::FactsPtr& Version::facts() {
  if (!facts_) facts_ = analysis::analyse(program());
  return facts_;
}

const machine::ImagePtr& Version::image() {
  if (!image_) image_ = machine::make_image(program(), facts());
  return image_;
}

VersionPtr RecentVersions::get(const std::vector<program::UnitPtr>& units) {
  const auto found = std::find_if(versions_.begin(), versions_.end(),
                                  [&](const VersionPtr& version) { return version->units() == units; });
  if (found != versions_.end()) {
    std::rotate(found, found + 1, versions_.end());
    return versions_.back();
  }
  if (versions_.size() >= kRecent) versions_.erase(versions_.begin());
  versions_.push_back(std::make_shared<Version>(units));
  return versions_.back();
}

}  // namespace heddle::engine
