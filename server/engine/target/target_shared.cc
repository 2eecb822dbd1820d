// The store that a team shares: what another checkout of the same text was judged to be (docs/LEDGER.md).
#include <cstdlib>

#include "server/engine/store/portable.h"
#include "server/engine/store/shared_store.h"
#include "server/engine/target/target_check.h"

namespace heddle::engine {

namespace {

PortablePaths paths_of(const Project& project) {
  return {project.description().root, folder_of(project.description())};
}

}  // namespace

std::optional<v1::VerdictRecord> TargetCheck::shared_verdict() {
  const std::string chosen = chosen_store();
  if (chosen.empty() || settings_.look || !request_.portable_key) return std::nullopt;
  SharedStore store(chosen, SharedStore::Use::Read);
  std::optional<v1::VerdictRecord> found = store.get(request_.portable_key());
  if (!store.problem().empty()) notes_.push_back(store.problem());
  if (!found) return std::nullopt;
  paths_of(project_).with_folders(*found);
  v1::VersionRecord& version = *found->mutable_version();
  version.set_content(request_.version->program()->content().hex());
  version.set_text(request_.text);
  version.clear_units();  // of the other checkout; this one's have the same places
  version.set_shared(true);
  return found;
}

// For `heddle cache export` and jobs of a cluster, which set the variable in the engine that they start.
void TargetCheck::export_verdict(const v1::VerdictRecord& known) {
  const char* const path = std::getenv("HEDDLE_STORE_EXPORT");
  if (path == nullptr || *path == 0 || !known.complete() || known.version().text() != request_.text) return;
  v1::VerdictRecord portable = known;
  portable.mutable_version()->clear_units();
  paths_of(project_).without_folders(portable);
  SharedStore store(path, SharedStore::Use::Write);
  store.put(request_.portable_key(), portable);
  if (!store.problem().empty()) notes_.push_back(store.problem());
}

}  // namespace heddle::engine
