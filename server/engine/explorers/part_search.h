// One search of all interleavings in parts, on several cores and machines at once. A search that is small ends before
// it is divided, and is what it would be without this.
//
// In:      work with one job; what an earlier run left (JobResult::saved of its result); a folder from which workers on
//          other machines take parts, if there is one; a listener and an Interrupt as for Explorers::run.
// Out:     the job's result, as of one search: findings once each, counts added up. Listener::saved is called between
//          rounds with all that is known, to continue from there.
// Cost:    rounds: the explorers of a round stop together, and what is left is divided anew. Per part a fork at most,
//          and one path that is performed again.
// Owns:    nothing after run().
// Threads: one.
// Fails:   a part whose explorer or worker dies, or is not heard of in time, is explored again. One whose explorer dies
//          kTriesMost times ends the search, with that reason.
#pragma once

#include <map>
#include <set>
#include <string>

#include "server/engine/explorers/explorers.h"
#include "server/engine/explorers/part_folder.h"
#include "server/explore/search_parts.h"

namespace heddle::engine {

class PartSearch {
 public:
  PartSearch(Explorers& explorers, const Settings& settings, const Work& work, const ExplorerListener& listener,
             const Interrupt& interrupt);
  // `stand`: of an earlier run of the same search; null: none. `key`: names program and settings.
  Explorers::Outcome run(const v1::JobResult* stand, const std::string& key);

 private:
  static constexpr int kTriesMost = 20, kTriesOfMemoryMost = 3;  // of a part
  using Number = uint64_t;

  bool run_undivided(const v1::JobResult* stand);  // false: it has ended
  bool run_round();                                // false: interrupted, given up or out of time
  void climb();
  Work round_of(const std::vector<explore::SearchParts::Part>& parts, base::SteadyTime end) const;
  v1::SearchPart file_of(const explore::SearchParts::Part& part) const;
  void hear(Number number, v1::JobResult result);
  void failed(Number number, const v1::JobResult& result);
  void merge(const v1::JobResult& result);
  void collect_from_folder();
  void leave_in_folder();
  bool give_up_lost(bool idle);
  bool wait_for_folder();
  bool begin_next_rounds();
  void save();
  base::SteadyTime parts_end() const;
  ExplorerListener heard();

  Explorers& explorers_;
  const Settings& settings_;
  const Work& work_;
  const ExplorerListener& listener_;
  const Interrupt& interrupt_;
  explore::SearchParts parts_;
  PartFolder folder_;
  bool has_folder_ = false, interrupted_ = false, given_up_ = false, out_of_time_ = false;
  std::string key_;
  v1::JobResult all_;
  std::set<std::string> ids_;   // of findings
  std::set<uint64_t> racy_;     // all statements that were found to race
  std::set<uint64_t> visible_;  // those that are scheduling points of the parts that run
  std::map<Number, int> tries_;
  std::map<Number, base::SteadyTime> away_;  // parts in the folder, and since when a worker has them
  static constexpr size_t kPartsInFolderLeast = 4;
  size_t parts_in_folder_ = kPartsInFolderLeast, left_in_folder_ = 0;
  double round_seconds_ = 0;
  base::SteadyTime began_, saved_;
};

// Explores parts of the folder's search until it is over: what a worker does.
void serve_parts(Explorers& explorers, const Settings& settings, const Work& work, const Interrupt& interrupt,
                 const std::string& key);

}  // namespace heddle::engine
