// Runs a check from request to verdict: project, units, targets, one TargetCheck each, the combined verdict.
//
// In:      a CheckRequest.
// Out:     events, the last one a verdict with an empty target and step "final"; the project's files after the compile
//          step.
// Owns:    nothing; projects and explorers outlive the check.
// Threads: one.
// Fails:   every failure is a verdict of kind ERROR with its class and, in `message`, the remedy. So is a cancelled
//          check, whose work is then owed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "heddle/v1/engine.pb.h"
#include "server/engine/explorers/explorers.h"
#include "server/engine/project/project.h"

namespace heddle::engine {

struct CheckServices {
  Projects& projects;
  Explorers& explorers;
  const Settings& settings;
  const Interrupt& interrupt;
  std::function<void(const v1::Event&)> emit;
  std::function<void(const v1::ProjectFiles&)> files;
  uint64_t generation = 0;
  // A driver that is compiled into the project although no command names it, and which of its programs are checked.
  std::optional<frontend::CompileCommand> driver{};
  std::function<bool(const frontend::Target&)> wanted{};
};

// A version whose check did not end: it is explored when the engine is idle.
struct Owed {
  Project* project = nullptr;
  std::string target;
  VersionPtr version;
  Settings settings;
};

struct CheckOutcome {
  v1::Verdict verdict;  // the combined one
  Project* project = nullptr;
  bool interrupted = false;
  std::vector<Owed> owed;
};

CheckOutcome run_check(const v1::CheckRequest& request, const CheckServices& services);

// Explores the owed version in full. What it learned is in the ledger, uncommitted. `emit`: the events, which no client
// waits for.
enum class IdleWork { Done, NotDone, Deepens };  // Deepens: not done; with more time it may be clear with more switches
IdleWork work_off(const Owed& owed, Explorers& explorers, const Interrupt& interrupt,
                  const std::function<void(const v1::Event&)>& emit);

// The settings with the request's changes.
Settings settings_for(const v1::CheckRequest& request, const Settings& settings);
// Reads the project's `.heddle.yaml`; the editor's unsaved text of it comes first.
std::variant<ProjectSettings, SettingsError> project_settings(const Project& project, const v1::CheckRequest& request);
std::vector<frontend::Overlay> overlays_of(const v1::CheckRequest& request);

}  // namespace heddle::engine
