// Execution graphs of longer and longer paths: time of a graph and peak memory, each row in a process of its own. See
// README.md.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

using namespace heddle;

namespace {

// Graphs grow in length with N, and in number not faster: what each costs shows how the search grows with a path.
struct Family {
  const char* name;
  const char* first;  // the body of a thread
  const char* second;
  uint64_t (*graphs)(uint64_t n);
  std::vector<uint64_t> sizes, small;
};
const std::vector<Family> kFamilies = {
    // Store buffering after a long way: the way is a prefix that all graphs share.
    {"prefix",
     "for (int i = 0; i < N; i++) ADD(a, 1); ST(x, 1); keep(LD(y));",
     "for (int i = 0; i < N; i++) ADD(b, 1); ST(y, 1); keep(LD(x));",
     [](uint64_t) -> uint64_t { return 4; },
     {1000, 2000, 4000, 8000},
     {500, 1000, 2000}},
    // One store, which the n-th of the reads sees first: a graph for each place, and one without.
    {"readings",
     "ST(x, 1);",
     "for (int i = 0; i < N; i++) keep(LD(x));",
     [](uint64_t n) { return n + 1; },
     {100, 200, 400, 800},
     {50, 100, 200}},
    // The store comes last, and revisits each of the reads.
    {"revisits",
     "for (int i = 0; i < N; i++) keep(LD(x));",
     "ST(x, 1);",
     [](uint64_t n) { return n + 1; },
     {100, 200, 400, 800},
     {50, 100, 200}},
};

std::string text_of(const Family& family, uint64_t n) {
  return "#include <pthread.h>\n#include <stdatomic.h>\n"
         "static atomic_int x, y, a, b;\n"
         "#define R memory_order_relaxed\n#define LD(v) atomic_load_explicit(&v, R)\n"
         "#define ST(v, k) atomic_store_explicit(&v, k, R)\n#define ADD(v, k) atomic_fetch_add_explicit(&v, k, R)\n"
         "enum { N = " +
         std::to_string(n) + " };\nstatic void keep(int v) { volatile int own = v; (void)own; }\n" +
         "static void *first(void *p) { " + family.first + " return p; }\nstatic void *second(void *p) { " +
         family.second + " return p; }\n" +
         "int main(void) { pthread_t s, t; pthread_create(&s, 0, first, 0); pthread_create(&t, 0, second, 0); "
         "pthread_join(s, 0); pthread_join(t, 0); return 0; }\n";
}

struct Row {
  uint64_t n = 0, graphs = 0, events = 0;
  bool complete = false;
  double seconds = 0;    // of a processor
  double memory_mb = 0;  // beyond what it had before it began
  double events_of_graph() const { return static_cast<double>(events) / static_cast<double>(graphs); }
  double seconds_of_graph() const { return seconds / static_cast<double>(graphs); }
};

double own_mb() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

Row explore_here(const machine::ImagePtr& image, uint64_t n) {
  explore::Task task;
  task.mode = explore::Mode::Graphs;
  task.rules.model = graph::MemoryModel::Rc11;
  task.follow_races = false;
  const double before = own_mb();
  const explore::Result result = explore::explore(image, nullptr, task, {});
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const double seconds =
      static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
  const bool complete = result.completeness == explore::Completeness::Complete;
  return {n,
          result.statistics.graphs,
          result.statistics.events,
          complete,
          seconds,
          std::max(0.0, static_cast<double>(usage.ru_maxrss) / 1024 - before)};
}

// None: the child ended in another way.
std::optional<Row> measure(const Family& family, uint64_t n) {
  const machine::ImagePtr image = machine::make_image(test::program_of(text_of(family, n)), nullptr);
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const Row row = explore_here(image, n);
    ::_exit(::write(ends[1], &row, sizeof row) == sizeof row ? 0 : 1);
  }
  ::close(ends[1]);
  Row row;
  const bool read = ::read(ends[0], &row, sizeof row) == sizeof row;
  ::close(ends[0]);
  if (child < 0 || ::waitpid(child, nullptr, 0) != child || !read) return std::nullopt;
  return row;
}

// How a figure grows from the first row to the last, as a power of N: 1 is linear.
double power(double first, double last, const Row& from, const Row& to) {
  return std::log(last / first) / std::log(static_cast<double>(to.n) / static_cast<double>(from.n));
}

// False: another number of graphs, or too much for its length.
bool run(const Family& family, bool small, bool check) {
  constexpr double kMemoryPower = 1.3, kEventsPower = 1.2, kLeastMb = 2, kLeastSeconds = 1e-6;
  std::vector<Row> rows;
  for (const uint64_t n : small ? family.small : family.sizes) {
    const std::optional<Row> row = measure(family, n);
    if (!row || !row->complete || row->graphs != family.graphs(n)) {
      std::fprintf(stderr, "bench_graph_growth: %s %llu: no complete search of %llu graphs\n", family.name,
                   static_cast<unsigned long long>(n), static_cast<unsigned long long>(family.graphs(n)));
      return false;
    }
    rows.push_back(*row);
    std::printf("%-10s %7llu %7llu %9.3f %12.1f %14.1f %11.1f\n", family.name, static_cast<unsigned long long>(n),
                static_cast<unsigned long long>(row->graphs), row->seconds, row->seconds_of_graph() * 1e6,
                row->events_of_graph(), row->memory_mb);
    std::fflush(stdout);
  }
  const Row &first = rows.front(), &last = rows.back();
  const auto grows = [&](double from, double to, double least) {
    return power(std::max(from, least), std::max(to, least), first, last);
  };
  const double events = grows(first.events_of_graph(), last.events_of_graph(), 1);
  const double memory = grows(first.memory_mb, last.memory_mb, kLeastMb);
  std::printf("%-10s a graph: events grow as N^%.2f, time as N^%.2f; memory as N^%.2f\n", family.name, events,
              grows(first.seconds_of_graph(), last.seconds_of_graph(), kLeastSeconds), memory);
  return !check || (events <= kEventsPower && memory <= kMemoryPower);
}

}  // namespace

int main(int count, char** words) {
  bool small = false, check = false;
  CLI::App app{"time of an execution graph and peak memory, over the length of paths", "bench_graph_growth"};
  app.add_flag("--small", small, "short paths only");
  app.add_flag("--check", check, "exit code 1 if a figure grows faster than it should");
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::printf("%-10s %7s %7s %9s %12s %14s %11s\n", "program", "N", "graphs", "seconds", "us a graph", "events a graph",
              "memory, MB");
  bool good = true;
  for (const Family& family : kFamilies) good = run(family, small, check) && good;
  return good ? 0 : 1;
}
