// Speed of the interpreter with all checks, race tracking and undo on, beside native -O1 of the same program and LLVM's
// own interpreter (lli -force-interpreter) on it; and the cost of one visible operation, mark and rewind.
//
// usage: bench_machine [name of one row]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "server/analysis/analysis.h"
#include "server/machine/machine.h"
#include "tests/support/compile_text.h"

namespace {

using namespace heddle;

struct Row {
  const char* name;
  const char* text;  // defines int work(void)
};

const Row kRows[] = {
    {"integer loop",
     "int v[1024]; int work(void) { unsigned s = 1; for (int i = 0; i < 5000000; i++) { s = s * 5 + (i ^ (s >> 3)); "
     "v[s & 1023] += i; } return (int)s; }"},
    {"calls (fib)",
     "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int work(void) { return fib(29); }"},
    {"sieve",
     "static char p[2000000]; int work(void) { int c = 0; for (int i = 2; i < 2000000; i++) { if (p[i]) continue; c++; "
     "for (int k = 2 * i; k < 2000000; k += i) p[k] = 1; } return c; }"},
    {"sort",
     "static int v[2000]; int work(void) { unsigned x = 1; for (int i = 0; i < 2000; i++) { x = x * 1103515245 + "
     "12345; v[i] = x >> 8; } for (int i = 0; i < 2000; i++) for (int k = 0; k + 1 < 2000 - i; k++) if (v[k] > v[k + "
     "1]) { int t = v[k]; v[k] = v[k + 1]; v[k + 1] = t; } return v[7]; }"},
    {"matmul",
     "static double a[100][100], b[100][100], c[100][100]; int work(void) { for (int i = 0; i < 100; i++) for (int k = "
     "0; k < 100; k++) { a[i][k] = i + k; b[i][k] = i - k; } for (int i = 0; i < 100; i++) for (int k = 0; k < 100; "
     "k++) { double s = 0; for (int j = 0; j < 100; j++) s += a[i][j] * b[j][k]; c[i][k] = s; } return (int)c[7][9]; "
     "}"},
    {"malloc list",
     "struct n { int v; struct n *next; }; int work(void) { int s = 0; for (int r = 0; r < 40; r++) { struct n *h = 0; "
     "for (int i = 0; i < 5000; i++) { struct n *e = malloc(sizeof *e); e->v = i; e->next = h; h = e; } while (h) { "
     "struct n *e = h; s += e->v; h = e->next; free(e); } } return s; }"},
    {"loads",
     "struct n { struct n *next; int v; }; static struct n ring[1000]; int work(void) { for (int i = 0; i < 1000; i++) "
     "{ "
     "ring[i].next = &ring[(i + 7) % 1000]; ring[i].v = i; } int s = 0; struct n *p = ring; for (int i = 0; i < "
     "3000000; "
     "i++) { s += p->v; p = p->next; } return s; }"},
    {"stores",
     "static long v[4096]; int work(void) { for (int r = 0; r < 1000; r++) for (int i = 0; i < 4096; i++) v[i] = r + "
     "i; "
     "return (int)v[7]; }"},
    {"atomics",
     "static atomic_int x; int work(void) { for (int i = 0; i < 200000; i++) { x++; atomic_store_explicit(&x, i, "
     "memory_order_release); } return x; }"},
    {"shared atomics",
     "static atomic_int y; int work(void) { for (int i = 0; i < 200000; i++) { y++; atomic_store_explicit(&y, i, "
     "memory_order_release); } return y; }\n#define SHARED y\n"},
};

double seconds_now() {  // of this thread: the machine may be shared
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string program_text(const Row& row, bool threaded) {
  const std::string head = std::string(
                               "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include "
                               "<stdio.h>\n#include <time.h>\n") +
                           row.text;
  if (!threaded)
    return head +
           "\nint main(void) { struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); volatile int r = work(); "
           "clock_gettime(CLOCK_MONOTONIC, &b);"
           " printf(\"%.9f\\n\", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9); return r & 0; }\n";
  // A second thread lives all the time, so that every shared access is tracked.
  return head +
         "\nstatic pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; static void *other(void *p) { "
         "pthread_mutex_lock(&gate);\n#ifdef SHARED\nSHARED++;\n#endif\npthread_mutex_unlock(&gate); return p; }"
         "\nint main(void) { pthread_t t; pthread_mutex_lock(&gate); pthread_create(&t, 0, other, 0); volatile int r = "
         "work(); pthread_mutex_unlock(&gate); pthread_join(t, 0); return r & 0; }\n";
}

// What the program says it took, the best of `times` runs; -1 if it does not run.
double seconds_of(const std::string& command, int times) {
  double best = -1;
  for (int n = 0; n < times; ++n) {
    FILE* pipe = popen(command.c_str(), "r");
    double seconds = 0;
    if (pipe != nullptr && std::fscanf(pipe, "%lf", &seconds) == 1 && (best < 0 || seconds < best)) best = seconds;
    if (pipe != nullptr) pclose(pipe);
  }
  return best;
}

struct Others {
  double native = -1, interpreter = -1;  // -O1; LLVM's own interpreter on the code of -O1
};

Others seconds_elsewhere(const Row& row) {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()))).string();
  std::ofstream(base + ".c") << program_text(row, false);
  const std::string clang = std::string(HEDDLE_BENCH_CLANG) + " -O1 -fno-vectorize -ffp-contract=off -w -pthread ";
  Others out;
  if (std::system((clang + "-o " + base + " " + base + ".c").c_str()) == 0) out.native = seconds_of(base, 3);
  if (std::system((clang + "-c -emit-llvm -o " + base + ".bc " + base + ".c").c_str()) == 0)
    out.interpreter = seconds_of("lli-19 -force-interpreter " + base + ".bc 2>/dev/null", 1);
  for (const char* ending : {"", ".c", ".bc"}) std::filesystem::remove(base + ending);
  return out;
}

