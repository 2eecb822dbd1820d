// Programs in machines, driven by hand or by chance.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::machine::test {

struct Step {
  ThreadId thread;
  uint32_t alternative = 0;
  bool operator==(const Step&) const = default;
};

ImagePtr image_of(const std::string& text, bool facts = true);
ImagePtr cxx_image_of(const std::string& text, bool facts = true);  // C++14, nothing of the library linked
ImagePtr image_of_file(const std::string& path);                    // below tests/programs

std::vector<Step> choices(Machine& machine);  // everything that is possible now
void step(Machine& machine, Step step);
// Runs to the end: random threads and alternatives from a seed; 0: lowest thread first, first alternative.
std::vector<Step> run(Machine& machine, uint64_t seed, uint32_t steps_max = 10'000);
// Runs until no thread can go on but by `order`: names of threads ("main", "worker 1"), each performs one operation.
void run_in_order(Machine& machine, const std::vector<std::string>& order);

bool has_fault(const Machine& machine, FaultKind kind);
const Fault* find_fault(const Machine& machine, FaultKind kind);
uint32_t line_of(const Machine& machine, CodeAddress at);
std::string text_of(const Event& event);
// Over many random schedules: does any show the fault? Prints the seed when `expected` does not hold.
bool ever_faults(const ImagePtr& image, FaultKind kind, uint32_t schedules = 200);

}  // namespace heddle::machine::test
