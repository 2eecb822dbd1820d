#include "client/config/variables.h"

namespace heddle::client {

const std::vector<Variable>& variables() {
  static const std::vector<Variable> all = {
      {"HEDDLE_STEP1_SECONDS", "10", "time for the pairs of an edit"},
      {"HEDDLE_STEP2_SECONDS", "30", "time for all interleavings over the objects of an edit"},
      {"HEDDLE_CONSEQUENCES_SECONDS", "2", "time for what races lead to"},
      {"HEDDLE_CONSEQUENCES_QUIET_SECONDS", "0.3", "time without anything new that ends the search for it"},
      {"HEDDLE_WEAK_SECONDS", "2", "time for what weaker memory orders allow; ten times as much in full; 0: none"},
      {"HEDDLE_FIRST_SECONDS", "60", "time for a version that is compared with nothing"},
      {"HEDDLE_BACKGROUND_SECONDS", "120", "time for what a check left owed, when the engine is idle"},
      {"HEDDLE_EXPLORERS", "0", "explorers at once; 0: one per core"},
      {"HEDDLE_PART_SECONDS", "3", "a full search that takes longer is divided into parts"},
      {"HEDDLE_PARTS", "not set", "folder for parts that workers on other machines explore; `nightly --slurm` sets it"},
      {"HEDDLE_PARTS_WORKER", "not set", "folder from which parts are explored; `nightly --slurm` sets it"},
      {"HEDDLE_EARLY_SEARCH_INTERACTIONS", "500", "smaller programs are not searched while they are compared"},
      {"HEDDLE_EXPLORER_MEMORY_MB", "2048", "memory of an explorer"},
      {"HEDDLE_GUEST_MEMORY_MB", "1024", "memory of the program under check"},
      {"HEDDLE_GUEST_INSTRUCTIONS", "2000000000", "instructions on one path of the program under check"},
      {"HEDDLE_COMPILE_SECONDS", "30", "processor time to compile a file"},
      {"HEDDLE_COMPILE_MEMORY_MB", "1536", "memory to compile a file"},
      {"HEDDLE_PREAMBLE_MEMORY_MB", "512", "memory for precompiled headers of all files; those used last are kept"},
      {"HEDDLE_TRUST_OUTSIDE", "not set", "1: settings may name files outside of the project"},
      {"HEDDLE_CACHE_DIR", "in the project", "where checks are remembered"},
      {"HEDDLE_LIBRARY_CACHE", "in the user's cache folder", "where compiled library code is kept"},
      {"HEDDLE_STORE", "the one that `heddle cache use` chose",
       "store of verdicts that a team shares; read, never written"},
      {"HEDDLE_STORE_EXPORT", "not set", "store that verdicts are written to; `heddle cache export` sets it"},
      {"HEDDLE_LEDGER_KEY", "a file of the user's", "phrase from which the ledger's key is made"},
      {"HEDDLE_RUNTIME_DIR", "in the user's runtime folder", "the daemon's socket; isolates a daemon of its own"},
      {"HEDDLE_STATE_DIR", "in the user's state folder", "the daemon's log, the ledger's key"},
      {"HEDDLE_DAEMON", "next to heddle", "the program heddled"},
      {"HEDDLE_ENGINE", "next to heddle", "the program heddle-engine"},
      {"HEDDLE_IDLE_EXIT", "900", "seconds without work after which the daemon leaves"},
      {"HEDDLE_ENGINE_SILENCE", "120", "seconds of silence after which an engine is ended"},
      {"HEDDLE_LOG", "info", "info or debug: level of the daemon's log"},
      {"HEDDLE_POWER_SUPPLY", "/sys/class/power_supply", "folder that says whether the machine runs on its battery"},
      {"HEDDLE_WATCH", "not set", "poll: files are looked at, instead of watched by inotify"},
      {"HEDDLE_SKIP", "not set", "1: the hook lets a commit pass, and records it as owed"},
  };
  return all;
}

}  // namespace heddle::client
