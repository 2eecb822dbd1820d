#include "server/engine/settings/settings.h"

#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace heddle::engine {

namespace {

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

void add_inputs(program::Hasher& h, const machine::Inputs& inputs) {
  h.number(inputs.arguments.size());
  for (const auto& values : inputs.arguments) {
    h.number(values.size());
    for (const std::string& value : values) h.text(value);
  }
  h.number(inputs.environment.size());
  for (const machine::EnvironmentVariable& variable : inputs.environment) {
    h.text(variable.name).number(variable.values.size());
    for (const auto& value : variable.values) h.number(value.has_value()).text(value.value_or(""));
  }
  h.number(inputs.standard_input.size());
  for (const std::string& text : inputs.standard_input) h.text(text);
  h.number(inputs.files.size());
  for (const machine::InputFile& file : inputs.files) h.text(file.path).text(file.content).number(file.unknown);
  if (inputs.clients != 0) h.text("clients").number(inputs.clients).number(inputs.client_bytes);
  h.number(inputs.unknown.size());
  for (const auto& [name, most] : inputs.unknown) h.text(name).number(most);
}

}  // namespace

Settings Settings::from_environment() {
  Settings s;
  read_variable("HEDDLE_STEP1_SECONDS", s.step1_seconds, s.notes);
  read_variable("HEDDLE_STEP2_SECONDS", s.step2_seconds, s.notes);
  read_variable("HEDDLE_CONSEQUENCES_SECONDS", s.consequences_seconds, s.notes);
  read_variable("HEDDLE_CONSEQUENCES_QUIET_SECONDS", s.consequences_quiet_seconds, s.notes);
  read_variable("HEDDLE_WEAK_SECONDS", s.weak_seconds, s.notes);
  read_variable("HEDDLE_FIRST_SECONDS", s.first_seconds, s.notes);
  read_variable("HEDDLE_BACKGROUND_SECONDS", s.background_seconds, s.notes);
  read_variable("HEDDLE_EXPLORERS", s.explorers_max, s.notes);
  read_variable("HEDDLE_PART_SECONDS", s.part_seconds, s.notes);
  if (const char* folder = std::getenv("HEDDLE_PARTS")) s.parts_folder = folder;
  if (const char* folder = std::getenv("HEDDLE_PARTS_WORKER")) s.part_worker = folder;
  read_variable("HEDDLE_EARLY_SEARCH_INTERACTIONS", s.early_search_interactions, s.notes);
  read_variable("HEDDLE_EXPLORER_MEMORY_MB", s.explorer_memory_bytes, s.notes, 1 << 20);
  read_variable("HEDDLE_GUEST_MEMORY_MB", s.machine.memory_limit, s.notes, 1 << 20);
  read_variable("HEDDLE_GUEST_INSTRUCTIONS", s.machine.instruction_limit, s.notes);
  return s;
}

program::Hash Settings::hash() const { return hash_of_build(build_identity()); }

program::Hash Settings::hash_of_build(uint64_t build) const {
  program::Hasher h;
  h.number(build).number(machine.memory_limit).number(machine.instruction_limit);
  h.number(machine.stack_depth_limit).number(static_cast<uint64_t>(machine.plain_accesses));
  h.number(machine.spurious_wakeups).number(machine.detect_races).number(machine.check_leaks);
  if (memory_model != 0) h.text("memory model").number(memory_model);
  if (weak_asked) h.text("weak model").number(weak_model);
  if (reductions != ~0u) h.text("reductions").number(reductions);
  add_inputs(h, machine.inputs ? *machine.inputs : machine::Inputs{});
  h.number(static_cast<uint64_t>(machine.unknown_calls.otherwise.how)).number(machine.unknown_calls.by_name.size());
  for (const auto& [name, policy] : machine.unknown_calls.by_name) {
    h.text(name).number(static_cast<uint64_t>(policy.how)).number(policy.values.size());
    for (const machine::ValueRange& range : policy.values)
      h.number(static_cast<uint64_t>(range.least)).number(static_cast<uint64_t>(range.most));
    for (const machine::UnknownFill& fill : policy.fills)
      h.text("fills").number(fill.argument).number(fill.bytes).number(fill.size_argument.value_or(~0u));
  }
  if (machine.unknown_data != machine::UnknownData::Sampled) h.text("symbolic data");
  return h.finish();
}

void Settings::apply(const ProjectSettings& project) {
  machine.inputs = std::make_shared<const machine::Inputs>(project.inputs);
  machine.unknown_calls = project.unknown_calls;
  machine.unknown_data = project.unknown_data;
  weak_asked = project.memory_model.has_value();
  if (weak_asked) weak_model = project.memory_model->model;
  models = project.models;
  const TimeLimits& limits = project.time_limits;
  step1_seconds = limits.pairs.value_or(step1_seconds);
  step2_seconds = limits.all.value_or(step2_seconds);
  first_seconds = limits.first.value_or(first_seconds);
  background_seconds = limits.background.value_or(background_seconds);
  for (const std::string& input : project.bounded) notes.push_back(input + ", as the settings say");
  for (const std::string& input : project.sampled) notes.push_back("data was sampled: " + input);
}

uint32_t explorers_at_once(const Settings& settings) {
  return settings.explorers_max > 0 ? settings.explorers_max : core_count();
}

uint32_t core_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

uint64_t build_identity() {
  static const uint64_t identity = [] {
    struct stat info{};
    if (::stat("/proc/self/exe", &info) != 0) return uint64_t{0};
    program::Hasher h;
    h.number(static_cast<uint64_t>(info.st_size)).number(static_cast<uint64_t>(info.st_mtim.tv_sec));
    return h.number(static_cast<uint64_t>(info.st_mtim.tv_nsec)).finish().low;
  }();
  return identity;
}

}  // namespace heddle::engine
