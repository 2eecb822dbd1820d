// What the compiling process does while a program is explored.
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/reading_process.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// More interleavings than can be explored while the test waits.
const char* kLong =
    "#include <string>\n"
    "#include <pthread.h>\n"
    "static int n;\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *work(void *p) {\n"
    "  for (int i = 0; i < 40; i++) { pthread_mutex_lock(&m); n = n * 3 + i; pthread_mutex_unlock(&m); }\n"
    "  return p;\n"
    "}\n"
    "int main() {\n"
    "  pthread_t t[5];\n"
    "  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, 0);\n"
    "  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);\n"
    "  return 0;\n"
    "}\n";

// Seconds of processor time that the compiling process uses while the first check of a project explores.
double compiles_while_exploring(bool one_command) {
  constexpr double kEnough = 0.2, kPatience = 60, kIdle = 1;
  ProjectFolder folder;
  std::vector<std::string> names = {"main.cc"};
  folder.write("main.cc", kLong);
  for (int i = 0; i < 5; ++i) {
    names.push_back("part" + std::to_string(i) + ".cc");
    folder.write(names.back(), "#include <string>\nint part" + std::to_string(i) + "() { return 1; }\n");
  }
  folder.write_database(names);
  EngineProcess engine(EngineProcess::Options{.environment = {}, .one_command = one_command});
  v1::CheckRequest request;
  request.set_root(folder.path());
  engine.send_check(request);
  bool explores = false;
  while (!explores) {
    const std::optional<v1::Frame> frame = engine.receive(kPatience);
    if (!frame || frame->has_done()) return -1;
    explores = frame->event().has_started();
  }
  const std::vector<pid_t> compilers = engine.children("heddle-compile");
  if (compilers.size() != 1) return -1;
  const double before = base::processor_seconds(compilers[0]);
  const base::SteadyTime start = base::now();
  const double wait = one_command ? kIdle : kPatience;
  double used = 0;
  while (used < kEnough && base::ms_since(start) < wait * 1000) {
    ::usleep(10'000);
    used = base::processor_seconds(compilers[0]) - before;
  }
  return used;
}

TEST(Prepare, PreamblesAreBuiltWhileTheFirstCheckExplores) {
  EXPECT_GE(compiles_while_exploring(false), 0.2);
  EXPECT_LT(compiles_while_exploring(true), 0.1) << "an engine for one command expects no edits";
}

// A new engine answers from the cache, compiles nothing, and then prepares what may be saved next.
TEST(Prepare, ANewEnginePreparesFilesThatItDidNotCompile) {
  constexpr double kEnough = 0.1, kPatience = 60;
  ProjectFolder folder;
  folder.write("main.cc", "#include <string>\n#include <vector>\n" +
                              std::string(kLong).replace(std::string(kLong).find("i < 40"), 6, "i < 1"));
  folder.write_database({"main.cc"});
  v1::CheckRequest request;
  request.set_root(folder.path());
  EngineProcess().check(request);
  EngineProcess engine;
  engine.check(request);
  double used = 0;
  for (const base::SteadyTime start = base::now(); used < kEnough && base::ms_since(start) < kPatience * 1000;) {
    const std::vector<pid_t> compilers = engine.children("heddle-compile");
    if (!compilers.empty()) used = base::processor_seconds(compilers[0]);
    ::usleep(10'000);
  }
  EXPECT_GE(used, kEnough);
}

}  // namespace
}  // namespace heddle::engine::test
