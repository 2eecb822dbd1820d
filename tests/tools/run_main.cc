// Runs a C or C++ program in the machine under one schedule: heddle-run [OPTIONS] FILE... [-- FLAGS]. For developers.
//
// The lowest enabled thread goes first; --seed=N draws threads and alternatives instead; --rewind also goes back to
// random earlier states and on from there, and checks that they are what they were. --repeat=N runs N other schedules
// too, the last two with going back, and compares. Prints what is not modelled, the program's output, then faults; the
// exit code is the program's, 99 after a fatal fault, 98 when all threads are stuck, 96 when schedules differ.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "server/machine/code/image.h"
#include "server/machine/machine.h"
#include "server/program/print.h"
#include "tests/support/compile_files.h"
#include "tests/support/facts_check.h"

using namespace heddle;

namespace {

struct Arguments {
  frontend::ProjectRequest request;
  std::vector<std::string> program_arguments;
  uint64_t seed = 0, repeat = 0;
  bool facts = true, check_facts = false, events = false, time = false, quiet = false, rewind = false;
  machine::Options options;
  machine::Inputs inputs;
};

Arguments read_arguments(int count, char** words) {
  Arguments result;
  bool flags = false;
  for (int n = 1; n < count; ++n) {
    const std::string word = words[n];
    if (flags)
      result.request.flags.push_back(word);
    else if (word == "--")
      flags = true;
    else if (word.starts_with("--seed="))
      result.seed = std::strtoull(word.c_str() + 7, nullptr, 10);
    else if (word.starts_with("--repeat="))
      result.repeat = std::strtoull(word.c_str() + 9, nullptr, 10);
    else if (word.starts_with("--arg="))
      result.inputs.arguments.push_back({word.substr(6)});
    else if (word.starts_with("--stdin="))
      result.inputs.standard_input = {word.substr(8)};
    else if (word.starts_with("--limit="))
      result.options.instruction_limit = std::strtoull(word.c_str() + 8, nullptr, 10);
    else if (word == "--rewind")
      result.rewind = true;
    else if (word == "--no-facts")
      result.facts = false;
    else if (word == "--events")
      result.events = true;
    else if (word == "--quiet")
      result.quiet = true;
    else if (word == "--time")
      result.time = true;
    else if (word == "--check-facts")
      result.check_facts = true;
    else if (word == "--visible")
      result.options.plain_accesses = machine::PlainAccesses::Visible;
    else if (word == "--spurious-wakeups")
      result.options.spurious_wakeups = true;
    else if (word == "--no-races")
      result.options.detect_races = false;
    else
      result.request.files.push_back(std::filesystem::absolute(word).lexically_normal().string());
  }
  result.options.inputs = std::make_shared<const machine::Inputs>(result.inputs);
  return result;
}

std::string place(const program::Program& program, machine::CodeAddress at) {
  if (!at.function.valid()) return "?";
  const program::Place& p = program.place(at);
  return std::filesystem::path(program.file_of(at)).filename().string() + ":" + std::to_string(p.line) + ":" +
         std::to_string(p.column);
}

void print_faults(const machine::Machine& m) {
  for (const machine::Fault& fault : m.faults()) {
    std::fprintf(stderr, "fault %u in %s: %s [%s]\n", static_cast<unsigned>(fault.kind),
                 m.thread_name(fault.thread).c_str(), fault.message.c_str(), fault.subject.c_str());
    for (const machine::FaultPlace& p : fault.places) {
      std::fprintf(stderr, "  %s %s: %s", place(m.program(), p.at).c_str(), m.thread_name(p.thread).c_str(),
                   p.role.c_str());
      for (const machine::CodeAddress at : p.stack) std::fprintf(stderr, " < %s", place(m.program(), at).c_str());
      std::fprintf(stderr, "\n");
    }
  }
}

void print_event(const machine::Machine& m, const machine::Event& e) {
  std::fprintf(stderr, "%-10s kind %2u %-30s size %u alt %u read %llx wrote %llx at %s%s\n",
               m.thread_name(e.operation.thread).c_str(), static_cast<unsigned>(e.operation.kind),
               m.name_of(e.operation.object, e.operation.size).c_str(), e.operation.size, e.alternative,
               static_cast<unsigned long long>(e.value_read), static_cast<unsigned long long>(e.value_written),
               place(m.program(), e.operation.at).c_str(), e.visible ? "" : " (plain)");
}

// Goes back now and then; a state that is reached by rewinding must be the one that was marked.
class Rewinder {
 public:
  explicit Rewinder(machine::Machine& m) : m_(m) {}

  void step(std::mt19937_64& random) {
    if (states_.size() > 1 && rewinds_ < 500 && random() % 6 == 0) {
      states_.resize(1 + random() % states_.size());
      const State& back = states_.back();
      m_.rewind(back.mark);
      ++rewinds_;
      if (m_.fingerprint(true) != back.fingerprint || m_.standard_output().size() != back.output) {
        std::fprintf(stderr, "rewinding to mark %llu gives another state\n",
                     static_cast<unsigned long long>(back.mark.number));
        std::exit(97);
      }
      states_.pop_back();
    }
    const machine::Mark mark = m_.mark();
    states_.push_back({mark, m_.fingerprint(true), m_.standard_output().size()});
  }

