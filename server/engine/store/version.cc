#include "server/engine/store/version.h"

#include <algorithm>
#include <map>

#include "server/machine/symbolic/unknown_call.h"

namespace heddle::engine {

namespace {
constexpr size_t kRecent = 12;

using FilledByName = std::map<std::string, std::vector<machine::UnknownFill>>;
// Of each name in the settings, since a name without a fill may be the more exact one.
FilledByName filled(const Version::CallsPtr& calls) {
  FilledByName all;
  if (calls)
    for (const auto& [name, policy] : calls->by_name) all[name] = policy.fills;
  return all;
}

}  // namespace

const program::ProgramPtr& Version::program() {
  if (program_) return program_;
  program::Program::Fills fills;
  if (calls_) fills = [this](const std::string& name) { return !machine::unknown_policy(*calls_, name).fills.empty(); };
  program_ = program::Program::link(units_, fills);
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

void RecentVersions::use(const machine::UnknownCalls& calls) {
  const bool fills = std::any_of(calls.by_name.begin(), calls.by_name.end(),
                                 [](const auto& entry) { return !entry.second.fills.empty(); });
  const Version::CallsPtr next = fills ? std::make_shared<const machine::UnknownCalls>(calls) : nullptr;
  if (filled(next) == filled(calls_)) return;
  versions_.clear();
  calls_ = next;
}

VersionPtr RecentVersions::get(const std::vector<program::UnitPtr>& units) {
  const auto found = std::find_if(versions_.begin(), versions_.end(),
                                  [&](const VersionPtr& version) { return version->units() == units; });
  if (found != versions_.end()) {
    std::rotate(found, found + 1, versions_.end());
    return versions_.back();
  }
  if (versions_.size() >= kRecent) versions_.erase(versions_.begin());
  versions_.push_back(std::make_shared<Version>(units, calls_));
  return versions_.back();
}

}  // namespace heddle::engine
