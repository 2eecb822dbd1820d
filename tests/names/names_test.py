"""Files whose names are no UTF-8, or hold a line feed, through every command."""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lsp"))
from client import BINARIES, Client  # noqa: E402
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

HEDDLE = str(BINARIES.resolve() / "heddle")
RACY = """#include <pthread.h>
int x;
void *t(void *p) { x++; return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x++; pthread_join(a, 0); return 0; }
"""
CLEAR = RACY.replace("x++; pthread_join(a, 0);", "pthread_join(a, 0); x++;")
NAMES = {b"a\xff.c": "a%FF.c", b"a\nb.c": "a\nb.c", b"\xc3(.c": "%C3(.c", b"plain.c": "plain.c"}


class Names(unittest.TestCase):
    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="heddle-names-"))
        self.addCleanup(shutil.rmtree, self.top, True)
        self.project = self.top / "p"
        self.project.mkdir()
        self.environment = {key: value for key, value in without_the_users_git(os.environ).items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment |= {"HEDDLE_RUNTIME_DIR": str(self.top / "run"), "HOME": str(self.top), "GRPC_VERBOSITY": "NONE"}
        self.addCleanup(lambda: subprocess.run([HEDDLE, "daemon", "stop"], env=self.environment, capture_output=True))

    def path(self, name):
        return os.fsencode(self.project) + b"/" + name

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def heddle(self, *arguments, code=None):
        result = subprocess.run([HEDDLE, *arguments], cwd=self.project, env=self.environment, capture_output=True,
                                stdin=subprocess.DEVNULL, timeout=120)
        if code is not None:
            self.assertEqual(result.returncode, code, (arguments, result.stdout[-1500:], result.stderr[-1500:]))
        result.out = result.stdout.decode()  # whatever the name: output is UTF-8
        return result

    def git(self, *arguments, good=True):
        result = subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, capture_output=True)
        if good:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def each(self):
        for number, (name, shown) in enumerate(NAMES.items()):
            self.project = self.top / f"p{number}"
            self.project.mkdir()
            self.write(name, RACY)
            yield name, shown

    def finding(self, name):
        lines = self.heddle("check", "--format=jsonl", name, code=1).out.splitlines()
        return next(event for event in map(json.loads, lines) if event.get("type") == "finding")["id"]

    def test_check(self):
        for name, shown in self.each():
            self.assertIn(shown.split("\n")[-1] + ":3:", self.heddle("check", name, code=1).out)
            self.finding(name)
            sarif = json.loads(self.heddle("check", "--format=sarif", name, code=1).out)
            self.assertEqual(len(sarif["runs"][0]["results"]), 1)
            self.heddle("check", "--format=html", "--output", "report.html", name, code=1)
            self.assertIn("data race", (self.project / "report.html").read_text())
            self.heddle("check", "--full", name, code=1)
            self.heddle("check", "--no-daemon", name, code=1)

    def test_edits(self):
        for name, _ in self.each():
            self.heddle("check", name, code=1)
            self.write(name, CLEAR)
            self.heddle("check", name, code=0)
            self.write(name, RACY)
            self.heddle("check", name, code=1)

    def test_base(self):
        for name, _ in self.each():
            self.write(b"new.c", RACY)
            self.write(name, CLEAR)
            self.heddle("check", "--base", name, "new.c", code=1)

    def test_show_replay_why_pairs_status(self):
        for name, shown in self.each():
            number = self.finding(name)
            for command in ([b"show"], [b"replay"]):
                result = self.heddle(*command, number, name)
                if result.returncode == 2:  # the command takes no file
                    result = self.heddle(*command, number)
                self.assertIn(result.returncode, (0, 1), (command, result.stdout, result.stderr))
                self.assertIn(shown.split("\n")[-1], result.out)
            self.heddle("why", name, code=0)
            self.heddle("why", name + b":3", code=0)
            self.heddle("pairs", code=0)
            self.heddle("status", code=0)
            self.heddle("show", code=0)
            self.heddle("hook", "status")

    def test_replay_after_the_daemon_began_anew(self):
        for name, _ in self.each():
            number = self.finding(name)
            self.heddle("daemon", "restart", code=0)
            self.assertIn(self.heddle("replay", number, name).returncode, (0, 1))

    def test_suppress(self):
        for name, _ in self.each():
            number = self.finding(name)
            self.heddle("suppress", "add", number, "--reason", "a test", code=0)
            with open(self.path(name)) as file:
                self.assertIn("heddle", file.read())
            self.heddle("check", name, code=0)
            self.assertIn(number[:6], self.heddle("suppress", "list", name, code=0).out)
            self.heddle("suppress", "remove", number, name, code=0)
            with open(self.path(name)) as file:
                self.assertEqual(file.read(), RACY)
            self.heddle("check", name, code=1)

    def test_nightly(self):
        for name, _ in self.each():
            self.heddle("nightly", name, code=1)
            self.heddle("nightly", "--format=html", "--output", "n.html", name, code=1)
            self.heddle("check", "--verify-incremental", name)

    def test_staged_and_hook(self):
        for name, _ in self.each():
            self.git("init", "-q", "-b", "main")
            self.write(b"first.c", CLEAR)
            self.git("add", "first.c")
            self.git("commit", "-q", "-m", "first")
            self.heddle("hook", "install", code=0)
            first = self.git("rev-parse", "HEAD").stdout
            self.git("add", "--", name)
            self.heddle("check", "--staged", code=1)
            stopped = self.git("commit", "-q", "-m", "m", good=False)
            self.assertIn(b"COMMIT STOPPED", stopped.stdout + stopped.stderr)
            self.assertEqual(self.git("rev-parse", "HEAD").stdout, first)
            self.write(name, CLEAR)
            self.git("add", "--", name)
            self.git("commit", "-q", "-m", "m")
            self.write(name, RACY)
            self.heddle("check", "--since=HEAD", code=1)
            self.heddle("check", "--range=HEAD~1..HEAD", code=0)
            self.assertIn(b"no commit is owed", self.heddle("hook", "status").stdout)

    def test_watch(self):
        for name, _ in self.each():
            process = subprocess.Popen([HEDDLE, "watch", "--format=jsonl", name], cwd=self.project, text=True,
                                       env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            verdicts = queue.Queue()

            def read(lines=process.stdout, to=verdicts):
                for event in map(json.loads, lines):
                    if event.get("type") == "verdict":
                        to.put(event["verdict"])
            threading.Thread(target=read, daemon=True).start()

            def expect(wanted):
                end = time.monotonic() + 60
                while verdicts.get(timeout=max(0.01, end - time.monotonic())) != wanted:
                    pass
            try:
                expect("findings")
                time.sleep(0.2)
                self.write(name, CLEAR)
                expect("clear")
                self.write(name, RACY)
                expect("findings")
            finally:
                process.kill()
                process.wait()
                process.stdout.close()

    def test_language_server(self):
        for name, _ in self.each():
            client = Client(self.environment)
            try:
                client.initialize()
                uri = "file://" + quote(self.path(name))
                client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "c", "version": 1,
                                                                        "text": RACY}})
                client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

                def shown():
                    return client.diagnostics.get(uri, {}).get("diagnostics", [])
                client.wait(shown, what="a data race")
                self.write(name, CLEAR)
                client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2},
                                                         "contentChanges": [{"text": CLEAR}]})
                client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
                client.wait(lambda: not shown(), what="its end")
                client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
                self.write(name, RACY)
                client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
                client.wait(shown, what="a data race in a closed file")
            finally:
                client.stop()

    def test_a_header(self):
        header = b"h\xff.h"
        self.write(header, "static void *t(void *p) { x++; return p; }\n")
        with open(self.path(b"m.c"), "wb") as file:
            file.write(RACY.replace("void *t(void *p) { x++; return p; }\n", "").encode().replace(
                b"int x;\n", b'int x;\n#include "' + header + b'"\n'))
        for arguments in ([], ["--no-daemon"], ["--full"], ["--format=jsonl"], ["--format=sarif"]):
            self.assertIn("h%FF.h", self.heddle("check", *arguments, "m.c", code=1).out)
        self.write(header, "static void *t(void *p) { return p; }\n")
        self.heddle("check", "m.c", code=0)
        self.write(header, "static void *t(void *p) { return q; }\n")
        self.assertIn(b"h%FF.h", self.heddle("check", "m.c", code=4).stdout)


if __name__ == "__main__":
    unittest.main()
