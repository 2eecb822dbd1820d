"""Which programs `heddle check` sees in a project that CMake configured: targets_test.py reply|ninja|makefiles CMAKE."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HEDDLE = os.path.join(os.environ["HEDDLE_BINARIES"], "heddle")
KIND, CMAKE = sys.argv[1:]

THREADED = """
#include <pthread.h>
int level(void);
static int counter;
static void *work(void *p) {{ {statement} return p; }}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  {statement}
  return pthread_join(t, 0);
}}
"""
RACY = THREADED.format(statement="if (level() == 2) counter++;")

FILES = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(programs C)
find_package(Threads REQUIRED)
add_library(near STATIC near/level.c)
add_library(far STATIC deep/far/level.c)
add_library(parts OBJECT parts.c)
add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/made.in made.c)
add_executable(quiet near/quiet.c)
target_link_libraries(quiet near Threads::Threads)
add_executable(racy near/racy.c $<TARGET_OBJECTS:parts>)
set_target_properties(racy PROPERTIES OUTPUT_NAME racy-server)
target_link_libraries(racy far Threads::Threads)
if(WITH_MADE)
  target_sources(racy PRIVATE made.c)
endif()
""",
    "near/level.c": "int level(void) { return 1; }\n",
    "deep/far/level.c": "int level(void) { return 2; }\n",
    "near/quiet.c": RACY,  # the level of `near` never races
    "near/racy.c": RACY,
    "parts.c": "int parts;\n",
    "made.in": "int made;\n",
}


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def configure(folder, *options):
    os.makedirs(os.path.join(folder, "build"), exist_ok=True)
    if KIND == "reply":
        query = os.path.join(folder, "build/.cmake/api/v1/query")
        os.makedirs(query, exist_ok=True)
        with open(os.path.join(query, "codemodel-v2"), "w", encoding="utf-8"):
            pass
    generator = "Unix Makefiles" if KIND == "makefiles" else "Ninja"
    made = run(CMAKE, "-G", generator, "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options, folder=folder)
    assert made.returncode == 0, made.stdout + made.stderr


def check(folder, *arguments):
    """By target its rules, the order of the targets, the exit code, and the output."""
    made = run(HEDDLE, "check", "--no-daemon", "--format=jsonl", "-p", "build", *arguments, folder=folder)
    events = [json.loads(line) for line in made.stdout.splitlines() if line.startswith("{")]
    targets = {}
    for event in events:
        if event.get("target"):
            targets.setdefault(event["target"], set())
        if event["type"] == "finding":
            targets[event["target"]].add(event["rule"])
    verdicts = [event for event in events if event["type"] == "verdict"]
    return targets, (verdicts or [None])[-1], made.returncode, made.stdout + made.stderr


def programs(folder):
    targets, verdict, code, output = check(folder)
    assert code == 1 and targets == {"quiet": set(), "racy": {"data-race"}}, output[-3000:]
    told = [text for text in verdict["scope"]["assumptions"] if "CMake's list of targets" in text]
    assert len(told) == (0 if KIND == "reply" else 1), told
    for text in told:
        assert "codemodel-v2" in text and "&& cmake " in text, text


def names(folder):
    for name in ["racy", "racy-server", "near/racy", "near/racy.c"]:
        targets, _, code, output = check(folder, "--target", name)
        assert code == 1 and list(targets) == ["racy"], (name, output[-3000:])
    _, _, code, output = check(folder, "--target", "quite")
    assert code == 2 and "'quiet' is near" in output and "the targets are: quiet, racy" in output, output[-3000:]


def order(folder):
    """What was edited last is checked first; a shared header changes nothing in that."""
    for first, second in [("quiet", "racy"), ("racy", "quiet")]:
        for name in FILES:
            os.utime(os.path.join(folder, name), (1_000_000_000, 1_000_000_000))
        os.utime(os.path.join(folder, f"near/{first}.c"), (1_500_000_000, 1_500_000_000))
        targets, _, _, output = check(folder)
        assert list(targets) == [first, second], output[-3000:]


def old_reply(folder):
    reply = os.path.join(folder, "build/.cmake/api/v1/reply")
    for name in os.listdir(reply):
        os.utime(os.path.join(reply, name), (1_000_000_000, 1_000_000_000))
    targets, verdict, _, output = check(folder)
    assert set(targets) == {"quiet", "racy"}, output[-3000:]
    assert any("is older than" in text for text in verdict["scope"]["assumptions"]), output[-3000:]
    shutil.rmtree(reply)
    os.utime(os.path.join(folder, "build/build.ninja"))
    targets, _, _, output = check(folder)
    assert set(targets) == {"quiet", "racy"}, output[-3000:]


def generated(folder):
    """A source that the build has not made yet: not clear."""
    with open(os.path.join(folder, "near/racy.c"), "w", encoding="utf-8") as file:
        file.write(THREADED.format(statement=""))
    configure(folder, "-DWITH_MADE=ON")
    _, _, code, output = check(folder, "--target", "racy")
    assert code == 3 and "made.c" in output and "build 'racy' once" in output, output[-3000:]
    with open(os.path.join(folder, "build/made.c"), "w", encoding="utf-8") as file:
        file.write("int made;\n")
    _, _, code, output = check(folder, "--target", "racy")
    assert code == 0, output[-3000:]


BLOCKED = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(blocked C)
find_package(Threads REQUIRED)
add_executable(a a.c)
target_link_libraries(a Threads::Threads)
add_executable(b b.c absent.c)
""",
    "a.c": THREADED.format(statement="counter++;").replace("return pthread_join", "if (!t) level();\n  return pthread_join"),
    "b.c": "void b(void); int main(void) { b(); return 0; }\n",
    "absent.c": "#include <absent/thing.h>\nvoid b(void) {}\n",
}


def file_of_another_program(folder):
    """One that does not compile says nothing of a program that does not link it, even if that lacks a function."""
    write(folder, BLOCKED)
    configure(folder)
    targets, _, code, output = check(folder, "--target", "a")
    assert code == 1 and targets == {"a": {"data-race"}}, output[-3000:]
    targets, verdict, code, output = check(folder)
    assert code == 4 and targets == {"a": {"data-race"}, "b": set()} and "absent.c" in verdict["message"], output[-3000:]


SUITE = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(suite CXX)
find_package(GTest REQUIRED)
add_library(counter counter.cc)
add_executable(unit_tests first_test.cc second_test.cc)
target_link_libraries(unit_tests counter GTest::gmock_main)
add_executable(other_tests second_test.cc)
target_link_libraries(other_tests counter GTest::gtest_main)
add_executable(quiet_tests quiet_test.cc)
target_link_libraries(quiet_tests counter GTest::gtest_main)
add_executable(own_main_tests own_main_test.cc)
target_link_libraries(own_main_tests counter GTest::gtest)
""",
    "quiet_test.cc": """#include <gtest/gtest.h>
#include "counter.h"
TEST(Quiet, OneThread) { EXPECT_EQ(count(), 1); }
""",
    "own_main_test.cc": """#include <gtest/gtest.h>
#include "counter.h"
TEST(OwnMain, OneThread) { EXPECT_EQ(count(), 1); }
int main(int count, char **arguments) {
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
""",
    "counter.h": "int count();\n",
    "counter.cc": "int count() { static int n; return ++n; }\n",
    "first_test.cc": """#include <gmock/gmock.h>
#include <thread>
#include "counter.h"
TEST(First, Racy) { std::thread t(count); EXPECT_THAT(count(), testing::Gt(0)); t.join(); }
TEST(First, Quiet) { EXPECT_EQ(count(), 1); }
""",
    "second_test.cc": """#include <gtest/gtest.h>
#include <thread>
#include "counter.h"
TEST(Second, Right) { std::thread t(count); t.join(); EXPECT_EQ(count(), 2); }
""",
}


