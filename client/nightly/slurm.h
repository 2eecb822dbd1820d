// Full searches of targets as jobs of a Slurm cluster. Each job writes what it found to a store of its own, from which
// this machine's ledger has it (`docs/LEDGER.md`).
//
// In:      targets; the folder that this machine and the nodes share; the command that explores one target.
// Out:     per target the store with its answer, or why there is none. Where a target's search leaves parts of it in a
//          folder, further jobs explore them.
// Cost:    a question to the cluster every second or two, until the last job has ended.
// Owns:    the folder's contents while it runs; jobs that are left are cancelled on an interrupt, or when time is up.
// Threads: one.
// Fails:   by value: `problem` if there is no cluster that takes jobs. A job that ends without an answer is submitted
//          again, and continues where it stood; after kTriesMost it is among the lost ones.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::client {

struct SlurmRequest {
  std::string folder;                // absolute
  std::string root;                  // jobs start there
  std::vector<std::string> explore;  // heddle full ...; `--target T` follows the first two words
  double budget_seconds = 0;         // 0: none
  std::function<bool()> interrupted;
  std::function<void(const std::string& text)> say;
};

struct SlurmResult {
  std::map<std::string, std::string> stores;  // by target
  std::vector<std::string> undecided;         // ended, but not with everything explored
  std::vector<std::string> lost;              // did not come back
  std::vector<std::string> here;              // the nodes cannot run it
  std::string problem;                        // not empty: no job was submitted
};

constexpr int kTriesMost = 20;

SlurmResult run_on_slurm(const SlurmRequest& request, const std::vector<std::string>& targets);

}  // namespace heddle::client
