"""`heddle fix` as people use it: what it prints, what it writes, and when it refuses."""
import json
import os
import subprocess
import unittest
from pathlib import Path

import jsonschema

from measure import Scratch

BINARIES = Path(os.environ.get("HEDDLE_BINARIES", Path(__file__).resolve().parents[2] / "build/bin"))

RIGHT = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  total += 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
EARLY_RETURN = RIGHT.replace("  total += 1;\n", "  if (total == 0) return arg;\n  total += 1;\n")
BARE = RIGHT.replace("  pthread_mutex_lock(&m);\n  total += 1;\n  pthread_mutex_unlock(&m);\n", "  total += 1;\n")
ONE_BARE = RIGHT.replace("int main(void) {\n", "static void *careless(void *arg) {\n  total += 2;\n  return arg;\n}\nint main(void) {\n").replace(
    "&b, 0, worker", "&b, 0, careless")
UNFIXABLE = """#include <assert.h>
int main(void) {
  assert(1 > 2);
  return 0;
}
"""

# A writer, a thread that passes on what it has read, and one that reads both: "WRC", with two writers.
PASSED_ON = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *first(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return p;
}
static void *second(void *p) {
  if (atomic_load_explicit(&x, memory_order_relaxed)) atomic_store_explicit(&y, 1, memory_order_relaxed);
  return p;
}
static void *third(void *p) {
  if (atomic_load_explicit(&y, memory_order_relaxed))
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  return p;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
"""
PASSED_ON_IN_CXX = """#include <atomic>
#include <cassert>
#include <thread>
struct Shared {
  std::atomic<int> x{0}, y{0};
  void pass_on() {
    if (x.load(std::memory_order_relaxed)) y.store(1, std::memory_order_relaxed);
  }
  void look() {
    if (y.load(std::memory_order_relaxed)) assert(x.load(std::memory_order_relaxed));
  }
};
int main() {
  Shared shared;
  std::thread a([&] { shared.x.store(1, std::memory_order_relaxed); });
  std::thread b([&] { shared.pass_on(); });
  std::thread c([&] { shared.look(); });
  a.join();
  b.join();
  c.join();
}
"""


class FixTest(unittest.TestCase):
    def setUp(self):
        self.scratch = Scratch().__enter__()
        self.addCleanup(self.scratch.__exit__)
        self.file = Path(self.scratch.path, "project", "a.c")

    def heddle(self, *words, code=0):
        run = self.scratch.run([str(BINARIES / "heddle"), *words])
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def fix(self, *words, code=0):
        return self.heddle("fix", "--no-daemon", *words, code=code)

    def lines(self, *words, code=0):
        return [json.loads(line) for line in self.fix("--format=jsonl", *words, code=code).stdout.splitlines()]


class Fix(FixTest):
    def test_a_fix_is_shown_with_its_proof_and_written_when_asked_for(self):
        self.file.write_text(ONE_BARE)
        run = self.fix("a.c")
        self.assertIn("take 'm' around the accesses of 'total'", run.stdout)
        self.assertRegex(run.stdout, r"proved: \d+ interleavings clear")
        self.assertIn("+  pthread_mutex_lock(&m);\n   total += 2;\n+  pthread_mutex_unlock(&m);\n", run.stdout)
        self.assertEqual(self.file.read_text(), ONE_BARE)
        self.fix("--apply", "a.c")
        self.assertEqual(self.file.read_text(), ONE_BARE.replace(
            "  total += 2;\n", "  pthread_mutex_lock(&m);\n  total += 2;\n  pthread_mutex_unlock(&m);\n"))
        self.heddle("check", "--no-daemon", "--full", "a.c")
        self.assertIn("no finding to fix", self.fix("a.c").stderr)

    def test_lone_files_need_not_be_named_again(self):
        """The id says which program it is, and that was made of these files; other programs of the folder do not matter."""
        self.file.write_text(ONE_BARE)
        run = self.heddle("check", "--no-daemon", "--format=jsonl", "a.c", code=1)
        found = next(line["id"] for line in map(json.loads, run.stdout.splitlines()) if line["type"] == "finding")
        self.assertIn("take 'm' around the accesses of 'total'", self.fix().stdout)
        for other in (False, True):
            if other:
                Path(self.scratch.path, "project", "b.c").write_text(EARLY_RETURN)
                self.heddle("check", "--no-daemon", "b.c", code=1)
            self.assertIn("take 'm' around the accesses of 'total'", self.fix(found).stdout)
            self.assertIn("data race", self.heddle("replay", "--no-daemon", found, code=1).stdout)
        several = self.fix(code=2).stderr
        self.assertIn("2 findings are open", several)
        self.assertIn(found, several)

    def test_nothing_is_remembered_of_a_trial(self):
        self.file.write_text(ONE_BARE)
        self.heddle("check", "--no-daemon", "a.c", code=1)
        self.fix("--list", "a.c")
        self.heddle("check", "--no-daemon", "a.c", code=1)

    def test_the_edit_is_taken_back_first(self):
        self.file.write_text(BARE)
        before = Path(self.scratch.path, "before.c")
        before.write_text(RIGHT)
        lines = self.lines("--base", str(before), "a.c")
        self.assertEqual([(line["title"], line["proved"]) for line in lines if line["type"] == "fix"],
                         [("take back the change at line 5", False), ("take back the change at line 6", False),
                          ("take back the whole change", True)])
        self.fix("--apply", "--base", str(before), "a.c")
        self.assertEqual(self.file.read_text(), RIGHT)

    def test_the_edit_is_taken_back_to_what_git_has(self):
        self.file.write_text(RIGHT)
        self.scratch.git("init", "-q")
        self.scratch.git("add", "a.c")
        self.assertEqual(self.scratch.git("commit", "-qm", "right").returncode, 0)
        self.file.write_text(BARE)
        self.fix("--apply", "a.c")
        self.assertEqual(self.file.read_text(), RIGHT)

    def test_every_exit_releases_the_lock(self):
        self.file.write_text(EARLY_RETURN)
        self.fix("--apply", "a.c")
        self.assertIn("  if (total == 0) {\n    pthread_mutex_unlock(&m);\n    return arg;\n  }\n", self.file.read_text())

    def test_refused_ones_say_what_speaks_against_them(self):
        self.file.write_text(UNFIXABLE)
        lines = self.lines("--list", "a.c", code=1)
        self.assertFalse(any(line["proved"] for line in lines))
        self.assertEqual(lines[-1]["type"], "fixes")
        self.assertIn("no fix was proved", self.fix("a.c", code=1).stdout)

    def test_lines_are_as_the_schema_says(self):
        self.file.write_text(ONE_BARE)
        schema = json.loads(self.heddle("config", "--schema", "jsonl").stdout)
        for line in self.lines("--list", "a.c"):
            jsonschema.validate(line, schema)

    def test_the_weakest_orders_that_forbid_it(self):
        """Not all orders, and not the strongest: those that were explored."""
        for name, text, mended in (
                ("a.c", PASSED_ON, PASSED_ON.replace("&y, 1, memory_order_relaxed", "&y, 1, memory_order_release").replace(
                    "(&y, memory_order_relaxed", "(&y, memory_order_acquire")),
                ("a.cc", PASSED_ON_IN_CXX, PASSED_ON_IN_CXX.replace("y.store(1, std::memory_order_relaxed", "y.store(1, std::memory_order_release").replace(
                    "y.load(std::memory_order_relaxed", "y.load(std::memory_order_acquire"))):
            with self.subTest(name=name):
                file = self.file.with_name(name)
                file.write_text(text)
                shown = self.heddle("check", "--no-daemon", name, code=1).stdout
                self.assertRegex(shown, r"the weakest orders that forbid it: store at line \d+ release, load at line \d+ acquire")
                run = self.fix(name)
                self.assertRegex(run.stdout, r"the weakest memory orders that forbid it: store at line \d+ release, load at line \d+ acquire\n  proved: ")
                self.fix("--apply", name)
                self.assertEqual(file.read_text(), mended)
                self.heddle("check", "--no-daemon", "--full", "--memory-model=rc11", name)

    def test_mistakes(self):
        self.file.write_text(ONE_BARE)
        self.assertIn("no finding", self.fix("abcdef", "a.c", code=2).stderr)
        self.assertIn("use text or jsonl", self.fix("--format=sarif", "a.c", code=2).stderr)
        self.file.write_text("int main(void) { return missing; }\n")
        self.fix("a.c", code=4)

    def test_a_finding_of_two_programs(self):
        self.file.with_name("common.h").write_text(
            "#include <pthread.h>\nint total;\nvoid *add(void *p) { total++; return p; }\n"
            "int run(void) { pthread_t t; pthread_create(&t, 0, add, 0); total++; pthread_join(t, 0); return total > 5; }\n")
        for name in ("one.c", "two.c"):
            self.file.with_name(name).write_text('#include "common.h"\nint main(void) { return run(); }\n')
        both = ["one.c", "two.c"]
        lines = self.heddle("check", "--no-daemon", "--format=jsonl", *both, code=1).stdout.splitlines()
        found = next(line["id"] for line in map(json.loads, lines) if line["type"] == "finding")
        refused = self.fix(found, *both, code=2).stderr
        self.assertIn(f"the finding {found} is open in 2 programs: one, two\n", refused)
        self.assertIn("--target NAME chooses one", refused)
        self.assertIn("proved", self.fix(found, *both, "--target", "two").stdout)

    def test_the_hook_says_that_there_is_one(self):
        self.file.write_text(RIGHT)
        self.scratch.git("init", "-q")
        self.scratch.git("add", "a.c")
        self.assertEqual(self.scratch.git("commit", "-qm", "right").returncode, 0)
        self.file.write_text(BARE)
        Path(self.scratch.path, "project", "compile_commands.json").write_text(json.dumps(
            [{"directory": str(self.file.parent), "file": "a.c", "command": "cc -c a.c"}]))
        self.scratch.git("add", "a.c")
        try:
            run = self.heddle("hook", "run", "--budget", "60", code=1)
            self.assertRegex(run.stderr, r"heddle fix [0-9a-f]+ shows a proved fix")
        finally:
            self.scratch.run([str(BINARIES / "heddle"), "daemon", "stop"])

    def test_a_schedule_replays_on_the_same_text_elsewhere(self):
        self.file.write_text(ONE_BARE)
        self.heddle("check", "--no-daemon", "a.c", code=1)
        schedule = self.heddle("show", "--no-daemon", "--schedule", "", "a.c").stdout.split()
        self.assertEqual(len(schedule), 1)
        self.assertNotIn(self.scratch.path, schedule[0])
        with Scratch() as other:
            copy = Path(other.path, "project", "a.c")
            replay = [str(BINARIES / "heddle"), "replay", "--no-daemon", "--schedule", schedule[0], "a.c"]
            copy.write_text(ONE_BARE)
            run = other.run(replay)
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertIn("still there", run.stdout)
            self.assertNotIn("is not the text", run.stderr)
            copy.write_text(RIGHT)
            run = other.run(replay)
            self.assertIn("a.c is not the text that the schedule is of", run.stderr)
            self.assertNotIn("still there", run.stdout)
        self.heddle("replay", "--no-daemon", "--schedule", "nonsense", "a.c", code=2)
        self.heddle("replay", "--no-daemon", code=2)


if __name__ == "__main__":
    unittest.main()
