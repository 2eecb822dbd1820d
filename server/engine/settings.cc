#include "server/engine/settings.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace heddle::engine {

namespace {

// Raised by hand when models, detectors or strategies change their answers.
constexpr uint32_t kModelsVersion = 1;

template <typename Number>
void read_variable(const char* name, Number& value, std::vector<std::string>& notes, double scale = 1) {
  const char* text = std::getenv(name);
  if (!text || !*text) return;
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (*end || !(number >= 0)) {
    notes.push_back(std::string("the environment variable ") + name + " is no number: '" + text + "' is ignored");
    return;
  }
  value = static_cast<Number>(number * scale);
}

}  // namespace

Settings Settings::from_environment() {
  Settings s;
  read_variable("HEDDLE_STEP1_SECONDS", s.step1_seconds, s.notes);
  read_variable("HEDDLE_STEP2_SECONDS", s.step2_seconds, s.notes);
  read_variable("HEDDLE_FIRST_SECONDS", s.first_seconds, s.notes);
  read_variable("HEDDLE_BACKGROUND_SECONDS", s.background_seconds, s.notes);
  read_variable("HEDDLE_EXPLORERS", s.explorers_max, s.notes);
  read_variable("HEDDLE_EXPLORER_MEMORY_MB", s.explorer_memory_bytes, s.notes, 1 << 20);
  read_variable("HEDDLE_GUEST_MEMORY_MB", s.machine.memory_limit, s.notes, 1 << 20);
  read_variable("HEDDLE_GUEST_INSTRUCTIONS", s.machine.instruction_limit, s.notes);
  return s;
}

program::Hash Settings::hash() const {
  program::Hasher h;
  h.number(kModelsVersion).number(machine.memory_limit).number(machine.instruction_limit);
  h.number(machine.stack_depth_limit).number(static_cast<uint64_t>(machine.plain_accesses));
  h.number(machine.detect_races).number(machine.check_leaks).number(machine.arguments.size());
  for (const std::string& argument : machine.arguments) h.text(argument);
  return h.finish();
}

uint32_t core_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

uint32_t models_version() { return kModelsVersion; }

}  // namespace heddle::engine
