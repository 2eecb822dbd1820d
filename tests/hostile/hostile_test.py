"""What a checkout may hold, run under observation: nothing outside changes, and everything ends.

Each test lays its inputs into projects, beside files that are nobody's business, runs the real binaries and looks at
every file outside before and after. With strace, calls are observed as well: what is opened for writing, run, removed or
connected to.
"""
import json
import os
import shutil
import sqlite3
import unittest

import corpus
from observed import RACY, SECONDS, Observed, wanted


class Hostile(Observed):
    def test_flags(self):
        flags = [flags for flags in corpus.FLAGS if wanted(flags)]
        for first in range(0, len(flags), 40):
            project = self.new_project(f"flags{first}")
            for name, text in corpus.HEADERS_OF_RESPONSES.items():
                self.put(project, name, text)
            entries = []
            for n, some in enumerate(flags[first:first + 40]):
                self.put(project, f"f{n}.c", f"int f{n}(void) {{ return {n}; }}\n")
                entries.append((f"f{n}.c", [self.fill(flag, project) for flag in some]))
            self.put(project, "m.c", RACY)
            self.database(project, entries + [("m.c", [])])
            with self.subTest(first=first):
                self.run_heddle("check", "--no-daemon", project=project, HEDDLE_COMPILE_SECONDS="20")

    def test_flags_file_and_configuration(self):
        for name, text in corpus.HEADERS_OF_RESPONSES.items():
            self.put(self.project, name, text)
        for flags in ("-Wp,-dependency-file,{victim}", "@x.rsp", "--config=x.cfg", "-MJ{victim}", "@bomb0.rsp"):
            with self.subTest(flags=flags):
                self.put(self.project, "compile_flags.txt", flags + "\n")
                self.run_heddle("check", "--no-daemon", "m.c")

    def test_sources(self):
        for name, text in corpus.SOURCES.items():
            if not wanted(name):
                continue
            with self.subTest(name=name):
                path = self.put(self.project, name, text)
                result = self.run_heddle("check", "--no-daemon", "--time-limit=5", name, observed=False)
                self.assertLess(self.took, SECONDS, result.stdout[-500:])
                path.unlink()

    def test_settings(self):
        for name, text in corpus.SETTINGS.items():
            if not wanted(name):
                continue
            with self.subTest(name=name):
                self.put(self.project, ".heddle.yaml", text)
                result = self.run_heddle("check", "--no-daemon", "--time-limit=5", "m.c")
                self.assertLess(self.took, SECONDS)
                self.assertNotIn(b"secret of the user", result.stdout + result.stderr)
                if name in corpus.SETTINGS_OUTSIDE:
                    self.assertEqual(result.returncode, 2)
                    self.assertIn(b"outside of the project", result.stdout + result.stderr)

    def test_settings_outside_where_the_user_says_so(self):
        self.put(self.project, ".heddle.yaml", "stdin: {file: ../../outside/victim}\n")
        refused = self.run_heddle("check", "--no-daemon", "m.c")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"outside of the project", refused.stdout + refused.stderr)
        self.assertEqual(self.run_heddle("check", "--no-daemon", "m.c", HEDDLE_TRUST_OUTSIDE="1").returncode, 0)

    def test_databases(self):
        for name, text in corpus.DATABASES.items():
            if not wanted(name):
                continue
            with self.subTest(name=name):
                self.put(self.project, "compile_commands.json", text)
                self.run_heddle("check", "--no-daemon", "--time-limit=5")
                self.assertLess(self.took, SECONDS)

    def test_names(self):
        for name in filter(wanted, corpus.NAMES):
            with self.subTest(name=name):
                path = os.fsencode(self.project) + b"/" + name
                with open(path, "w") as file:
                    file.write(RACY)
                for form in ("text", "jsonl", "sarif"):
                    result = self.run_heddle("check", "--no-daemon", f"--format={form}", name, observed=False)
                    self.assertEqual(result.returncode, 1, result.stdout[-800:] + result.stderr[-800:])
                    if form != "text":
                        for line in result.stdout.decode().splitlines() if form == "jsonl" else [result.stdout.decode()]:
                            json.loads(line)
                    self.assertNotIn(b"\x1b[31m.c", result.stdout)
                os.unlink(path)

    def test_a_cache_that_is_a_link(self):
        self.database(self.project, [("m.c", [])])  # so that the cache lies in the checkout
        for link in (".cache", ".cache/heddle", ".cache/heddle/units", ".cache/heddle/.gitignore",
                     ".cache/heddle/ledger.sqlite", ".cache/heddle/ledger.sqlite-wal", ".cache/heddle/nightly"):
            with self.subTest(link=link):
                cache = self.project / ".cache"
                cache.unlink() if cache.is_symlink() else shutil.rmtree(cache, True)
                path = self.project / link
                path.parent.mkdir(parents=True, exist_ok=True)
                names_a_file = "." in path.name[1:] or path.name == ".gitignore"
                path.symlink_to(self.outside / ("made" if names_a_file else "folder"))
                self.run_heddle("check", "--no-daemon", "m.c")
                self.run_heddle("cache", "clear", "m.c")

    def test_a_ledger_that_came_with_the_checkout(self):
        self.put(self.project, "m.c", RACY)
        self.database(self.project, [("m.c", [])])  # so that the cache lies in the checkout
        other = {"HEDDLE_STATE_DIR": str(self.top / "run/other")}
        self.assertEqual(self.run_heddle("check", "--no-daemon", "m.c", **other).returncode, 1)
        self.put(self.project, "m.c", corpus.MAIN)
        self.assertEqual(self.run_heddle("check", "--no-daemon", "m.c", **other).returncode, 0)
        database = sqlite3.connect(self.project / ".cache/heddle/ledger.sqlite")
        for table in ("verdict", "job"):
            good = database.execute(f"SELECT value FROM {table} ORDER BY written DESC").fetchone()
            if good:
                database.execute(f"UPDATE {table} SET value = ?", good)
        database.commit()
        database.close()
        self.put(self.project, "m.c", RACY)
        for full in ([], ["--full"]):
            result = self.run_heddle("check", "--no-daemon", *full, "m.c")
            self.assertEqual(result.returncode, 1, result.stdout)


if __name__ == "__main__":
    unittest.main()
