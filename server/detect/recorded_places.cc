#include "server/detect/recorded_places.h"

#include <algorithm>
#include <set>
#include <utility>

#include "server/detect/actions.h"
#include "server/detect/describe.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::Pointer;

namespace {

// Only a recorded run knows which line of the project started a thread that is in library code (user_place).
void name_who_started(const Machine& machine, Finding& finding) {
  if (finding.rule == "leak") return;
  for (const machine::Fault& fault : machine.faults()) {
    const auto in_library = [&](const machine::FaultPlace& place) {
      return !place.user.function.valid() && place.at.function.valid() &&
             !machine.program().function(place.at.function).in_project;
    };
    if (!std::any_of(fault.places.begin(), fault.places.end(), in_library)) continue;
    Finding again = from_fault(machine, fault, {});
    if (again.id == finding.id && again.places.size() == finding.places.size())
      finding.places = std::move(again.places);
  }
}

// Of a leak: where a pointer to the block was written over, the last time; from there on nothing leads to it.
void name_what_was_lost(Machine& machine, Finding& finding) {
  if (finding.rule != "leak") return;
  machine.mark();  // the value of the last write is known now
  for (const machine::Fault& fault : machine.faults()) {
    if (fault.kind != machine::FaultKind::Leak || from_fault(machine, fault, {}).id != finding.id) continue;
    std::set<uint64_t> pointers;
    const Event* lost = nullptr;
    for (const Event& event : machine.events()) {
      const Operation& done = event.operation;
      if (!writes(done.kind) || done.size != sizeof(uint64_t)) continue;
      if (Pointer{event.value_written}.object() == fault.address.object())
        pointers.insert(done.object.bits);
      else if (pointers.erase(done.object.bits) != 0)
        lost = &event;
    }
    if (lost == nullptr || !lost->operation.at.function.valid()) return;
    const std::string name = machine.name_of(lost->operation.object, lost->operation.size);
    finding.places.push_back(user_place(machine, lost->operation.at, lost->user, lost->operation.thread,
                                        "writes over the pointer to it in " + quoted(name)));
    return;
  }
}

}  // namespace

void name_known_by_recording(Machine& machine, Finding& finding) {
  name_who_started(machine, finding);
  name_what_was_lost(machine, finding);
}

}  // namespace heddle::detect
