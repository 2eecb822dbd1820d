// The life of a check: project, units, targets, one TargetCheck each, the combined verdict.
//
// In:      a CheckRequest. Out: events, the last one a verdict with an empty target and step "final"; the project's
//          files after the compile step.
// Owns:    nothing; the project and its ledger outlive it. Threads: one.
// Fails:   every failure is a verdict of kind ERROR with its class and, in `message`, the remedy.
#pragma once

#include <functional>
#include <string>

#include "heddle/v1/engine.pb.h"
#include "server/engine/explorers.h"
#include "server/engine/project.h"

namespace heddle::engine {

struct CheckServices {
  Projects& projects;
  Explorers& explorers;
  const Settings& settings;
  const Interrupt& interrupt;
  std::function<void(const v1::Event&)> emit;
  std::function<void(const v1::ProjectFiles&)> files;
  uint64_t generation = 0;
};

// A version whose check did not end: worked on when the engine has nothing else to do.
struct Owed {
  Project* project = nullptr;
  std::string target;
  VersionPtr version;
  Settings settings;
};

struct CheckOutcome {
  v1::Verdict verdict;        // the combined one
  Project* project = nullptr;
  bool interrupted = false;
  std::vector<Owed> owed;
};

CheckOutcome run_check(const v1::CheckRequest& request, const CheckServices& services);

// Full exploration of what is owed; true if it ended by itself, and then the ledger knows.
bool work_off(const Owed& owed, Explorers& explorers, const Interrupt& interrupt);

// Settings as the request changes them.
Settings settings_for(const v1::CheckRequest& request, const Settings& settings);
// What `.heddle.yaml` of the project says, with the editor's texts on top.
std::variant<ProjectSettings, SettingsError> project_settings(const Project& project, const v1::CheckRequest& request);
std::vector<frontend::Overlay> overlays_of(const v1::CheckRequest& request);

}  // namespace heddle::engine
