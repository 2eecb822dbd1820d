"""`heddle harness` on the classes of this folder: harness_test.py wrong|right|results|refusals|kept.

Each file has a wrong and a right version. In `wrong` each version has at least one finding, in `right` none has one, and
everything is explored. `results`: those whose error is only in what the calls return, with --linearizable."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.path.join(os.environ["HEDDLE_BINARIES"], "heddle")
RESULTS = {"Votes", "Range"}  # nothing but their results is wrong
FOUND_LEAST = 25              # of 30


def harness(folder, *arguments):
    run = subprocess.run([HEDDLE, "harness", "--no-daemon", *arguments], cwd=folder, capture_output=True, text=True,
                         check=False)
    return run.returncode, run.stdout, run.stderr


def events_of(folder, *arguments):
    code, out, err = harness(folder, "--format=jsonl", *arguments)
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    assert events and events[-1]["type"] == "verdict", out + err
    return code, events


def classes():
    """By file: the class, as `heddle harness` is given it."""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "classes", "*.h"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        template, name = re.search(r"^(template <typename T>\n)?class (\w+)", text, re.M).groups()
        found[os.path.basename(path)] = name + ("<int>" if template else "")
    assert len(found) + len(c_files()) == 30
    return found


def c_files():
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(HERE, "classes", "*.c")))


def project(folder, headers):
    for name in [*headers, *c_files()]:
        shutil.copy(os.path.join(HERE, "classes", name), folder)
    with open(os.path.join(folder, "all.cc"), "w", encoding="utf-8") as file:
        file.write("".join(f'#include "{name}"\n' for name in headers))
    entries = [{"directory": folder, "file": "all.cc", "arguments": ["c++", "-std=c++17", "-c", "all.cc"]}]
    entries += [{"directory": folder, "file": name, "arguments": ["cc", "-c", name]} for name in c_files()]
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)


def found_in(events):
    """Names of the classes that have findings, and their rules."""
    found = {}
    for event in events:
        if event["type"] == "finding":
            name = event["target"].partition(":")[2].partition(".")[0]
            found.setdefault(name, set()).add(event["rule"])
    return found


def check_all(folder, version, names, *options):
    """What was found, by class; with what the verdicts say of what was not explored."""
    found, unexplored = {}, []
    runs = [[f"{version}::{name}" for name in names]] if names else []
    if not options:
        runs += [[f"{version}_{name[:-2]}"] for name in c_files()]
    for run in runs:
        _, events = events_of(folder, *run, *options)
        found.update(found_in(events))
        verdict = events[-1]
        assert verdict["error"] == "none", verdict["message"]
        if verdict["verdict"] == "inconclusive":
            unexplored.append(verdict["message"])
    return found, unexplored


def label(version, name):
    return f"{version}_{name}".replace("<", "_").replace(">", "")


def run_wrong(folder):
    headers = classes()
    project(folder, headers)
    names = [name for name in headers.values() if name not in RESULTS]
    found, _ = check_all(folder, "wrong", names)
    wanted = [label("wrong", name) for name in names] + [f"wrong_{name[:-2]}" for name in c_files()]
    missed = [name for name in wanted if name not in found]
    assert len(wanted) - len(missed) + len(RESULTS) >= FOUND_LEAST, f"missed: {missed}"
    assert not missed, f"missed: {missed}; found: {found}"


# A loop over it waits for the next letter, as only its iterator's operators show. Unless it locks, close() may come
# between the test and the wait.
CHANNEL = """#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
template <typename Of>
struct Letters {
  Letters& operator++() { return *this; }
  int operator*() { return 0; }
  bool operator!=(const Letters&) {
    std::unique_lock<std::mutex> lock(of->mutex_);
    of->more(lock);
    return false;
  }
  Of* of;
};
template <int locks>
class Channel {
 public:
  void close() {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (locks) lock.lock();
    closed_ = true;
    changed_.notify_all();
  }
  Letters<Channel> begin() { return {this}; }
  Letters<Channel> end() { return {this}; }

 private:
  friend struct Letters<Channel>;
  void more(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [this] { return closed_.load(); });
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> closed_{false};
};
static int racy;
TEST(Channel, OfItsOwn) {
  pthread_t other;
  pthread_create(&other, 0, [](void*) -> void* { ++racy; return 0; }, 0);
  ++racy;
  pthread_join(other, 0);
}
"""


def loops_that_wait(folder):
    """A loop over an object may wait as a call may. The test cases of the class's file are no drivers."""
    with open(os.path.join(folder, "channel.cc"), "w", encoding="utf-8") as file:
        file.write(CHANNEL)
    _, events = events_of(folder, "Channel<0>", "Channel<1>", "channel.cc")
    assert found_in(events) == {"Channel_0": {"lost-signal"}}, (found_in(events), events[-1])


