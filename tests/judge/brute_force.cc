#include "tests/judge/brute_force.h"

#include <algorithm>
#include <unordered_set>

#include "server/analysis/code_facts.h"
#include "server/detect/cycles.h"
#include "server/detect/exit_code.h"

namespace heddle::judge {
namespace {

// Which of the blocks that one line allocates depends on the schedule.
std::string of_any_block(std::string name) {
  if (const size_t site = name.find('@'), mark = name.find('#', site); site != name.npos && mark != name.npos)
    name.erase(mark, name.find_first_not_of("0123456789", mark + 1) - mark);
  return name;
}

using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

bool plain(const Operation& o) { return o.kind == OperationKind::Read || o.kind == OperationKind::Write; }
bool memory(const Operation& o) {
  return plain(o) || o.kind == OperationKind::AtomicRead || o.kind == OperationKind::AtomicWrite ||
         o.kind == OperationKind::AtomicUpdate;
}
bool writes(const Operation& o) {
  return o.kind == OperationKind::Write || o.kind == OperationKind::AtomicWrite ||
         o.kind == OperationKind::AtomicUpdate;
}

bool at_one_place(const Operation& a, const Operation& b) {
  if (a.object.object() != b.object.object()) return false;
  const uint64_t a_begin = a.object.offset(), b_begin = b.object.offset();
  return a_begin < b_begin + std::max(1u, b.size) && b_begin < a_begin + std::max(1u, a.size);
}

bool conflict(const Operation& a, const Operation& b) {
  return memory(a) && memory(b) && (plain(a) || plain(b)) && (writes(a) || writes(b)) && at_one_place(a, b);
}

// In program order.
std::vector<machine::CodeAddress> calls_that_free(const program::Program& program) {
  std::vector<machine::CodeAddress> result;
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    const program::FunctionId function(f);
    const auto& code = program.function(function).code;
    for (uint32_t n = 0; n < code.size(); ++n) {
      if (code[n].op != program::Opcode::Call) continue;
      const auto* callee = analysis::library_callee(program, function, code[n]);
      if (callee != nullptr && callee->effect == library::Effect::Frees) result.push_back({function, n});
    }
  }
  return result;
}

class Walk {
 public:
  Walk(const Version& version, uint64_t states_max)
      : version_(version),
        frees_(calls_that_free(*version.program)),
        states_max_(states_max),
        machine_(version.image, options()) {
    machine_.make_visible(frees_);
  }

  std::optional<States> run() {
    visit();
    if (too_many_) return std::nullopt;
    return std::move(states_);
  }

 private:
  // Does it write only if it succeeds?
  bool conditional(const Operation& o) const {
    return o.kind == OperationKind::AtomicUpdate &&
           version_.program->instruction(o.at).op == program::Opcode::CompareExchange;
  }

  bool frees(const Operation& o) const { return std::binary_search(frees_.begin(), frees_.end(), o.at); }

  static machine::Options options() {
    machine::Options o;
    o.plain_accesses = machine::PlainAccesses::Visible;
    o.detect_races = false;
    o.unknown_data = machine::UnknownData::Symbolic;
    return o;
  }

  void faults() {
    for (const machine::Fault& fault : machine_.faults())
      if (!detect::is_limit(fault.kind))
        states_.others.insert(detect::from_fault(machine_, fault, {}).id);
      else
        too_many_ = true;
  }

  // Before a thread that ends in a leak is set aside: a leak is found at the end of the process.
  void process_ended() {
    const bool leaks = !machine_.faults().empty() && (machine_.faults().back().kind == machine::FaultKind::Leak ||
                                                      machine_.faults().back().kind == machine::FaultKind::ThreadLeak);
    if ((machine_.outcome() != machine::Outcome::Finished && !leaks) || !detect::ends_by_itself(machine_)) return;
    const std::string inputs = detect::inputs_key(machine_);
    (machine_.exit_code() == 0 ? succeeded_ : failed_).insert(inputs);
    states_.exit_codes_differ |= succeeded_.count(inputs) != 0 && failed_.count(inputs) != 0;
  }

  void visit() {
    faults();
    if (too_many_ || machine_.outcome() != machine::Outcome::Running) return;
    const uint64_t state = machine_.fingerprint(false);
    if (state == 0 || ++states_.count > states_max_ || depth_ > 2000) {
      too_many_ = true;
      return;
    }
    if (!seen_.insert(state).second) return;
    std::vector<ThreadId> enabled;
    for (uint32_t n = 0; n < machine_.thread_count(); ++n)
      if (machine_.enabled(ThreadId(n))) enabled.push_back(ThreadId(n));
    if (enabled.empty())
      if (auto stuck = detect::from_stuck(machine_, {})) states_.others.insert(stuck->id);
    for (const detect::Cycle& cycle : detect::lock_cycles(machine_))
      states_.others.insert(detect::from_lock_cycle(machine_, {}, cycle).id);
    for (size_t a = 0; a < enabled.size(); ++a)
      for (size_t b = a + 1; b < enabled.size(); ++b) {
        const Operation first = machine_.pending(enabled[a]), second = machine_.pending(enabled[b]);
        if (!conflict(first, second)) continue;
        if (first.object.bits == 0) continue;  // both will be null dereferences: there is no object to race on
        states_.may_race = true;
        if (!conditional(first) && !conditional(second) && !frees(first) && !frees(second))
          states_.races.insert(of_any_block(machine_.name_of(first.object, first.size)));
      }
    const machine::Mark mark = machine_.mark();
    ++depth_;
    for (const ThreadId thread : enabled) {
      for (uint32_t alternative = 0; !too_many_; ++alternative) {
        const Operation operation = machine_.pending(thread);
        if (alternative >= operation.alternatives) break;
        if (machine::next_alternative(operation, alternative) != alternative) continue;
        const machine::Outcome outcome = machine_.perform(thread, alternative);
        process_ended();
        if (outcome == machine::Outcome::Faulted && !detect::is_limit(machine_.faults().back().kind))
          machine_.set_aside();
        visit();
        machine_.rewind(mark);
      }
    }
    --depth_;
  }

  const Version& version_;
  const std::vector<machine::CodeAddress> frees_;
  const uint64_t states_max_;
  machine::Machine machine_;
  States states_;
  std::unordered_set<uint64_t> seen_;
  std::set<std::string> succeeded_, failed_;  // inputs with which the process ended so
  uint32_t depth_ = 0;
  bool too_many_ = false;
};

}  // namespace

std::optional<States> all_states(const Version& version, uint64_t states_max) {
  return Walk(version, states_max).run();
}

std::string race_object(const detect::Finding& finding) {
  if (finding.rule != "data-race") return "";
  const size_t begin = finding.message.find('\''), end = finding.message.find('\'', begin + 1);
  std::string name = finding.message.substr(begin + 1, end - begin - 1);
  return of_any_block(std::move(name));
}

std::set<std::string> race_objects(const std::vector<detect::Finding>& findings) {
  std::set<std::string> result;
  for (const detect::Finding& f : findings)
    if (f.rule == "data-race") result.insert(race_object(f));
  return result;
}

}  // namespace heddle::judge
