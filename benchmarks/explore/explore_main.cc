// Executions per second of full exploration on small programs with 2 to 14 threads, and the cost of one long execution.
//
// usage: bench_explore [seconds per row, default 1] [name of one program, or all] [executions | source-sets]
// The last word keeps to the search by executions, with wakeup trees or with source sets.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

namespace {

using namespace heddle;

struct Program {
  const char* name;
  uint32_t threads_min, threads_max;
  const char* globals;
  const char* worker;  // uses n, its number, and N, how many there are
};

const Program kPrograms[] = {
    {"independent", 2, 14, "static atomic_int x[16];", "x[n]++; x[n]++; x[n]++;"},
    {"writers", 2, 14, "static atomic_int x;", "x = n;"},
    {"counter", 2, 14, "static atomic_int x;", "x++; x++;"},
    {"flags", 2, 14, "static atomic_int x[16];", "x[n] = 1; (void)x[(n + 1) % N];"},
    {"readers", 2, 14, "static atomic_int x;", "if (n == 0) x = 1; else (void)x;"},
    {"lastzero", 2, 14, "static atomic_int x[17];",
     "if (n == 0) { int i = N - 1; while (i > 0 && x[i] != 0) i--; } else { x[n] = x[n - 1] + 1; }"},
    {"indexer", 11, 14, "static atomic_int table[128];",
     "for (int m = 0; m < 4; m++) { int w = m * 11 + n, h = (w * 7) % 128, e = 0;"
     " while (!atomic_compare_exchange_strong(&table[h], &e, w)) { e = 0; h = (h + 1) % 128; } }"},
    {"mutex", 2, 14, "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;",
     "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"},
    {"queue", 2, 14,
     "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int items[64], head, tail;"
     "static void put(int v) { pthread_mutex_lock(&m); items[tail++ % 64] = v; pthread_mutex_unlock(&m); }"
     "static int get(void) { pthread_mutex_lock(&m); int v = head < tail ? items[head++ % 64] : -1;"
     " pthread_mutex_unlock(&m); return v; }",
     "if (n % 2 == 0) { put(n); put(n + 1); } else { get(); get(); }"},
    // After the first round every access is a scheduling point.
    {"races", 2, 14, "static int x, y;", "x++; if (n % 2) y = x;"},
    {"condition", 2, 14,
     "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
     "static int go;",
     "pthread_mutex_lock(&m); if (n == 0) { go = 1; pthread_cond_broadcast(&c); } else while (!go) "
     "pthread_cond_wait(&c, &m);"
     " pthread_mutex_unlock(&m);"},
};

std::string text_of(const Program& program, uint32_t threads) {
  const std::string n = std::to_string(threads);
  return "#include <pthread.h>\n#include <stdatomic.h>\n#define N " + n + "\n" + program.globals +
         "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; " + program.worker +
         " return 0; }\nint main(void) { pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker,"
         " (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return 0; }\n";
}

machine::ImagePtr image_of(const std::string& text) {
  const program::ProgramPtr program = test::program_of(text);
  return machine::make_image(program, analysis::analyse(program));
}

struct Measured {
  explore::Result result;
  double cpu = 0;  // seconds of processor time
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

explore::Reductions reductions;

Measured explore_for(const std::string& text, double seconds) {
  explore::Task task;
  task.reductions = reductions;
  task.budget.seconds = seconds;
  const explore::Listener listener;
  const machine::ImagePtr image = image_of(text);
  const double begin = processor_seconds();
  Measured measured;
  measured.result = explore::explore(image, nullptr, task, listener);
  measured.cpu = processor_seconds() - begin;
  return measured;
}

void table(double seconds, const std::string& only) {
  std::printf("%-12s %7s %12s %10s %10s %9s %9s %12s %8s\n", "program", "threads", "executions", "redundant", "events",
              "seconds", "cpu", "per cpu s", "complete");
  for (const Program& program : kPrograms) {
    if (!only.empty() && only != program.name) continue;
    for (uint32_t threads = program.threads_min; threads <= program.threads_max; threads += threads < 4 ? 1 : 2) {
      const auto [result, cpu] = explore_for(text_of(program, threads), seconds);
      const explore::Statistics& s = result.statistics;
      std::printf("%-12s %7u %12llu %10llu %10llu %9.4f %9.4f %12.0f %8s\n", program.name, threads,
                  static_cast<unsigned long long>(s.executions), static_cast<unsigned long long>(s.redundant),
                  static_cast<unsigned long long>(s.events), s.seconds, cpu, static_cast<double>(s.executions) / cpu,
                  result.completeness == explore::Completeness::Complete ? "yes" : "");
      std::fflush(stdout);
    }
  }
}

// One execution with many plain accesses to shared memory: linear, under 0.2 s for a million.
void long_executions() {
  std::printf("\n%-24s %12s %12s %10s\n", "one execution", "accesses", "instructions", "cpu");
  for (const uint64_t accesses : {250'000ull, 500'000ull, 1'000'000ull, 2'000'000ull}) {
    const std::string rounds = std::to_string(accesses / 4);
    const std::string text =
        "#include <pthread.h>\nstatic int data[1024]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void *worker(void *arg) { pthread_mutex_lock(&m); for (int i = 0; i < " +
        rounds +
        "; i++) data[i & 1023]++; pthread_mutex_unlock(&m); return arg; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, worker, 0); pthread_join(a, 0);"
        " pthread_create(&b, 0, worker, 0); pthread_join(b, 0); return 0; }\n";
    const auto [result, cpu] = explore_for(text, 0);
    std::printf("%-24s %12llu %12llu %10.4f\n", "plain shared accesses", static_cast<unsigned long long>(accesses),
                static_cast<unsigned long long>(result.statistics.instructions), cpu);
  }
}

}  // namespace

int main(int count, char** words) {
  double seconds = 1;
  std::string only, how;
  std::vector<std::string> names = {"long", "all"};
  for (const Program& program : kPrograms) names.emplace_back(program.name);
  CLI::App app{"interleavings per second of full exploration", "bench_explore"};
  app.add_option("seconds", seconds, "for each row")->check(CLI::PositiveNumber);
  app.add_option("program", only, "one of them, or all")->check(CLI::IsMember(names));
  app.add_option("how", how, "the search by executions instead")->check(CLI::IsMember({"executions", "source-sets"}));
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (only == "all") only.clear();
  reductions.state_matching = how.empty();
  reductions.wakeup_trees = how != "source-sets";
  table(seconds, only);
  if (only.empty() || only == "long") long_executions();
  return 0;
}
