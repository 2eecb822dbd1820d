#include "server/detect/interrupted_races.h"

#include <algorithm>

namespace heddle::detect {

using machine::CodeAddress;
using machine::Machine;

namespace {

// What is on one place of the source becomes visible as a whole.
bool same_statement(const program::Program& program, CodeAddress a, CodeAddress b) {
  if (!a.function.valid() || !b.function.valid()) return false;
  return a == b || (a.function == b.function && program.place(a).line != 0 && program.place(a) == program.place(b));
}

// The project's own statement that a thread is in: inside the library, the call that led there.
CodeAddress project_statement(const Machine& machine, machine::ThreadId thread) {
  for (const CodeAddress at : machine.call_stack(thread))
    if (at.function.valid() && machine.program().function(at.function).in_project) return at;
  return {};
}

}  // namespace

bool is_plain(machine::OperationKind kind) {
  return kind == machine::OperationKind::Read || kind == machine::OperationKind::Write;
}

void InterruptedRaces::switches(Machine& machine, machine::ThreadId last) {
  if (is_plain(machine.pending(last).kind)) statements_.push_back(project_statement(machine, last));
}

std::vector<std::string> InterruptedRaces::identities(const Machine& machine, const std::string& own) const {
  std::vector<std::string> result, others;
  if (statements_.empty()) return result;
  for (const machine::Fault& fault : machine.faults()) {
    if (fault.kind != machine::FaultKind::DataRace) continue;
    const bool interrupted =
        std::any_of(fault.places.begin(), fault.places.end(), [&](const machine::FaultPlace& place) {
          const CodeAddress at = place.user.function.valid() ? place.user : place.at;
          return std::any_of(statements_.begin(), statements_.end(),
                             [&](CodeAddress statement) { return same_statement(machine.program(), statement, at); });
        });
    const std::string id = from_fault(machine, fault, {}).id;
    std::vector<std::string>& ids = interrupted ? result : others;
    if (id != own && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return result.empty() ? others : result;
}

}  // namespace heddle::detect
