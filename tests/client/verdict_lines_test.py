"""What `heddle check` says of the programs of tests/programs, a sample of them: a verdict line of at most 100 columns, and
with -q one line for each finding and one for the verdict. The JSON lines of the same check say what has to be there."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")
PROGRAMS = HERE.parents[1] / "programs"
HEAD = re.compile(r"^(nothing found within scope|\d[\d,]* findings?|inconclusive|cancelled|build error|error)\b")
FINDING = re.compile(r"^\S+:\d+:\d+: error: .* \[[a-z-]+\]$")
COMPILE_ERROR = re.compile(r"^\S+:\d+:\d+: error: .+$")
STEP = 14   # of all programs, in the order of their names


class Lines(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-lines-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"),
                                COLUMNS="200")

    def heddle(self, *arguments):
        return subprocess.run([HEDDLE, "check", "--no-daemon", "--color=never", *arguments], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True, timeout=120)

    def copied(self, program):
        """The program's name here, and the flags of the compiler that it asks for."""
        shutil.copy(program, self.folder)
        flags = re.search(r"^// OPTIONS:.*?( -- .*)$", program.read_text(), re.MULTILINE)
        return [program.name, *(flags[1].split() if flags else [])]

    def test_programs(self):
        programs = sorted(path for path in PROGRAMS.glob("*/*") if path.suffix in (".c", ".cc"))[::STEP]
        self.assertGreater(len(programs), 20)
        kinds = set()
        for program in programs:
            with self.subTest(program=program.name):
                name = self.copied(program)
                told = [json.loads(line) for line in self.heddle("--time-limit=2", "--format=jsonl", *name).stdout.splitlines()]
                verdict = told[-1]
                kinds.add(verdict["verdict"])
                text = self.heddle("--time-limit=2", *name)
                lines = [line for line in text.stdout.splitlines() if HEAD.match(line)]
                self.assertEqual(len(lines), 1, text.stdout)
                self.assertLessEqual(len(lines[0]), 100)
                self.assertGreater(len(lines[0]), 40)
                quiet = self.heddle("--time-limit=2", "-q", *name)
                self.assertEqual(quiet.returncode, text.returncode)
                *findings, last = quiet.stdout.splitlines()
                self.assertRegex(last, HEAD)
                self.assertLessEqual(len(last), 100)
                if verdict["verdict"] == "error":  # what the compiler says, and the remedy
                    self.assertRegex(findings[0], COMPILE_ERROR)
                    continue
                for line in findings:
                    self.assertRegex(line, FINDING)
                self.assertEqual(len(findings), verdict["findings"] - verdict["consequences"] - verdict["grouped"])
        self.assertTrue({"clear", "findings"} <= kinds, kinds)

    # What the line leaves out is counted below it, and --verbose lists it.
    def test_unknown_functions_and_assumptions(self):
        (self.folder / "a.c").write_text(
            "int tried(void); int never(void);\nint other(void) { return never(); }\n"
            "int main(int n, char **a) {\n  if (n > 1) return tried();\n  (void)a;\n  return 0;\n}\n")
        (self.folder / ".heddle.yaml").write_text("arguments: [{one-of: ['0', '1']}]\n")
        text = self.heddle("a.c")
        self.assertEqual(text.returncode, 3)
        self.assertRegex(text.stdout, r"(?m)^  limit: calls 'tried'.*a\.c:4")
        self.assertRegex(text.stdout, r"(?m)^  1 limit, .*1 unknown function.*: --verbose lists them$")
        self.assertNotIn("never()", text.stdout)
        verbose = self.heddle("--verbose", "a.c").stdout
        self.assertRegex(verbose, r"(?m)^  unknown: tried\(\), called 1 time at a\.c:4")
        self.assertNotIn("never()", verbose)   # no path comes to it
        self.assertEqual(self.heddle("-q", "a.c").stdout.count("\n"), 1)
        self.assertEqual(self.heddle("-q", "--verbose", "a.c").returncode, 2)

    # What ended the search is said with what it is about, and what to do.
    def test_reasons(self):
        (self.folder / "system").mkdir()
        (self.folder / "system" / "library.h").write_text(
            "struct A { virtual ~A() {} int a = 0; };\nstruct B : virtual A { ~B() override {} };\n")
        (self.folder / "flags").mkdir()
        thread = ("#include <pthread.h>\nunsigned char level(void);\nstatic unsigned char seen;\n"
                  "static void *work(void *p) { seen = level(); return p; }\n")
        for name, text, settings, arguments, code, words in (
            ("level.c", thread + "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0);\n"
             "  if (seen == 200) __builtin_trap(); }\n", "{level: {fresh: {min: 300, max: 400}}}", [], 2,
             "no value of fresh fits the result of 'level', an unsigned integer of 8 bits"),
            ("head.c", "struct head { unsigned at, tag; };\nstatic _Atomic struct head top = {0};\n"
             "int main(void) { return sizeof top == 0; }\n", "{}", [], 4, "(TYPE){...}"),
            ("alone.cc", "#include <library.h>\nint main() { B b; return b.a; }\n", "{}", ["--", "-isystem", "system"], 0,
             "nothing found"),
            ("alone.cc", "int main() {}\n", "{}", ["--overlay", "flags/compile_commands.json=alone.cc"], 2,
             "is read from the disk"),
        ):
            with self.subTest(program=name):
                (self.folder / name).write_text(text)
                (self.folder / ".heddle.yaml").write_text(f"unknown-externals: {settings}\n")
                told = self.heddle(name, *arguments)
                self.assertEqual(told.returncode, code, told.stdout + told.stderr)
                self.assertIn(words, told.stdout + told.stderr)

    # Each of hundreds of interleavings needs too much memory: the first of them say so.
    def test_a_program_too_large_on_every_path(self):
        self.environment["HEDDLE_GUEST_MEMORY_MB"] = "64"
        (self.folder / "large.c").write_text(
            "#include <pthread.h>\n#include <stdlib.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
            "static unsigned n;\nstatic void *work(void *p) {\n  for (int k = 0; k < 5; k++) {\n"
            "    pthread_mutex_lock(&m);\n    n = n * 3 + (p != 0);\n    pthread_mutex_unlock(&m);\n  }\n  return p;\n}\n"
            "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, work, 0);\n  pthread_create(&b, 0, work, &m);\n"
            "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  for (;;) ((char *)malloc(1 << 20))[0] = 1;\n}\n")
        told = self.heddle("--full", "large.c")
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertIn("more than 64 MB of memory: every path that was tried ends there, so the search stopped (large.c:19)",
                      told.stdout)
        self.assertRegex(told.stdout, r"(?m)^inconclusive: the program needs more than 64 MB of memory;")

    def test_new_shows_what_the_check_introduced(self):
        text = (PROGRAMS / "races" / "counter.c").read_text()
        path = self.folder / "counter.c"
        path.write_text(text)
        first = self.heddle("-q", "--new", "counter.c")
        self.assertEqual((first.returncode, first.stdout.count(": error: ")), (1, 1), first.stdout)
        path.write_text(text + "static int unused(int a) { return a; }\n")
        second = self.heddle("-q", "--new", "counter.c")
        self.assertEqual((second.returncode, second.stdout.count(": error: ")), (1, 0), second.stdout)
        self.assertEqual(self.heddle("-q", "counter.c").stdout.count(": error: "), 1)

    def test_a_daemon_answers_for_the_environment_of_its_client(self):
        for name, text in ("locked", "(pthread_mutex_lock(&m), n++, pthread_mutex_unlock(&m))"), ("bare", "(n++)"):
            (self.folder / name).mkdir()
            (self.folder / name / "add.h").write_text(f"#define ADD() {text}\n")
        (self.folder / "m.c").write_text(
            "#include <pthread.h>\n#include <add.h>\nstatic int n;\n"
            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *work(void *p) { ADD(); return p; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); ADD(); return pthread_join(t, 0); }\n")
        daemon = {**self.environment, "HEDDLE_RUNTIME_DIR": str(self.folder / "run")}
        run = lambda environment, *arguments: subprocess.run(
            [HEDDLE, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        self.addCleanup(run, daemon, "daemon", "stop")
        for name, code in ("locked", 0), ("bare", 1), ("locked", 0), (None, 4), ("bare", 1):
            environment = {**daemon, "CPATH": str(self.folder / name)} if name else daemon
            answer = run(environment, "check", "-q", "m.c")
            self.assertEqual(answer.returncode, code, f"{name}: {answer.stdout}{answer.stderr}")


if __name__ == "__main__":
    unittest.main()
