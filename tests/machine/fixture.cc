#include "tests/machine/fixture.h"

#include <fstream>
#include <sstream>

#include "server/analysis/analysis.h"
#include "tests/support/compile_text.h"

namespace heddle::machine::test {

ImagePtr image_of(const std::string& text, bool facts) {
  const program::ProgramPtr program = heddle::test::program_of(text);
  return make_image(program, facts ? analysis::analyse(program) : nullptr);
}

ImagePtr cxx_image_of(const std::string& text, bool facts) {
  const program::ProgramPtr program =
      program::Program::link({heddle::test::compile_text(text, "/heddle-test/test.cc", {"-std=gnu++14", "-w"})});
  return make_image(program, facts ? analysis::analyse(program) : nullptr);
}

ImagePtr image_of_file(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_PROGRAMS) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return image_of(text.str());
}

std::vector<Step> choices(Machine& machine) {
  std::vector<Step> result;
  if (machine.outcome() != Outcome::Running) return result;
  for (uint32_t n = 0; n < machine.thread_count(); ++n) {
    if (machine.status(ThreadId(n)) != ThreadStatus::Pending) continue;
    for (uint32_t k = 0; k < machine.pending(ThreadId(n)).alternatives; ++k) result.push_back({ThreadId(n), k});
  }
  return result;
}

void step(Machine& machine, Step step) { machine.perform(step.thread, step.alternative); }

std::vector<Step> run(Machine& machine, uint64_t seed, uint32_t steps_max) {
  std::mt19937_64 random(seed);
  std::vector<Step> taken;
  while (taken.size() < steps_max) {
    const std::vector<Step> possible = choices(machine);
    if (possible.empty()) break;
    taken.push_back(seed == 0 ? possible.front() : possible[random() % possible.size()]);
    step(machine, taken.back());
  }
  return taken;
}

void run_in_order(Machine& machine, const std::vector<std::string>& order) {
  for (const std::string& name : order) {
    for (uint32_t n = 0; n < machine.thread_count(); ++n)
      if (machine.thread_name(ThreadId(n)) == name && machine.enabled(ThreadId(n))) {
        machine.perform(ThreadId(n));
        break;
      }
  }
}

const Fault* find_fault(const Machine& machine, FaultKind kind) {
  for (const Fault& fault : machine.faults())
    if (fault.kind == kind) return &fault;
  return nullptr;
}

bool has_fault(const Machine& machine, FaultKind kind) { return find_fault(machine, kind) != nullptr; }

uint32_t line_of(const Machine& machine, CodeAddress at) {
  return at.function.valid() ? machine.program().place(at).line : 0;
}

std::string text_of(const Event& event) {
  const Operation& o = event.operation;
  std::ostringstream text;
  text << static_cast<int>(o.kind) << " t" << o.thread.value << " @" << std::hex << o.object.bits << " "
       << o.second.bits << " size " << o.size << " alt " << event.alternative << "/" << o.alternatives << " "
       << event.value_read << "->" << event.value_written << " at " << o.at.bits() << (event.visible ? "" : " plain");
  return text.str();
}

bool ever_faults(const ImagePtr& image, FaultKind kind, uint32_t schedules) {
  Machine machine(image, {});
  const Mark start = machine.mark();
  for (uint64_t seed = 1; seed <= schedules; ++seed) {
    run(machine, seed);
    if (has_fault(machine, kind)) return true;
    machine.rewind(start);
  }
  return false;
}

}  // namespace heddle::machine::test
