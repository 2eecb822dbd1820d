// A full search that takes long, in parts (docs/ALGORITHM.md, "In parts").
#include "server/engine/explorers/part_search.h"
#include "server/engine/target/target_check.h"

namespace heddle::engine {

bool TargetCheck::searches_in_parts(const Work& work, const v1::JobResult* stand) const {
  if (!request_.full || settings_.look || work.jobs.size() != 1) return false;
  if (work.jobs[0].task.mode != explore::Mode::Full) return false;
  if (stand && explore::SearchParts().restore(stand->saved())) return true;  // it was divided before
  return explorers_at_once(settings_) >= 2 || !settings_.parts_folder.empty() || !settings_.part_worker.empty();
}

Explorers::Outcome TargetCheck::run_in_parts(const Work& work, const ExplorerListener& listener,
                                             const v1::JobResult* stand) {
  const std::string key = whole_key(work.jobs[0]);
  if (!settings_.part_worker.empty()) {
    serve_parts(explorers_, settings_, work, interrupt_, key);
    Explorers::Outcome nothing;
    nothing.interrupted = true;
    return nothing;
  }
  return PartSearch(explorers_, settings_, work, listener, interrupt_).run(stand, key);
}

}  // namespace heddle::engine
