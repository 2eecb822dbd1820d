"""An editor and a commit of the same project at the same time: neither ends the other's check (scripted engine)."""
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from client import BINARIES, LanguageServerTest, uri_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

HEDDLE = str(BINARIES / "heddle")


class Together(LanguageServerTest):
    def setUp(self):
        super().setUp()
        self.environment = without_the_users_git(self.environment) | {"HOME": str(self.directory)}
        for arguments in (["init", "-q", "-b", "main"], ["config", "heddle.budget", "20"]):
            self.git(*arguments)
        self.write("compile_commands.json", "[]")
        self.write("a.c", "int a;\n")
        self.write("b.c", "int b;\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        subprocess.run([HEDDLE, "hook", "install"], cwd=self.project, env=self.environment, capture_output=True, check=True)

    def git(self, *arguments):
        result = subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def staged(self, text):
        self.write("b.c", text)
        self.git("add", "b.c")

    def generations(self, client):
        """Of all that the client was told: a check that was ended and made again has another one."""
        return {m["params"]["generation"] for m in client.messages if m.get("method") == "heddle/status"} - {0}

    def running(self, client):
        return any(s["running"] and s["generation"] for s in client.status.values())

    def test_a_commit_while_the_editor_explores_the_rest(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 50\n// fake: at aa0000000001\n// fake: answered\n// fake: sleep 4000\n")
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        self.staged("// fake: sleep 50\nint b;\n")
        begin = time.monotonic()
        told = self.git("commit", "-m", "second")
        took = time.monotonic() - begin
        self.assertIn("nothing found within scope", told)
        self.assertLess(took, 3.5)   # it did not wait for the rest
        self.assertTrue(self.running(client))   # nor did it end the editor's
        client.wait_idle()
        self.assertEqual(len(self.generations(client)), 1)
        self.assertEqual(client.status[uri_of(self.project)]["verdict"]["kind"], "findings")
        self.assertEqual(len(client.shown(path)), 1)

    def test_saves_while_a_commit_is_checked(self):
        client = self.client()
        path = self.write("a.c", "int a;\n")
        client.open(path)
        client.wait_idle()
        self.staged("// fake: sleep 3000\nint b;\n")
        told = []
        commit = threading.Thread(target=lambda: told.append(self.git("commit", "-m", "second")))
        commit.start()
        time.sleep(0.5)
        for n in range(3):
            text = f"x++; // fake: at aa000000000{n}\n"
            client.change(path, n + 2, [{"text": text}])
            client.save(path, text)
            client.wait_shown(path, lambda d: [x["data"]["id"] for x in d if not x["data"]["stale"]] == [f"aa000000000{n}"])
        self.assertEqual(told, [])   # the editor did not wait for the commit
        commit.join()
        self.assertIn("nothing found within scope", told[0])
        client.wait_idle()
        self.assertEqual(len(self.generations(client)), 4)

    def test_two_editors(self):
        first, second = self.client(), self.client()
        text = "// fake: sleep 600\nx++; // fake: at aa0000000001\n"
        path = self.write("a.c", text)
        first.open(path)
        first.wait(lambda: self.running(first))
        second.open(path, "\n" + text)   # not saved there
        for client in (first, second):
            client.wait_shown(path, lambda d: len(d) == 1)
            client.wait_idle()
            self.assertEqual(len(self.generations(client)), 1)


if __name__ == "__main__":
    unittest.main()