 private:
  struct State {
    machine::Mark mark;
    uint64_t fingerprint;
    size_t output;
  };
  machine::Machine& m_;
  std::vector<State> states_;
  int rewinds_ = 0;
};

struct Schedule {
  uint64_t seed = 0;
  bool rewind = false;
};

struct Result {
  std::unique_ptr<machine::Machine> machine;
  uint64_t events = 0;
  double seconds = 0;
  bool stuck = false;
  int code() const {
    if (stuck) return 98;
    return machine->outcome() == machine::Outcome::Faulted ? 99 : machine->exit_code();
  }
};

Result run(const machine::ImagePtr& image, const machine::Options& options, Schedule schedule) {
  Result result;
  const auto start = std::chrono::steady_clock::now();
  result.machine = std::make_unique<machine::Machine>(image, options);
  machine::Machine& m = *result.machine;
  std::mt19937_64 random(schedule.seed);
  Rewinder rewinder(m);
  while (m.outcome() == machine::Outcome::Running) {
    if (schedule.rewind) rewinder.step(random);
    std::vector<machine::ThreadId> enabled;
    for (uint32_t n = 0; n < m.thread_count(); ++n)
      if (m.enabled(machine::ThreadId(n))) enabled.push_back(machine::ThreadId(n));
    if (enabled.empty()) {
      result.stuck = true;
      break;
    }
    const bool lowest = schedule.seed == 0;
    const machine::ThreadId next = lowest ? enabled.front() : enabled[random() % enabled.size()];
    m.perform(next, lowest ? 0 : static_cast<uint32_t>(random() % m.pending(next).alternatives));
    ++result.events;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void print_result(const Result& result, const Arguments& arguments) {
  machine::Machine& m = *result.machine;
  std::fwrite(m.standard_output().data(), 1, m.standard_output().size(), stdout);
  std::fflush(stdout);
  std::fwrite(m.standard_error().data(), 1, m.standard_error().size(), stderr);
  if (arguments.events)
    for (const machine::Event& e : m.events()) print_event(m, e);
  if (!arguments.quiet) print_faults(m);
  if (arguments.time)
    std::fprintf(stderr, "%llu instructions, %llu visible operations, %.3f ms, %.0f Minstr/s\n",
                 static_cast<unsigned long long>(m.instructions()), static_cast<unsigned long long>(result.events),
                 result.seconds * 1e3, static_cast<double>(m.instructions()) / result.seconds / 1e6);
  if (!result.stuck) return;
  for (uint32_t n = 0; n < m.thread_count(); ++n) {
    const machine::ThreadId id(n);
    if (m.status(id) != machine::ThreadStatus::Ended)
      std::fprintf(stderr, "stuck: %s waits at %s for %s\n", m.thread_name(id).c_str(),
                   place(m.program(), m.pending(id).at).c_str(), m.name_of(m.pending(id).object, 1).c_str());
  }
}

// Runs under other schedules; false if one of them shows another output or exit code.
bool same_under_other_schedules(const Result& first, const machine::ImagePtr& image, const Arguments& arguments) {
  for (uint64_t seed = 1; seed <= arguments.repeat; ++seed) {
    machine::Options options = arguments.options;
    const bool last = seed == arguments.repeat;
    if (last) options.plain_accesses = machine::PlainAccesses::Visible;
    const Result other = run(image, options, {seed, last || seed + 1 == arguments.repeat});
    if (other.code() == first.code() && other.machine->standard_output() == first.machine->standard_output()) continue;
    std::fprintf(stderr, "--seed=%llu%s differs: exit code %d, output:\n%s\n", static_cast<unsigned long long>(seed),
                 last ? " --visible" : "", other.code(), std::string(other.machine->standard_output()).c_str());
    print_faults(*other.machine);
    return false;
  }
  return true;
}

// Runs the program once more, beside a second thread: the machine tells plain accesses only while there are two.
bool analysis_knows_every_access(std::vector<program::UnitPtr> units, const Arguments& arguments) {
  units.push_back(test::second_thread());
  const program::ProgramPtr program = program::Program::link(std::move(units));
  const test::FactsCheck check =
      test::check_facts(program, analysis::analyse(program), arguments.options, arguments.seed);
  std::fprintf(stderr, "%s%llu accesses compared with the analysis\n", check.misses.c_str(),
               static_cast<unsigned long long>(check.accesses));
  return check.misses.empty();
}

void print_unknown(const machine::Image& image) {
  for (const machine::UnknownExternal& external : machine::unknown_externals(image)) {
    std::fprintf(stderr, "not modelled: %s (%zu call sites)\n", program::readable_name(external.name).c_str(),
                 external.calls.size());
  }
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  if (arguments.request.files.empty()) {
    std::fprintf(stderr,
                 "usage: heddle-run [--seed=N] [--repeat=N] [--arg=WORD] [--stdin=TEXT] [--limit=N] [--events] "
                 "[--time] [--visible] "
                 "[--rewind] [--no-facts] [--check-facts] [--no-races] FILE... [-- FLAGS]\n");
    return 2;
  }
  const std::vector<program::UnitPtr> units = test::compile_files(arguments.request);
  if (units.empty()) return 2;
  const program::ProgramPtr program = program::Program::link(units);
  const auto facts = arguments.facts ? analysis::analyse(program) : nullptr;
  const machine::ImagePtr image = machine::make_image(program, facts);
  if (!arguments.quiet) print_unknown(*image);
  const Result result = run(image, arguments.options, {arguments.seed, arguments.rewind});
  print_result(result, arguments);
  if (!same_under_other_schedules(result, image, arguments)) return 96;
  return arguments.check_facts && !analysis_knows_every_access(units, arguments) ? 95 : result.code();
}