def suite(folder):
    """Tests in several files, whose main is in a library that is installed."""
    write(folder, SUITE)
    configure(folder)
    targets, _, code, output = check(folder)
    wanted = {"unit_tests:First.Racy": {"data-race"}, "unit_tests:Second.Right": set(), "other_tests:Second.Right": set(),
              "quiet_tests": set(), "own_main_tests": set()}
    assert code == 1 and targets == wanted, output[-3000:]
    targets, _, code, output = check(folder, "--test", "First.Racy")
    assert code == 1 and list(targets) == ["unit_tests:First.Racy"], output[-3000:]
    targets, _, code, output = check(folder, "--target", "other_tests")
    assert code == 0 and list(targets) == ["other_tests:Second.Right"], output[-3000:]
    for quiet in ("quiet_tests", "own_main_tests"):
        _, verdict, code, output = check(folder, "--target", quiet)
        told = f"1 test case of {quiet} cannot start a thread: none of them ran"
        assert code == 0 and told in verdict["scope"]["assumptions"], output[-3000:]
    targets, _, code, output = check(folder, "quiet_test.cc")
    assert code == 0 and list(targets) == ["quiet_tests"], output[-3000:]


SHARED = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(shared C)
find_package(Threads REQUIRED)
add_library(plugin SHARED plugin.c)
add_executable(app app.c)
target_link_libraries(app plugin Threads::Threads)
""",
    "plugin.c": "__attribute__((visibility(\"hidden\"))) int state;\nvoid *attach(void *p) { state = 1; return p; }\n",
    "app.c": """#include <assert.h>