def run_right(folder):
    headers = classes()
    project(folder, headers)
    found, unexplored = check_all(folder, "right", [name for name in headers.values() if name not in RESULTS])
    assert not found, found
    assert not unexplored, unexplored
    loops_that_wait(folder)


def run_results(folder):
    headers = classes()
    project(folder, headers)
    names = [name for name in headers.values() if name in RESULTS] + ["Stock", "Mailbox"]
    found, _ = check_all(folder, "wrong", names[:2], "--linearizable")
    assert all(found.get(label("wrong", name)) == {"not-linearizable"} for name in RESULTS), found
    found, unexplored = check_all(folder, "right", names, "--linearizable")
    assert not found and not unexplored, (found, unexplored)
    results_that_differ_little(folder)


FINE = """
#include <mutex>
#include <string>
template <int kind>
class Next {
 public:
  TYPE next() {
    int seen;
    { const std::lock_guard<std::mutex> lock(mutex_); seen = used_; }
    { const std::lock_guard<std::mutex> lock(mutex_); used_ = seen + 1; }
    return VALUE;
  }

 private:
  std::mutex mutex_;
  int used_ = 0;
};
"""


def results_that_differ_little(folder):
    """Results are compared with all that they have: small differences, huge values, the end of a long text."""
    for kind, value in (("double", "seen * 1e-6"), ("float", "seen * 1e-5f"), ("long double", "1.0L + seen * 1e-18L"),
                        ("double", "1e300 + seen * 1e288"), ("std::string", "std::string(200, 'x') + (seen ? 'b' : 'a')")):
        with open(os.path.join(folder, "fine.cc"), "w", encoding="utf-8") as file:
            file.write(FINE.replace("TYPE", kind).replace("VALUE", value))
        _, events = events_of(folder, "Next<1>", "fine.cc", "--linearizable")
        rules = {event["rule"] for event in events if event["type"] == "finding"}
        assert rules == {"not-linearizable"}, (kind, value, rules, events[-1])


# By framework: the files of tests that a project has, and what a test that is kept looks like.
TESTS = {
    "gtest": ({"old_test.cc": "#include <gmock/gmock.h>\nTEST(Old, Two) { EXPECT_EQ(2, 1 + 1); }\n"},
              ["#include <gtest/gtest.h>\n", "TEST(CLASS, "], "CLASS."),
    "catch2": ({"old_test.cc": "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\nTEST_CASE(\"old\") { CHECK(true); }\n"},
               ["#include <catch2/catch.hpp>\n", 'TEST_CASE("CLASS.'], "CLASS."),
    "catch2, many headers": ({"old_test.cc": "#include <catch2/generators/catch_generators.hpp>\n"
                                             "#include <catch2/catch_test_macros.hpp>\nTEST_CASE(\"old\") { CHECK(true); }\n"},
                             ["#include <catch2/catch_test_macros.hpp>\n", 'TEST_CASE("CLASS.'], "CLASS."),
    "doctest, each file a program": (
        {f"{name}_test.cc": "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n"
                            "TEST_CASE(\"old\") { CHECK(true); }\n" for name in ("one", "two")},
        ["#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n", 'TEST_CASE("CLASS.'], "CLASS."),
    "boost": ({"old_test.cc": "#define BOOST_TEST_MODULE old\n#include <boost/test/included/unit_test.hpp>\n"
                              "BOOST_AUTO_TEST_CASE(old) { BOOST_TEST(true); }\n"},
              ["#include <boost/test/unit_test.hpp>\n", "BOOST_AUTO_TEST_SUITE(CLASS)\n", "BOOST_AUTO_TEST_CASE("], "CLASS/"),
}