void run_row(const Row& row) {
  const program::ProgramPtr program = test::program_of(program_text(row, true));
  const machine::ImagePtr image = machine::make_image(program, analysis::analyse(program));
  double best = 1e9;
  uint64_t instructions = 0, events = 0;
  for (int n = 0; n < 3; ++n) {
    machine::Machine m(image, {});
    m.mark();
    events = 0;
    const uint64_t before = m.instructions();
    const double start = seconds_now();
    while (m.outcome() == machine::Outcome::Running) {
      bool moved = false;
      for (uint32_t id = 0; id < m.thread_count() && !moved; ++id) {
        if (!m.enabled(machine::ThreadId(id))) continue;
        m.perform(machine::ThreadId(id));
        moved = true;
        ++events;
      }
      if (!moved) break;
    }
    best = std::min(best, seconds_now() - start);
    instructions = m.instructions() - before;
  }
  const Others others = seconds_elsewhere(row);
  std::printf("%-14s %10.1f %10llu %9.2f %9.0f %9.2f %8.1f", row.name, static_cast<double>(instructions) / 1e6,
              static_cast<unsigned long long>(events), best * 1e3, static_cast<double>(instructions) / best / 1e6,
              others.native * 1e3, best / others.native);
  if (others.interpreter < 0)
    std::printf(" %9s %8s\n", "-", "-");
  else
    std::printf(" %9.0f %8.1f\n", others.interpreter * 1e3, others.interpreter / best);
  std::fflush(stdout);
}

// Two threads of atomic operations: mark, perform, rewind.
void run_steps() {
  const program::ProgramPtr program = test::program_of(
      "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\nstatic void *w(void *p) { x++; x++; x++; "
      "return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); "
      "pthread_join(b, 0); return 0; }\n");
  machine::Machine m(machine::make_image(program, analysis::analyse(program)), {});
  const machine::Mark start = m.mark();
  constexpr int kRounds = 50'000;
  uint64_t events = 0;
  const double begin = seconds_now();
  for (int n = 0; n < kRounds; ++n) {
    while (m.outcome() == machine::Outcome::Running) {
      for (uint32_t id = 0; id < m.thread_count(); ++id) {
        const machine::ThreadId thread((id + static_cast<uint32_t>(n)) % m.thread_count());
        if (!m.enabled(thread)) continue;
        m.mark();
        m.perform(thread);
        ++events;
        break;
      }
    }
    m.rewind(start);
  }
  const double seconds = seconds_now() - begin;
  std::printf("\nmark, perform and rewind: %.0f ns per operation, %.0f executions/s of %.1f operations\n",
              seconds / static_cast<double>(events) * 1e9, kRounds / seconds, static_cast<double>(events) / kRounds);
}

}  // namespace

int main(int count, char** words) {
  std::string only;
  std::vector<std::string> names = {"steps"};
  for (const Row& row : kRows) names.emplace_back(row.name);
  CLI::App app{"speed of the interpreter beside native code and LLVM's interpreter", "bench_machine"};
  app.add_option("row", only, "one row")->check(CLI::IsMember(names));
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::printf("%-14s %10s %10s %9s %9s %9s %8s %9s %8s\n", "program", "Minstr", "visible", "ms", "Minstr/s",
              "native ms", "slowdown", "lli ms", "faster");
  for (const Row& row : kRows)
    if (only.empty() || only == row.name) run_row(row);
  if (only.empty() || only == "steps") run_steps();
  return 0;
}
