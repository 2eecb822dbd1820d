// Unknown inputs as expressions, beside sampled values and every value tried: executions, questions, findings.
//
// usage: bench_data [seconds per row, default 10] [name of one program]
// With every value tried an input of 8 bits is eight unknown bits.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <string>

#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

namespace {

using namespace heddle;

struct Program {
  const char* name;
  const char* globals;
  const char* worker;  // `key` is its input, n its number
  const char* ending;  // behind the joins
};

constexpr const char* kLock = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";

const Program kPrograms[] = {
    {"counters", "static int x, y;", "pthread_mutex_lock(&m); if (key & 1) x++; else y++; pthread_mutex_unlock(&m);",
     "assert(x + y == N);"},
    {"rare", "static int x;",
     "pthread_mutex_lock(&m); if (n == 1 && x == 1 && key * 3 == 231) x = 9; else x++; pthread_mutex_unlock(&m);",
     "assert(x < 5);"},
    {"cells", "static int cells[8];", "pthread_mutex_lock(&m); if (key < 8) cells[key]++; pthread_mutex_unlock(&m);",
     "int sum = 0; for (int i = 0; i < 8; i++) sum += cells[i]; assert(sum <= N);"},
    {"exchange", "static atomic_int word;",
     "int e = 0; while (!atomic_compare_exchange_strong(&word, &e, key)) { if (e == key) break; }", "(void)word;"},
    {"threshold", "static int total;",
     "pthread_mutex_lock(&m); if (key > 200) total += 3; else if (key > 100) total += 2; else total++;"
     " pthread_mutex_unlock(&m);",
     "assert(total >= N && total <= 3 * N);"},
    {"sum", "static unsigned total;", "pthread_mutex_lock(&m); total += (unsigned)key; pthread_mutex_unlock(&m);",
     "assert(total != 499);"},
};

enum class Way { Symbolic, Sampled, EveryValue };
constexpr const char* kWays[] = {"expressions", "sampled", "every value"};

std::string text_of(const Program& program, Way way) {
  const char* const take = way == Way::EveryValue
                               ? "unsigned v = 0; for (int i = 0; i < 8; i++) v = v * 2 + __VERIFIER_nondet_bool();"
                                 " return (unsigned char)v;"
                               : "return __VERIFIER_nondet_uchar();";
  return std::string("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#define N 2\n") +
         "unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);\n" +
         "static unsigned char take(void) { " + take + " }\n" + kLock + program.globals +
         "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; int key = take(); " + program.worker +
         " return 0; }\nint main(void) { (void)m; pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0,"
         " worker, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); " +
         program.ending + " return 0; }\n";
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void row(const Program& program, Way way, double seconds) {
  explore::Task task;
  task.budget.seconds = seconds;
  task.machine.unknown_data = way == Way::Symbolic ? machine::UnknownData::Symbolic : machine::UnknownData::Sampled;
  size_t findings = 0;
  explore::Listener listener;
  listener.finding = [&](const detect::Finding&) { ++findings; };
  const program::ProgramPtr linked = test::program_of(text_of(program, way));
  const machine::ImagePtr image = machine::make_image(linked, analysis::analyse(linked));
  const double begin = processor_seconds();
  const explore::Result result = explore::explore(image, nullptr, task, listener);
  const double cpu = processor_seconds() - begin;
  const explore::Statistics& s = result.statistics;
  std::printf("%-12s %-12s %12llu %10.0f %9llu %9llu %11llu %9zu %9.3f %8s\n", program.name,
              kWays[static_cast<size_t>(way)], static_cast<unsigned long long>(s.executions),
              static_cast<double>(s.executions) / cpu, static_cast<unsigned long long>(s.queries),
              static_cast<unsigned long long>(s.tried), static_cast<unsigned long long>(s.remembered), findings, cpu,
              result.completeness == explore::Completeness::Complete ? "yes" : "");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  std::string only;
  CLI::App app("Unknown inputs as expressions, beside sampled values and every value tried.", "bench_data");
  app.add_option("seconds", seconds, "per row")->capture_default_str();
  app.add_option("program", only, "one of the programs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::printf("%-12s %-12s %12s %10s %9s %9s %11s %9s %9s %8s\n", "program", "inputs", "executions", "per cpu s",
              "queries", "tried", "remembered", "findings", "cpu", "complete");
  for (const Program& program : kPrograms) {
    if (!only.empty() && only != program.name) continue;
    for (const Way way : {Way::Symbolic, Way::Sampled, Way::EveryValue}) row(program, way, seconds);
  }
  return 0;
}