def checked(folder, name):
    run = subprocess.run([HEDDLE, "check", "--no-daemon", "--format=jsonl", name], cwd=folder, capture_output=True,
                         text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def places(events):
    return {(event["rule"], place["file"], place["line"]) for event in events if event["type"] == "finding"
            for place in event["places"] if place["file"].endswith(".h")}


def run_kept(folder):
    """A kept file has tests of the framework that the project's tests use, and is checked as they are."""
    for framework, (files, wanted, prefix) in TESTS.items():
        for version in ("wrong", "right"):
            inner = os.path.join(folder, framework.replace(" ", "_").replace(",", ""), version)
            os.makedirs(os.path.join(inner, "tests"))
            shutil.copy(os.path.join(HERE, "classes", "score.h"), inner)
            entries = []
            for name, text in {**files, "main.cc": '#include "../score.h"\n'}.items():
                with open(os.path.join(inner, "tests", name), "w", encoding="utf-8") as file:
                    file.write(text)
                entries.append({"directory": inner, "file": f"tests/{name}",
                                "arguments": ["c++", "-std=c++17", "-c", f"tests/{name}"]})
            with open(os.path.join(inner, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump(entries, file)
            kept = os.path.join("tests", "kept.cc")
            code, events = events_of(inner, f"{version}::Score", "--write", kept)
            assert code == (1 if version == "wrong" else 0), (framework, version, events[-1])
            with open(os.path.join(inner, kept), encoding="utf-8") as file:
                text = file.read()
            label_of = label(version, "Score")
            for part in wanted:
                assert part.replace("CLASS", label_of) in text, (framework, part, text[-1500:])
            assert "int main" not in text, text[-1500:]
            entries.append({"directory": inner, "file": kept, "arguments": ["c++", "-std=c++17", "-c", kept]})
            with open(os.path.join(inner, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump(entries, file)
            again = checked(inner, kept)
            verdict = again[-1]["verdict"]
            assert verdict == ("findings" if version == "wrong" else "clear"), (framework, version, again[-1])
            cases = {event["target"] for event in again if event["type"] == "target_verdict"}
            assert cases and all(f":{prefix.replace('CLASS', label_of)}" in case for case in cases), (framework, cases)
            assert places(again) == places(events), (framework, places(again), places(events))


REFUSED = {
    "Shape": ("class Shape { public: virtual ~Shape() = default; virtual int area() = 0; };", "is abstract"),
    "Never": ("class Never { int n; public: Never() = delete; void run(); };", "deleted constructor"),
    "Hidden": ("class Hidden { Hidden(); public: void run(); };", "no public constructor"),
    "Box": ("template <typename T, int N> class Box { public: T get(); };", "'Box<int, 4>'"),
    "Taker": ("struct Inner; class Taker { public: explicit Taker(Inner& inner); void run(); };", "incomplete"),
    "Absent": ("", "no class or function 'Absent'"),
}


def run_refusals(folder):
    for name, (text, wanted) in REFUSED.items():
        with open(os.path.join(folder, "one.cc"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
        code, out, err = harness(folder, name, "one.cc")
        assert code == 2 and wanted in err + out, (name, code, out, err)
    code, out, err = harness(folder, "one.cc")
    assert code == 2 and "no class or function is named" in err, (code, out, err)
    calls_that_a_class_forbids(folder)
    keep_the_drivers(folder)
    headers_without_a_command(folder)
    values_of_keys(folder)
    names_of_threads(folder)


MISUSE = """
#include <cassert>
#include <mutex>
#include <vector>
class Pile {
 public:
  void push(int item) { const std::lock_guard<std::mutex> lock(mutex_); items_.push_back(item); }
  int top() { const std::lock_guard<std::mutex> lock(mutex_); assert(!items_.empty()); return items_.back(); }

 private:
  std::mutex mutex_;
  std::vector<int> items_;
};
"""


def calls_that_a_class_forbids(folder):
    """top() of an empty one fails without threads, too: that is no finding. An assertion that needs threads is one."""
    for text, code_wanted in ((MISUSE, 0), (MISUSE.replace("const std::lock_guard<std::mutex> lock(mutex_); assert",
                                                            "assert"), 1)):
        with open(os.path.join(folder, "one.cc"), "w", encoding="utf-8") as file:
            file.write(text)
        code, out, err = harness(folder, "Pile", "one.cc", "--verbose")
        assert code == code_wanted and "a sequential order of the calls fails, too" in out, (code, out, err)


def keep_the_drivers(folder):
    """The drivers compile natively and run; nothing else is written."""
    shutil.copy(os.path.join(HERE, "classes", "mailbox.h"), folder)
    with open(os.path.join(folder, "one.cc"), "w", encoding="utf-8") as file:
        file.write('#include "mailbox.h"\n')
    before = set(os.listdir(folder))
    code, out, err = harness(folder, "right::Mailbox", "one.cc", "--linearizable", "--write", "kept.cc")
    assert code == 0, out + err
    written = set(os.listdir(folder)) - before - {".cache"}
    assert written == {"kept.cc"}, written
    subprocess.run(["c++", "-std=c++17", "-Wall", "-pthread", "kept.cc", "-o", "kept"], cwd=folder, check=True)
    keep_them_elsewhere(folder)


def keep_them_elsewhere(folder):
    """A file in another folder than the project's includes the project's, and is checked as it compiles."""
    inner = os.path.join(folder, "inner")
    os.makedirs(inner)
    for name in ("one.cc", "mailbox.h"):
        shutil.copy(os.path.join(folder, name), inner)
    before = set(os.listdir(folder))
    code, out, err = harness(inner, "right::Mailbox", "one.cc", "--write", "../outside.cc")
    assert code == 0, out + err
    assert set(os.listdir(folder)) - before == {"outside.cc"}, os.listdir(folder)
    assert set(os.listdir(inner)) - {".cache"} == {"one.cc", "mailbox.h"}, os.listdir(inner)
    subprocess.run(["c++", "-std=c++17", "-pthread", "-fsyntax-only", "outside.cc"], cwd=folder, check=True)
    code, events = events_of(inner, "wrong::Mailbox", "one.cc", "--write", "../outside.cc")
    assert code == 1 and found_in(events), events[-1]


def names_of_threads(folder):
    """A thread of a driver is named by what it calls, in C++ and in C."""
    with open(os.path.join(folder, "one.h"), "w", encoding="utf-8") as file:
        file.write("struct Counted {\n  void add() { ++n; }\n  int n = 0;\n};\n")
    with open(os.path.join(folder, "stack.h"), "w", encoding="utf-8") as file:
        file.write(STACK)
    for subject, header, wanted in (("Counted", "one.h", r"worker 1 \(add\(\)\)"), ("stack", "stack.h", r"worker 1 \(stack_p\w+\(")):
        for arguments in ((), ("--format=jsonl",), ("--verbose", "--all-steps")):
            code, out, err = harness(folder, subject, header, *arguments)
            assert code == 1 and re.search(wanted, out), (code, out, err)
            # The text of the drivers, and where its functions are, have the names that stand there.
            out = re.sub(r'"(text|function)": *"(\\.|[^"\\])*"', "", out)
            assert not re.search(r"\bthread_[123]_|\bd[0-9]+::thread|\bobject\.(subject|other)", out), out


STACK = """struct stack { int top; int items[4]; };
static inline void stack_push(struct stack *s, int x) { s->items[s->top++ & 3] = x; }
static inline int stack_pop(struct stack *s) { return s->items[--s->top & 3]; }
"""


def headers_without_a_command(folder):
    """A header is C or C++, whichever it compiles as; the last line counts what stands above it."""
    for name, text in (("stack_push", STACK), ("Counted", "struct Counted {\n  void add() { ++n; }\n  int n = 0;\n};\n")):
        with open(os.path.join(folder, "one.h"), "w", encoding="utf-8") as file:
            file.write(text)
        code, out, err = harness(folder, name, "one.h", "-q")
        *findings, last = out.splitlines()
        assert code == 1 and findings and last.startswith(f"{len(findings)} finding"), (code, out, err)


KEYED = """#pragma once
#include <map>
#include <mutex>
class Known {
 public:
  void put(int key, int value) { std::lock_guard<std::mutex> lock(mutex_); values_[key] = value; }
  void erase(int key) { std::lock_guard<std::mutex> lock(mutex_); values_.erase(key); }
  RESULT at(int key) const {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = values_.find(key);
    return found == values_.end() ? NONE : VALUE;
  }

 private:
  mutable std::mutex mutex_;
  std::map<int, int> values_;
};
"""


def values_of_keys(folder):
    """What a lookup returns leads into the container only if the key is there. Flags may say that a header is C++."""
    for result, none, value, wanted in (("const int *", "nullptr", "&found->second", 1), ("int", "0", "found->second", 0)):
        with open(os.path.join(folder, "one.h"), "w", encoding="utf-8") as file:
            file.write(KEYED.replace("RESULT", result).replace("NONE", none).replace("VALUE", value))
        code, out, err = harness(folder, "Known", "one.h", "-q", "--", "-std=c++14")
        assert code == wanted, (code, out, err)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        {"wrong": run_wrong, "right": run_right, "results": run_results, "refusals": run_refusals,
         "kept": run_kept}[sys.argv[1]](work)
