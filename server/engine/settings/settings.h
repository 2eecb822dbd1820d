// Holds what a check may spend, and how the machine is set up.
//
// In:      defaults, HEDDLE_* variables, and `.heddle.yaml` (project_settings.h), which add to each other in this
//          order.
// Out:     Settings, and a hash of all that changes what an exploration sees.
// Owns:    values, except `look`, which the caller owns.
// Threads: values.
// Fails:   a variable that is no number, or negative, is ignored and named in `notes`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/engine/settings/project_settings.h"
#include "server/machine/machine.h"
#include "server/program/hash.h"

namespace heddle::engine {

struct LookInside;

struct Settings {
  double step1_seconds = 10;  // all pairs together
  double step2_seconds = 30;
  double consequences_seconds = 2;          // of races, while a user waits: most show at once, and the race is reported
  double consequences_quiet_seconds = 0.3;  // and it ends when nothing new was found for so long
  double weak_seconds = 2;                  // for execution graphs, while a user waits; ten times as many in full
  double first_seconds = 60;                // a version that is compared with nothing: both steps together
  double background_seconds = 120;          // for what a check left owed, when the engine is idle
  double part_seconds = 3;     // a full search that takes longer is divided, and so long a worker has a part
  std::string parts_folder;    // parts of it are left here for workers on other machines; empty: none
  std::string part_worker;     // not empty: explore parts from this folder, and nothing else
  uint32_t explorers_max = 0;  // 0: one per core that this process may use
  size_t early_search_interactions = 500;  // smaller programs are not searched while they are compared
  uint64_t explorer_memory_bytes = uint64_t{2} << 30;
  machine::Options machine;
  uint32_t memory_model = 0;  // v1::MemoryModel; 0: values are sequentially consistent, explored by schedules
  v1::MemoryModel weak_model = v1::MEMORY_MODEL_RC11;  // of the step `weak`
  bool weak_asked = false;                             // the settings name it
  std::vector<std::string> notes;                      // for the verdict's assumptions
  std::vector<std::string> models;                     // files of the project's settings that are compiled in
  uint32_t reductions = ~0u;                           // how many are on: look_inside.h
  const LookInside* look = nullptr;                    // for developers; outlives the settings
  bool one_command = false;                            // the engine ends with the command: it expects no edits

  void apply(const ProjectSettings& project);
  static Settings from_environment();
  // A hash of everything that changes what an exploration sees; budgets do not.
  program::Hash hash() const;
  program::Hash hash_of_build(uint64_t build) const;  // 0: the same of every build
};

uint32_t core_count();  // that this process may run on
uint32_t explorers_at_once(const Settings& settings);
// Identifies this executable: another build may lower or judge a program differently, so it starts anew.
uint64_t build_identity();

}  // namespace heddle::engine
