"""Commits that bring a race without touching the text of a source that the base has: through headers that appear or go,
names that no rule knows, links, flags, settings. The real engine; the lock is a macro of an included file."""
import json
import os
import unittest

from repository import Repository

SOURCE = """#include <pthread.h>
#include "lock.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *w(void *p) { LOCK(&m); n++; UNLOCK(&m); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, w, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
GOOD = "#define LOCK(m) pthread_mutex_lock(m)\n#define UNLOCK(m) pthread_mutex_unlock(m)\n"
BAD = "#define LOCK(m) (void)(m)\n#define UNLOCK(m) (void)(m)\n"
BAD_FLAGS = '"-DLOCK(m)=(void)(m)" "-DUNLOCK(m)=(void)(m)"'


class Composition(Repository):
    engine = "real"

    def start(self, source=SOURCE, flags="-Iinc1 -Iinc2", **files):
        self.write("src/m.c", source)
        self.write("inc2/lock.h", GOOD)
        self.write("inc1/other.h", "")
        self.database(flags)
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_dot_", "."), text)
        self.git("add", "-A")
        self.commit("first", check=True)
        self.install()
        self.git("config", "heddle.budget", "60")

    def database(self, flags):
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.top), "file": "src/m.c", "command": f"cc {flags} -c src/m.c -o m.o"}]))

    def stopped(self):
        """What is staged brings the race, by each way to ask."""
        self.git("add", "-A")
        staged = self.heddle("check", "--staged")
        self.assertEqual(staged.returncode, 1, staged.stdout + staged.stderr)
        self.assertIn("data race on 'n'", staged.stdout)
        self.commit(check=False)
        self.git("commit", "-q", "--no-verify", "-m", "let pass")
        for words in (("--since", "HEAD~1"), ("--range", "HEAD~1..HEAD")):
            result = self.heddle("check", *words)
            self.assertEqual(result.returncode, 1, f"{words}: {result.stdout}{result.stderr}")

    def test_a_header_that_shadows_another(self):
        self.start()
        self.write("inc1/lock.h", BAD)
        self.stopped()

    def test_a_header_that_is_asked_for(self):
        self.start(SOURCE.replace('#include "lock.h"', '#if __has_include("fast.h")\n#include "fast.h"\n#else\n'
                                  '#include "lock.h"\n#endif'))
        self.write("src/fast.h", BAD)
        self.stopped()

    def test_a_header_that_moves(self):
        self.start()
        self.git("mv", "inc2/lock.h", "src/lock.h")
        self.write("src/lock.h", BAD)
        self.stopped()

    def test_a_header_that_goes_and_uncovers_another(self):
        self.start(inc1__lock_dot_h=GOOD)
        self.write("inc2/lock.h", BAD)
        self.git("commit", "-q", "--no-verify", "-a", "-m", "it is covered")
        self.git("rm", "-q", "inc1/lock.h")
        self.stopped()

    def test_a_source_that_moves(self):
        self.start()
        self.git("mv", "src/m.c", "src/n.c")
        self.write("src/n.c", SOURCE.replace("LOCK(&m); n++;", "n++;", 1).replace("UNLOCK(&m); ", "", 1))
        self.write("compile_commands.json", (self.top / "compile_commands.json").read_text().replace("m.c", "n.c"))
        self.git("add", "-A")
        self.assertEqual(self.heddle("check", "--staged").returncode, 1)

    def test_names_that_no_rule_knows(self):
        for name in ("ops.tpp", "ops.txt", "ops"):
            with self.subTest(name):
                self.start(SOURCE.replace('"lock.h"', f'"{name}"'), **{f"inc1__{name.replace('.', '_dot_')}": GOOD})
                self.write(f"inc1/{name}", BAD)
                self.stopped()

    def test_a_link(self):
        self.start(inc2__good_dot_h=GOOD, inc2__bad_dot_h=BAD)
        (self.top / "inc2/lock.h").unlink()
        os.symlink("good.h", self.top / "inc2/lock.h")
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "a link")
        (self.top / "inc2/lock.h").unlink()
        os.symlink("bad.h", self.top / "inc2/lock.h")
        self.stopped()

    def test_flags(self):
        guarded = SOURCE.replace('#include "lock.h"', '#ifndef LOCK\n#include "lock.h"\n#endif')
        self.start(guarded)
        self.database(BAD_FLAGS)
        self.stopped()

    def test_a_response_file(self):
        guarded = SOURCE.replace('#include "lock.h"', '#ifndef LOCK\n#include "lock.h"\n#endif')
        self.start(guarded, "-Iinc2 @more.flags", more_dot_flags="-DOTHER\n")
        self.write("more.flags", BAD_FLAGS + "\n")
        self.stopped()

    def test_settings(self):
        early = SOURCE.replace("{ LOCK(&m); n++; UNLOCK(&m);", '{ int slow = !getenv("FAST"); if (slow) LOCK(&m); n++; '
                               "if (slow) UNLOCK(&m);").replace("#include <pthread.h>", "#include <pthread.h>\n#include <stdlib.h>")
        self.start(early)
        self.write(".heddle.yaml", 'environment: {FAST: "1"}\n')
        self.stopped()

    def test_an_untracked_header_is_no_part_of_the_commit(self):
        self.start()
        self.write("inc2/lock.h", BAD)
        self.git("add", "inc2/lock.h")
        self.write("src/lock.h", GOOD)
        result = self.heddle("check", "--staged")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)

    def test_a_header_that_no_program_needs(self):
        self.start(inc2__unused_dot_h="int unused;\n")
        self.git("rm", "-q", "inc2/unused.h")
        result = self.commit(check=True)
        self.assertIn("nothing to check: no program needs unused.h", result.stderr)
        self.assertEqual(self.debts(), [])

    def test_a_description_of_the_build(self):
        self.start()
        self.assertEqual(self.heddle("check").returncode, 0)
        self.write("CMakeLists.txt", "project(p)\n")
        self.git("add", "CMakeLists.txt")
        result = self.heddle("check", "--staged", "--format=jsonl")   # the text with these flags is known
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(json.loads(result.stdout.splitlines()[-1])["stats"]["executions"], 0)
        self.write("inc2/lock.h", BAD)
        self.stopped()

    def test_a_source_that_two_programs_compile_in_their_own_ways(self):
        lib = ('#include "lock.h"\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint n;\n'
               "void bump(void) {\n#ifdef TWO\n  LOCK(&m); n += 2; UNLOCK(&m);\n#else\n  LOCK(&m); n++; UNLOCK(&m);\n#endif\n}\n")
        uses = SOURCE.replace("{ LOCK(&m); n++; UNLOCK(&m);", "{ bump();").replace('#include "lock.h"', "void bump(void);")
        self.start()
        for name, text in (("lib.c", lib), ("one.c", uses), ("two.c", uses)):
            self.write(f"src/{name}", text)
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.top), "file": f"src/{name}.c", "output": f"CMakeFiles/{program}.dir/{name}.o",
              "command": f"cc {flags} -Iinc2 -c src/{name}.c -o CMakeFiles/{program}.dir/{name}.o"}
             for name, program, flags in (("lib", "one", ""), ("lib", "two", "-DTWO"), ("one", "one", ""), ("two", "two", ""))]))
        self.git("add", "-A")
        self.commit("two programs", "--no-verify", check=True)
        self.write("src/lib.c", lib.replace("LOCK(&m); n += 2; UNLOCK(&m);", "n += 2;"))
        self.stopped()

    def test_nothing_that_matters(self):
        self.start()
        self.write("README.md", 'see "lock.h"\n')
        self.write("src/m.c", SOURCE + "// a comment\n")
        self.git("add", "-A")
        self.assertIn("nothing found within scope", self.commit(check=True).stderr)


class Folders(Repository):
    """The same with `--base`: no git."""
    engine = "real"

    def base(self, change, source=SOURCE, flags="-Iinc1 -Iinc2"):
        for folder in ("old", "new"):
            top = self.directory / folder
            self.write("src/m.c", source, top)
            self.write("inc2/lock.h", GOOD, top)
            self.write("inc1/other.h", "", top)
            self.write("compile_commands.json", json.dumps(
                [{"directory": str(top), "file": "src/m.c", "command": f"cc {flags} -c src/m.c -o m.o"}]), top)
        change(self.directory / "new")
        return self.heddle("check", "--no-daemon", "--base", "../old", folder=self.directory / "new")

    def test_a_header_that_shadows_another(self):
        result = self.base(lambda new: self.write("inc1/lock.h", BAD, new))
        self.assertEqual(result.returncode, 1, result.stdout)

    def test_flags(self):
        guarded = SOURCE.replace('#include "lock.h"', '#ifndef LOCK\n#include "lock.h"\n#endif')
        change = lambda new: self.write("compile_commands.json", (new / "compile_commands.json").read_text().replace(
            "cc ", "cc " + BAD_FLAGS.replace('"', '\\"') + " "), new)
        result = self.base(change, guarded)
        self.assertEqual(result.returncode, 1, result.stdout)

    def test_nothing_that_matters(self):
        result = self.base(lambda new: self.write("src/m.c", SOURCE + "// a comment\n", new))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("nothing explored", result.stdout)


if __name__ == "__main__":
    unittest.main()