#include <pthread.h>
int state;
void *attach(void *);
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, attach, 0);
  state = 2;
  return pthread_join(t, 0);
}
""",
}


def shared(folder):
    """What a shared library hides is its own, whatever the program calls so."""
    write(folder, SHARED)
    configure(folder)
    _, _, code, output = check(folder)
    assert code == 0, output[-3000:]
    write(folder, {"plugin.c": SHARED["plugin.c"].replace("hidden", "default")})
    _, _, code, output = check(folder)
    assert code == 1 and '"data-race"' in output, output[-3000:]


WRAPPED = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(wrapped C)
find_package(Threads REQUIRED)
add_library(outer SHARED outer.c)
add_library(inner STATIC inner.c)
add_executable(test test.c own.c)
target_link_libraries(test outer inner Threads::Threads)
if(WRAPS)
  target_link_options(test PRIVATE -Wl,--wrap=malloc,--wrap=number)
  set_target_properties(test PROPERTIES LINK_FLAGS -Wl,--wrap=pthread_mutex_init)
endif()
if(WRAPS STREQUAL "memset")
  target_link_options(test PRIVATE -Wl,--wrap=memset)
endif()
add_executable(plain test.c own.c)
target_link_libraries(plain outer inner Threads::Threads)
""",
    "outer.c": "#include <stdlib.h>\nvoid *of_outer(void) { return malloc(1); }\n",
    "inner.c": "#include <stdlib.h>\nvoid *of_inner(void) { return malloc(1); }\n",
    "own.c": "int number(void) { return 1; }\nint twice(void) { return 2 * number(); }\n",
    "test.c": """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *of_outer(void), *of_inner(void), *__real_malloc(size_t);
int number(void), twice(void), fails;
void *__wrap_malloc(size_t size) { return fails ? NULL : __real_malloc(size); }
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) { (void)m; (void)a; return 5; }
int __wrap_number(void) { return 7; }
static void *run(void *p) { free(malloc(1)); return p; }
int main(void) {
  pthread_mutex_t mutex;
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  assert(pthread_mutex_init(&mutex, NULL) == 5);
  assert(number() == 7 && twice() == 2);
  fails = 1;
  assert(malloc(1) == NULL && of_inner() == NULL);
  void *block = of_outer();
  assert(block);
  free(block);
  return 0;
}
""",
}


def wrapped(folder):
    """--wrap binds what the program itself is linked from, and nothing in shared libraries."""
    write(folder, WRAPPED)
    configure(folder, "-DWRAPS=ON")
    _, _, code, output = check(folder, "--target", "test")
    assert code == 0, output[-3000:]
    _, _, code, output = check(folder, "--target", "plain")
    assert code == 1 and "pthread_mutex_init" in output, output[-3000:]
    configure(folder, "-DWRAPS=memset")
    _, _, code, output = check(folder, "--target", "test")
    assert code == 3 and "without __wrap_memset()" in output, output[-3000:]
    configure(folder, "-DWRAPS=OFF")
    _, _, code, output = check(folder, "--target", "test")
    assert code == 1 and "pthread_mutex_init" in output, output[-3000:]


def write(folder, files):
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "project")
        write(folder, FILES)
        os.environ.update(HEDDLE_STATE_DIR=os.path.join(scratch, "state"), HEDDLE_CACHE_DIR=os.path.join(scratch, "cache"))
        configure(folder)
        programs(folder)
        names(folder)
        order(folder)
        if KIND == "reply":
            generated(folder)
            old_reply(folder)
        if KIND == "ninja":
            shared(os.path.join(scratch, "shared"))
        wrapped(os.path.join(scratch, "wrapped"))
        file_of_another_program(os.path.join(scratch, "blocked"))
        suite(os.path.join(scratch, "suite"))


main()
