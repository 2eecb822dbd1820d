"""`heddle cache export` and `use`: a fresh clone answers from the store that a team shares, or says why it does not."""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")
SUM = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "shared.h"
static atomic_int n;
static void *add(void *p) { n = n + twice(1); assert(n < 9); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  return 0;
}
"""
RACE = SUM.replace("atomic_int n", "int n")
TEXTS = {"sum.c": SUM, "race.c": RACE, "shared.h": "int twice(int);\n", "twice.c": "int twice(int n) { return 2 * n; }\n"}


class Store(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-store-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.user("one")
        self.store = self.folder / "team" / "heddle-store.sqlite"
        self.store.parent.mkdir()

    def user(self, name):
        self.environment.update(XDG_CACHE_HOME=str(self.folder / name), HEDDLE_STATE_DIR=str(self.folder / name / "state"))

    def clone(self, name, texts=TEXTS):
        project = self.folder / name
        project.mkdir()
        commands = []
        for file, text in texts.items():
            (project / file).write_text(text)
            if file.endswith(".c"):
                at = str(project / file)
                commands.append({"directory": str(project), "file": at, "arguments": ["cc", "-g", f"-I{project}", "-c", at]})
        (project / "compile_commands.json").write_text(json.dumps(commands))
        return project

    def heddle(self, project, *arguments, code=None):
        run = subprocess.run([HEDDLE, *arguments], cwd=project, env=self.environment, capture_output=True, text=True,
                             timeout=120)
        if code is not None:
            self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def check(self, project):
        lines = [json.loads(line) for line in self.heddle(project, "check", "--no-daemon", "--format=jsonl").splitlines()]
        verdicts = {line.get("target", ""): line for line in lines if line.get("type") == "target_verdict"}
        return verdicts, [line for line in lines if line.get("type") == "finding"]

    def fill(self):
        verdicts, found = self.check(self.clone("warm"))
        self.assertEqual(self.heddle(self.folder / "warm", "cache", "export", "--to", str(self.store.parent), code=0),
                         f"{self.store.parent}: 2 targets exported\n")
        return verdicts, found

    def test_a_clone_answers_without_exploring_and_goes_on_from_there(self):
        _, found = self.fill()
        self.store.chmod(0o444)
        before = self.store.read_bytes()
        self.user("another")
        project = self.clone("fresh")
        self.heddle(project, "cache", "use", str(self.store.parent), code=0)
        verdicts, again = self.check(project)
        for target in ("sum", "race"):
            self.assertIn("the shared store", verdicts[target]["scope"]["comparedWith"])
            self.assertEqual(verdicts[target]["stats"].get("executions", 0), 0)
        self.assertEqual([f["id"] for f in found], [f["id"] for f in again])
        self.assertTrue(all(str(project) in json.dumps(f) and str(self.folder / "warm") not in json.dumps(f) for f in again))
        (project / "sum.c").write_text(SUM.replace("n < 9", "n < 4"))  # 2 + 2
        verdicts, found = self.check(project)
        self.assertEqual({f["rule"] for f in found if f["target"] == "sum"}, {"assertion"})
        self.assertGreater(verdicts["sum"]["stats"]["executions"], 0)
        self.assertIn("verified", verdicts["sum"]["scope"]["comparedWith"])
        self.assertEqual(before, self.store.read_bytes())
        self.assertEqual([self.store.name], os.listdir(self.store.parent))

    def test_what_is_not_the_same_text_is_explored(self):
        self.fill()
        self.heddle(self.folder, "cache", "use", str(self.store), code=0)
        other = self.clone("other", TEXTS | {"twice.c": "int twice(int n) { return 5 * n; }\n"})
        verdicts, found = self.check(other)
        self.assertIn("assertion", {f["rule"] for f in found if f["target"] == "sum"})
        self.assertIn("first check", verdicts["sum"]["scope"]["comparedWith"])

    def test_a_checkout_cannot_choose_a_store(self):
        self.fill()
        self.user("another")
        project = self.clone("fresh")
        (project / ".heddle.yaml").write_text("version: 1\n")
        for folder in (project / ".cache" / "heddle", project / ".local" / "state" / "heddle"):
            folder.mkdir(parents=True)
            (folder / "store").write_text(f"{self.store}\n")
        verdicts, _ = self.check(project)
        self.assertIn("first check", verdicts["sum"]["scope"]["comparedWith"])
        self.heddle(project, "cache", "use", "--none", code=0)

    def damage(self, sql):
        base = sqlite3.connect(self.store)
        base.execute(sql)
        base.commit()
        base.close()

    def test_a_store_that_cannot_be_used_is_told_once_and_ignored(self):
        self.fill()
        good = self.store.read_bytes()
        self.heddle(self.folder, "cache", "use", str(self.store.parent), code=0)
        wrongs = {
            "it is broken, or no store": lambda: self.store.write_bytes(b"no store" * 1000),
            "it is broken": lambda: self.damage("UPDATE verdict SET value = value || x'00'"),
            "another build of Heddle wrote it": lambda: self.damage("UPDATE meta SET value = '1 other'"),
            "it is not there": self.store.unlink,
            "it is no file": self.store.mkdir,
        }
        for n, (says, spoil) in enumerate(wrongs.items()):
            if self.store.is_file():
                self.store.write_bytes(good)
            spoil()
            verdicts, _ = self.check(self.clone(f"clone{n}", {"sum.c": SUM, "shared.h": TEXTS["shared.h"], "twice.c": TEXTS["twice.c"]}))
            told = [a for a in verdicts["sum"]["scope"]["assumptions"] if "shared store" in a]
            self.assertEqual(len(told), 1, (says, told))
            self.assertIn(says, told[0])
            self.assertEqual(verdicts["sum"]["verdict"], "clear")


if __name__ == "__main__":
    unittest.main()
