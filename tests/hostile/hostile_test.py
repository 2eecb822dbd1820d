"""What a checkout may hold, run under observation: nothing outside changes, and everything ends.

Each test lays its inputs into projects, beside files that are nobody's business, runs the real binaries and looks at
every file outside before and after. With strace, calls are observed as well: what is opened for writing, run, removed or
connected to. HEDDLE_HOSTILE=NAME runs the inputs whose name contains NAME.
"""
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import corpus

BINARIES = pathlib.Path(os.environ.get("HEDDLE_BINARIES", "build/bin")).resolve()
ONLY = os.environ.get("HEDDLE_HOSTILE", "")
COMPILE_SECONDS = 3
SECONDS = 45       # for one run, on a busy machine; the limits inside are far smaller
MEMORY = 2 << 30   # bytes, for each process
STRACE = shutil.which("strace")
RACY = """#include <pthread.h>
int x;
void *t(void *p) { x++; return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x++; pthread_join(a, 0); return 0; }
"""


def wanted(name):
    return ONLY in str(name)


class Hostile(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="heddle-hostile-"))
        self.addCleanup(shutil.rmtree, self.top, True)
        self.outside = self.top / "outside"
        (self.outside / "folder").mkdir(parents=True)
        (self.outside / "victim").write_text("as it was\n")
        (self.outside / "secret").write_text("the secret of the user\n")
        (self.outside / "folder/secret").write_text("another secret\n")
        self.home = self.top / "home"
        self.home.mkdir()
        (self.home / ".bashrc").write_text("# nothing\n")
        self.project = self.new_project("project")

    def new_project(self, name):
        project = self.top / "parent" / name
        project.mkdir(parents=True)
        (project / ".git").mkdir()
        self.put(project, "m.c", corpus.MAIN)
        os.mkfifo(project / "pipe")
        os.mkfifo(project / "pipe.c")
        (project / "folder.c").mkdir()
        (project / "link").symlink_to(self.outside / "secret")
        (project / "folder_link").symlink_to(self.outside / "folder")
        (project / "zero.c").symlink_to("/dev/zero")
        for huge in ("huge", "huge.c"):
            with open(project / huge, "wb") as file:
                file.truncate(10 << 30)
        self.put(project, "evil.sh", "#!/bin/sh\ntouch OWNED {victim}\n").chmod(0o755)
        return project

    def fill(self, text, project):
        for name, path in (("victim", self.outside / "victim"), ("out", self.outside / "folder"),
                           ("secret", self.outside / "secret"), ("project", project)):
            text = text.replace("{" + name + "}", str(path))
        return text

    def put(self, project, name, text):
        path = project / name
        path.write_text(self.fill(text, project))
        return path

    def seen(self):
        """All that is outside of the project and of what is Heddle's own."""
        out = {}
        for folder in (self.outside, self.home, self.top / "parent"):
            for path in sorted(folder.rglob("*")):
                name = str(path.relative_to(self.top))
                if "/.cache" in name or "/.local" in name:
                    continue
                regular = path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 24
                out[name] = hashlib.sha256(path.read_bytes()).hexdigest() if regular else "there"
        return out

    def run_heddle(self, *arguments, project=None, observed=True, **environment):
        project = project or self.project
        env = {key: value for key, value in os.environ.items() if not key.startswith(("HEDDLE_", "XDG_"))}
        env |= {"HOME": str(self.home), "HEDDLE_RUNTIME_DIR": str(self.top / "run"),
                "HEDDLE_COMPILE_SECONDS": str(COMPILE_SECONDS)} | environment
        trace = self.top / "trace"
        watch = [STRACE, "-f", "-qq", "-o", str(trace), "-s", "300", "-e",
                 "trace=openat,open,creat,execve,execveat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,"
                 "mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat"] if STRACE and observed else []
        before = self.seen()
        begin = time.monotonic()
        result = subprocess.run(watch + [BINARIES / "heddle", *arguments], cwd=project, env=env, timeout=SECONDS * 4,
                                stdin=subprocess.DEVNULL, capture_output=True)
        self.took = time.monotonic() - begin
        self.assertEqual(self.seen(), before)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, MEMORY)
        self.assertIn(result.returncode, (0, 1, 2, 3, 4), result.stderr[-2000:])
        if watch:
            self.look_at(trace, project)
        return result

    def look_at(self, trace, project):
        """No call that succeeded changed or ran anything that is not Heddle's."""
        own = [str(project / ".cache"), str(self.home / ".cache"), str(self.home / ".local"), str(self.top / "run"),
               "/dev/null", "/proc/self/oom_score_adj", "/dev/tty"]
        for line in trace.read_text(errors="replace").splitlines():
            if re.search(r"= -1 E|resumed|unfinished|\+\+\+|---", line):
                continue
            call = line.split(None, 1)[-1]
            path = (re.findall(r'"([^"]*)"', call) or [""])[0]
            if call.startswith(("execve", "execveat")):
                self.assertTrue(path.startswith(str(BINARIES)), line)
            elif call.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", call):
                self.assertFalse(path.startswith(str(self.outside / "secret")), line)
            elif not path.startswith("/") and not call.startswith("connect"):
                continue  # by the descriptor of a folder, which was opened before
            elif call.startswith("connect"):
                self.assertIn(str(self.top), call)
            else:
                self.assertTrue(any(path.startswith(prefix) for prefix in own), line)

    def database(self, project, entries):
        self.put(project, "compile_commands.json", json.dumps(
            [{"directory": str(project), "file": file, "arguments": ["clang", *flags, "-c", file]}
             for file, flags in entries]))

    # --- the tables ---

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
        for link in (".cache", ".cache/heddle", ".cache/heddle/units", ".cache/heddle/.gitignore",
                     ".cache/heddle/ledger.sqlite", ".cache/heddle/ledger.sqlite-wal", ".cache/heddle/nightly"):
            with self.subTest(link=link):
                cache = self.project / ".cache"
                cache.unlink() if cache.is_symlink() else shutil.rmtree(cache, True)
                path = self.project / link
                path.parent.mkdir(parents=True, exist_ok=True)
                names_a_file = path.suffix != ""
                path.symlink_to(self.outside / ("made" if names_a_file else "folder"))
                self.run_heddle("check", "--no-daemon", "m.c")
                self.run_heddle("cache", "clear", "m.c")

    def test_a_ledger_that_came_with_the_checkout(self):
        self.put(self.project, "m.c", RACY)
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
