// Unknown inputs as expressions: how many executions there are, what is found, and with which inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/explore/c_program.h"
#include "tests/explore/random_inputs.h"

namespace heddle::explore {
namespace {

Explored explored(const CProgram& program, machine::UnknownData data, bool matching = false) {
  Task task;
  task.mode = Mode::Full;
  task.machine.unknown_data = data;
  task.reductions.state_matching = matching;
  return run(program, task);
}

Explored explored(const std::string& text, machine::UnknownData data) { return explored(CProgram(text), data); }

// Each thread adds to one of two counters, by an unknown bit.
std::string counters(uint32_t threads, bool fine) {
  std::string text =
      "#include <pthread.h>\n"
      "_Bool __VERIFIER_nondet_bool(void);\n"
      "pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;\n"
      "int first, second;\n"
      "void *worker(void *p) {\n"
      "  if (__VERIFIER_nondet_bool()) {\n"
      "    pthread_mutex_lock(&one); first++; pthread_mutex_unlock(&one);\n"
      "  } else {\n"
      "    pthread_mutex_lock(&OTHER); second++; pthread_mutex_unlock(&OTHER);\n"
      "  }\n"
      "  return 0;\n"
      "}\n"
      "int main(void) {\n"
      "  pthread_t t[COUNT];\n"
      "  for (int n = 0; n < COUNT; n++) pthread_create(&t[n], 0, worker, 0);\n"
      "  for (int n = 0; n < COUNT; n++) pthread_join(t[n], 0);\n"
      "  return 0;\n"
      "}\n";
  return "#define COUNT " + std::to_string(threads) + "\n#define OTHER " + (fine ? "two" : "one") + "\n" + text;
}

// HEDDLE_DATA_CASES and HEDDLE_DATA_SEED choose others, HEDDLE_DATA_THREADS=6 counts up to six threads.
uint32_t from_environment(const char* name, uint32_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

uint32_t threads_most() { return std::clamp(from_environment("HEDDLE_DATA_THREADS", 5), 2u, 6u); }

TEST(Data, OneLockHasAllOrdersOfAllChoices) {
  const uint64_t expected[] = {8, 48, 384, 3'840, 46'080};  // N! * 2^N
  for (uint32_t threads = 2; threads <= threads_most(); ++threads) {
    const Explored explored_one = explored(counters(threads, false), machine::UnknownData::Symbolic);
    EXPECT_EQ(explored_one.result.statistics.executions, expected[threads - 2]);
    EXPECT_TRUE(explored_one.findings.empty());
  }
}

TEST(Data, ALockForEachCounterHasTheOrdersOfThreadsThatChooseTheSame) {
  const uint64_t expected[] = {6, 24, 120, 720, 5'040};  // (N + 1)!
  for (uint32_t threads = 2; threads <= threads_most(); ++threads) {
    const Explored explored_two = explored(counters(threads, true), machine::UnknownData::Symbolic);
    EXPECT_EQ(explored_two.result.statistics.executions, expected[threads - 2]);
  }
}

// Every interleaving and every outcome, without any reduction; what equivalent executions have in common.
class Enumeration {
 public:
  explicit Enumeration(const CProgram& program) : machine_(program.image, options()) {}

  // False: there are too many.
  bool run() {
    visit();
    return !too_many_;
  }
  size_t classes() const { return classes_.size(); }

 private:
  static machine::Options options() {
    machine::Options result;
    result.unknown_data = machine::UnknownData::Symbolic;
    return result;
  }

  void visit() {
    if (too_many_) return;
    bool enabled = false;
    for (uint32_t n = 0; machine_.outcome() == machine::Outcome::Running && n < machine_.thread_count(); ++n) {
      const machine::ThreadId thread(n);
      if (!machine_.enabled(thread)) continue;
      enabled = true;
      const machine::Mark mark = machine_.mark();
      const machine::Operation operation = machine_.pending(thread);
      for (uint32_t outcome = 0; outcome < operation.alternatives; ++outcome) {
        if (machine::next_alternative(operation, outcome) != outcome) continue;
        machine_.perform(thread, outcome);
        visit();
        machine_.rewind(mark);
      }
    }
    if (enabled) return;
    classes_.insert(signature());
    too_many_ = ++ends_ > 10'000;
  }

  // What each thread does, and the order of uses of each lock.
  std::string signature() const {
    std::map<std::string, std::string> parts;
    for (const machine::Event& event : machine_.events()) {
      const machine::Operation& operation = event.operation;
      const std::string thread = std::to_string(operation.thread.value);
      parts["thread " + thread] += std::to_string(operation.at.bits()) + ":" + std::to_string(event.alternative) + " ";
      const bool lock = operation.kind == machine::OperationKind::Lock;
      if (lock) parts["lock " + std::to_string(operation.object.bits)] += thread + " ";
    }
    std::string text;
    for (const auto& [name, part] : parts) text += name + " " + part + "\n";
    return text;
  }

  machine::Machine machine_;
  std::set<std::string> classes_;
  uint64_t ends_ = 0;
  bool too_many_ = false;
};

// A race has two sides; which of them comes first depends on the interleaving.
std::set<std::string> shown(const Explored& explored) {
  std::set<std::string> all;
  for (const detect::Finding& finding : explored.findings) {
    std::set<uint32_t> lines;
    for (const auto& place : finding.places) lines.insert(place.line);
    std::string text = finding.rule + " at";
    if (finding.rule != "data-race") lines = {finding.places.front().line};
    // The identity of these is what is waited for, not the thread that waits.
    if (finding.rule == "lost-signal" || finding.rule == "deadlock") lines.clear();
    for (uint32_t line : lines) text += " " + std::to_string(line);
    all.insert(text);
  }
  return all;
}

std::set<std::string> shown_by_values(const RandomInputs& random) {
  std::set<std::string> all;
  for (uint32_t one = 0; one < 1u << random.first_bits(); ++one) {
    for (uint32_t other = 0; other < 1u << random.second_bits(); ++other)
      all.merge(shown(explored(random.with_values(one, other), machine::UnknownData::Sampled)));
  }
  return all;
}

TEST(Data, RandomProgramsAgreeWithEveryValueTriedOneByOne) {
  const uint32_t first = from_environment("HEDDLE_DATA_SEED", 14), count = from_environment("HEDDLE_DATA_CASES", 30);
  uint32_t with_findings = 0, counted = 0;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const RandomInputs random(seed);
    const std::string text = random.with_inputs();
    const CProgram program(text);
    const Explored symbolic = explored(program, machine::UnknownData::Symbolic);
    const std::set<std::string> expected = shown(explored(random.with_bits(), machine::UnknownData::Sampled));
    // Now and then also as different programs, one for each pair of values.
    if (seed % 16 == 15) {
      EXPECT_EQ(shown_by_values(random), expected) << "seed " << seed << "\n" << text;
    }
    EXPECT_EQ(shown(symbolic), expected) << "seed " << seed << "\n" << text;
    for (const auto& limit : symbolic.result.limits)
      ADD_FAILURE() << "seed " << seed << ": " << limit.message << " at line " << limit.place.line << "\n" << text;
    const Explored by_states = explored(program, machine::UnknownData::Symbolic, true);
    EXPECT_EQ(shown(by_states), expected) << "seed " << seed << ", by states\n" << text;
    with_findings += !expected.empty();
    if (!expected.empty() || !random.only_locks()) continue;
    Enumeration enumeration{program};
    if (!enumeration.run()) continue;
    ++counted;
    EXPECT_EQ(symbolic.result.statistics.executions, enumeration.classes()) << "seed " << seed << "\n" << text;
  }
  std::cout << "seeds " << first << " to " << first + count - 1 << ": " << with_findings << " with findings, "
            << counted << " counted\n";
  EXPECT_GT(with_findings, 0u);
  EXPECT_GT(counted, 0u);
}

const char* const kOneInFourBillion =
    "#include <assert.h>\n#include <pthread.h>\nunsigned __VERIFIER_nondet_uint(void);\nint flag;\n"
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void *worker(void *p) { pthread_mutex_lock(&m); flag = 1; pthread_mutex_unlock(&m); return 0; }\n"
    "int main(void) {\n  pthread_t t; unsigned n = __VERIFIER_nondet_uint();\n  pthread_create(&t, 0, worker, 0);\n"
    "  pthread_mutex_lock(&m); int seen = flag; pthread_mutex_unlock(&m);\n"
    "  assert(!(seen && n * 3u == 123456789u));\n  pthread_join(t, 0); return 0;\n}\n";

TEST(Data, AFindingNamesTheInputThatFails) {
  const Explored symbolic = explored(kOneInFourBillion, machine::UnknownData::Symbolic);
  const detect::Finding* finding = symbolic.of("assertion");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->message.find("with __VERIFIER_nondet_uint() = 41152263 (line 8)"), std::string::npos)
      << finding->message;
  EXPECT_EQ(explored(kOneInFourBillion, machine::UnknownData::Sampled).of("assertion"), nullptr);
}

// A step that is performed before the path has decided the input shows the value that the path decides on later.
TEST(Data, EachStepHasTheValuesOfItsOwnPath) {
  const Explored symbolic = explored(
      "#include <assert.h>\n#include <stdatomic.h>\nint __VERIFIER_nondet_int(void);\natomic_int copy;\n"
      "int main(void) {\n  copy = __VERIFIER_nondet_int();\n  assert(copy != 77);\n  return 0;\n}\n",
      machine::UnknownData::Symbolic);
  const detect::Finding* finding = symbolic.of("assertion");
  ASSERT_NE(finding, nullptr);
  std::string text;
  for (const detect::TraceStep& step : finding->trace) text += step.action + "\n";
  EXPECT_NE(text.find("__VERIFIER_nondet_int() returns 77\n"), std::string::npos) << text;
  EXPECT_NE(text.find("read copy = 77\n"), std::string::npos) << text;
  EXPECT_NE(text.find("an unknown value decides: outcome "), std::string::npos) << text;
}

TEST(Data, WhatBecomesOneNumberIsALimit) {
  const Explored symbolic = explored(
      "int __VERIFIER_nondet_int(void);\nint main(void) {\n  double d = __VERIFIER_nondet_int();\n"
      "  return d > 2.5;\n}\n",
      machine::UnknownData::Symbolic);
  ASSERT_EQ(symbolic.result.limits.size(), 1u);
  EXPECT_EQ(symbolic.result.limits[0].place.line, 3u);
  EXPECT_EQ(symbolic.result.completeness, Completeness::GuestLimit);
}

// Nothing is clear that was not explored for every value.
TEST(Data, WhatEndsAThreadOrTheProcessIsOneNumber) {
  const std::string head =
      "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nint __VERIFIER_nondet_int(void);\n"
      "void *ends(void *p) { return (void *)(long)__VERIFIER_nondet_int(); }\nint main(void) {\n"
      "  int n = __VERIFIER_nondet_int(); __int128 wide = n; pthread_t t; void *r = 0;\n";
  for (const char* statement : {"return n;", "exit(n);", "_exit(n);", "quick_exit(n);", "return wide * wide > 9;",
                                "switch (wide) { case 3: return 1; } return 0;",
                                "pthread_create(&t, 0, ends, 0); pthread_join(t, &r); return r == (void *)7L;"}) {
    const Explored symbolic = explored(head + statement + "\n}\n", machine::UnknownData::Symbolic);
    ASSERT_GE(symbolic.result.limits.size(), 1u) << statement;
    EXPECT_GE(symbolic.result.limits[0].place.line, 5u) << statement;
    EXPECT_EQ(symbolic.result.completeness, Completeness::GuestLimit) << statement;
  }
}

TEST(Data, OperationsWithASignHaveTheirOwnOverflows) {
  const std::string head =
      "#include <assert.h>\nint __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); int q;\n"
      "int main(void) {\n  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n";
  const auto findings = [&](const std::string& text) {
    return explored(head + text + " return 0; }\n", machine::UnknownData::Symbolic).findings.size();
  };
  EXPECT_EQ(findings("__VERIFIER_assume(m == -1); q = n / m;"), 1u);
  EXPECT_EQ(findings("if (__builtin_add_overflow(n, 1, &q)) assert(n == 2147483647 && m == m);"), 0u);
}

std::string indexed(const std::string& cells, const std::string& bound) {
  return "unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n" + cells +
         "\nint main(void) {\n  unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < " + bound +
         ");\n  return cells[n];\n}\n";
}

TEST(Data, AllIndicesBehindTheEndAreOneFault) {
  for (const char* cells : {"int cells[4];", "char cells[4];", "long cells[4];"}) {
    const Explored symbolic = explored(indexed(cells, "9"), machine::UnknownData::Symbolic);
    EXPECT_NE(symbolic.of("out-of-bounds"), nullptr) << cells;
    EXPECT_TRUE(symbolic.result.limits.empty()) << cells;
  }
}

TEST(Data, ElementsBeyondTheMostOutcomesAreALimit) {
  const Explored symbolic = explored(indexed("char cells[100];", "100"), machine::UnknownData::Symbolic);
  EXPECT_EQ(symbolic.of("out-of-bounds"), nullptr);
  EXPECT_EQ(symbolic.result.limits.size(), 1u);
}

TEST(Data, AnIndexOutsideOfALargeObjectIsFound) {
  for (const char* cells : {"char cells[63];", "char cells[64];", "short cells[100];"}) {
    const Explored symbolic = explored(indexed(cells, "101"), machine::UnknownData::Symbolic);
    EXPECT_NE(symbolic.of("out-of-bounds"), nullptr) << cells;
  }
}

// Products of an unknown one of the numbers with each of them: whether they overflow, as the compiler's builtin has it.
template <typename T>
std::string products(const std::string& type, const std::vector<T>& numbers) {
  std::string known, checks;
  for (const T factor : numbers) {
    std::string expected;
    for (const T a : numbers) {
      T product;
      expected += __builtin_mul_overflow(a, factor, &product) ? "1, " : "0, ";
    }
    const std::string written = std::to_string(static_cast<unsigned long long>(factor)) + "ull";
    known += written + ", ";
    checks += "  { static const char expected[] = {" + expected + "}; " + type + " factor = " + written +
              ";\n    assert(__builtin_mul_overflow(known[n], factor, &product) == expected[n] && "
              "(unsigned long)product == (unsigned long)known[n] * (unsigned long)factor); }\n";
  }
  return "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n"
         "static const " +
         type + " known[] = {" + known +
         "};\nint main(void) {\n  unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < " +
         std::to_string(numbers.size()) + ");\n  " + type + " product;\n" + checks + "  return 0;\n}\n";
}

// There is no wider expression to multiply in.
TEST(Data, ProductsOfSixtyFourBitsOverflowAsForTheCompiler) {
  const std::vector<uint64_t> numbers = {0, 3, 4294967295, 4294967296, 4294967297, 6148914691236517205, ~uint64_t{0}};
  const std::vector<int64_t> with_sign = {1, -1, 2, 3037000499, 3037000500, -3037000500, INT64_MAX, INT64_MIN};
  for (const std::string& text : {products("unsigned long", numbers), products("long", with_sign)}) {
    const Explored symbolic = explored(text, machine::UnknownData::Symbolic);
    EXPECT_TRUE(symbolic.findings.empty()) << text;
    EXPECT_TRUE(symbolic.result.limits.empty()) << text;
  }
}

machine::Options with_unknown_inputs() {
  auto inputs = std::make_shared<machine::Inputs>();
  inputs->arguments = {{"", "0"}};
  inputs->environment = {{"MODE", {std::nullopt, "0"}}};
  inputs->standard_input = {"", "0"};
  inputs->files = {{"w", "", true}};
  for (const std::string& name : {machine::name_of_argument(1), machine::name_of_variable("MODE"),
                                  std::string(machine::kStandardInput), machine::name_of_file("w")})
    inputs->unknown[name] = 3;
  machine::Options options;
  options.inputs = inputs;
  options.unknown_data = machine::UnknownData::Symbolic;
  return options;
}

// Each of four inputs has four lengths: only what the program can look at is a choice.
TEST(Data, InputsThatNoThreadLooksAtAreNoChoice) {
  const std::string head =
      "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
      "static void *work(void *p) { puts(\"works\"); return p; }\n"
      "static void begin(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); }\n";
  const std::pair<const char*, uint64_t> programs[] = {
      {"int main(void) { begin(); return 0; }\n", 1},
      {"int main(int argc, char **argv) { begin(); (void)argv; return argc - 2; }\n", 1},
      {"static char unused(void) { char c = 0; read(0, &c, 1); return getenv(\"MODE\") ? c : 0; }\n"
       "int main(void) { begin(); return 0; }\n",
       1},
      {"int main(int argc, char **argv) { begin(); return argc > 5 ? argv[1][0] : 0; }\n", 4},
      {"int main(void) { begin(); return getenv(\"NONE\") != 0; }\n", 5},
      {"int main(void) { begin(); FILE *f = fopen(\"none\", \"r\"); return f != 0; }\n", 4},
      {"int main(void) { begin(); char c[9]; return read(7, c, 9) > 9; }\n", 16},  // of another file, for all one knows
  };
  for (const auto& [text, expected] : programs) {
    Task task;
    task.machine = with_unknown_inputs();
    EXPECT_EQ(run(CProgram(head + text), task).result.statistics.executions, expected) << text;
  }
}

// A block for each size that the assumption leaves, and each has its bounds.
TEST(Data, ABlockOfAnUnknownSize) {
  for (const std::string block : {"malloc(n * sizeof *cells)", "calloc(n, sizeof *cells)"})
    for (const bool wrong : {false, true}) {
      const std::string text =
          "#include <stdlib.h>\nunsigned __VERIFIER_nondet_uint(void); void __VERIFIER_assume(int);\n"
          "int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n - 1 < 5);\n"
          "  int *cells = " +
          block + ";\n  for (unsigned k = 0; k " + (wrong ? "<=" : "<") +
          " n; k++) cells[k] = 1;\n  free(cells);\n  return 0;\n}\n";
      const Explored symbolic = explored(text, machine::UnknownData::Symbolic);
      EXPECT_EQ(symbolic.of("out-of-bounds") != nullptr, wrong) << text;
      EXPECT_TRUE(symbolic.result.limits.empty()) << text;
      EXPECT_TRUE(wrong || symbolic.result.statistics.executions == 5) << symbolic.result.statistics.executions;
    }
}

// The values of a finding lead along its schedule without a question.
TEST(Data, AReplayWithItsValuesAsksNothing) {
  const CProgram program(
      "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void); unsigned char __VERIFIER_nondet_uchar(void);\n"
      "int main(void) {\n"
      "  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();\n"
      "  static const char table[300] = {1};\n  if (table[__VERIFIER_nondet_uchar()] != 0) return 0;\n"
      "  assert(!(a > 1 && b > 1 && c > b && (a * a & 0xffffff) == 0x6da321));\n  return 0;\n}\n");
  Task task;
  task.machine.unknown_data = machine::UnknownData::Symbolic;
  const Explored all = run(program, task);
  const detect::Finding* const failure = all.of("assertion");
  ASSERT_NE(failure, nullptr);
  EXPECT_GT(all.result.statistics.queries, 0u);
  const auto replayed = [&](const Task& with) {
    std::vector<detect::Finding> seen;
    Listener listener;
    listener.finding = [&](const detect::Finding& finding) { seen.push_back(finding); };
    const Result result = replay(program.image, failure->schedule, with, listener);
    EXPECT_EQ(result.statistics.queries + result.statistics.tried == 0, with.machine.given_values != nullptr);
    return seen;
  };
  EXPECT_EQ(replayed(task).size(), 1u);
  task.machine.given_values =
      std::make_shared<machine::GivenValues>(failure->input_values.begin(), failure->input_values.end());
  const std::vector<detect::Finding> seen = replayed(task);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].message, failure->message);
  EXPECT_EQ(seen[0].input_values, failure->input_values);
  task.machine.given_values = std::make_shared<machine::GivenValues>();
  EXPECT_TRUE(replayed(task).empty()) << "with other values it does not fail";
}

}  // namespace
}  // namespace heddle::explore
