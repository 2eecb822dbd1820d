"""Names, revisions and configurations of git that want to be more than that."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import corpus
from observed import BINARIES, RACY, SECONDS, Observed, sample, wanted

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

HOOKS = ["pre-commit", "post-checkout", "post-index-change", "reference-transaction", "post-commit", "pre-merge-commit",
         "fsmonitor-watchman", "post-rewrite"]


class Git(Observed):
    def setUp(self):
        super().setUp()
        shutil.rmtree(self.project / ".git")
        for other in ("pipe", "pipe.c", "zero.c", "huge.c", "huge", "link", "link_of_link", "folder_link", "folder.c"):
            path = self.project / other
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        self.git("init", "-q", "-b", "main")
        self.git("add", "m.c")
        self.git("commit", "-q", "-m", "first")

    def environment(self, **more):
        return without_the_users_git(super().environment()) | more

    def git(self, *arguments, good=True):
        result = subprocess.run(["git", *arguments], cwd=self.project, env=self.environment(), capture_output=True,
                                timeout=SECONDS * 2)
        if good:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def head(self):
        return self.git("rev-parse", "HEAD").stdout

    def nothing_else_happened(self):
        self.assertFalse((self.project / "OWNED").exists())
        self.assertEqual((self.outside / "victim").read_text(), "as it was\n")
        self.assertEqual(list((self.outside / "folder").iterdir()), [self.outside / "folder/secret"])

    def heddle(self, *arguments, **more):
        return subprocess.run([BINARIES / "heddle", *arguments], cwd=self.project, env=self.environment(**more),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS * 2)

    def test_names_through_the_hook(self):
        self.assertEqual(self.heddle("hook", "install").returncode, 0)
        first = self.head()
        for name in filter(wanted, corpus.NAMES):
            with self.subTest(name=name):
                path = os.fsencode(self.project) + b"/" + name
                with open(path, "w") as file:
                    file.write(RACY)
                self.git("add", "--", name)
                staged = self.heddle("check", "--staged")
                self.assertEqual(staged.returncode, 1, staged.stdout[-1500:] + staged.stderr[-1500:])
                self.assertNotIn(b"\x1b[31m.c", staged.stdout + staged.stderr)
                commit = self.git("commit", "-q", "-m", "m", good=False)
                self.assertNotEqual(commit.returncode, 0, commit.stderr)
                self.assertIn(b"COMMIT STOPPED", commit.stdout + commit.stderr)
                self.assertEqual(self.head(), first)
                self.nothing_else_happened()
                self.git("reset", "-q", "--hard")
                if os.path.exists(path):
                    os.unlink(path)

    def test_one_name_takes_no_other_past_the_hook(self):
        self.assertEqual(self.heddle("hook", "install").returncode, 0)
        first = self.head()
        for name in corpus.NAMES[:6]:
            with self.subTest(name=name):
                with open(os.fsencode(self.project) + b"/" + name, "w") as file:
                    file.write(corpus.MAIN)
                self.put(self.project, "b.c", RACY)
                self.git("add", "-A")
                self.assertNotEqual(self.git("commit", "-q", "-m", "m", good=False).returncode, 0)
                self.assertEqual(self.head(), first)
                self.git("reset", "-q", "--hard")

    def test_revisions(self):
        self.put(self.project, "m.c", RACY)
        for revision in corpus.REVISIONS:
            if not wanted(revision):
                continue
            revision = self.fill(revision, self.project)
            for arguments in ([f"--since={revision}"], [f"--range={revision}..HEAD"], [f"--range=HEAD..{revision}"]):
                with self.subTest(arguments=arguments[0][:80]):
                    before = self.seen()
                    result = self.heddle("check", "--no-daemon", *arguments)
                    self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr[-1500:])
                    self.nothing_else_happened()
                    after = self.seen()
                    self.assertEqual({key: value for key, value in after.items() if "/.git/" not in key},
                                     {key: value for key, value in before.items() if "/.git/" not in key})

    def test_no_command_of_the_configuration_runs(self):
        run = self.put(self.top, "run.sh", "#!/bin/sh\necho \"$0 $*\" >> " + str(self.top / "ran") + "\ncat\n")
        run.chmod(0o755)
        hooks = self.top / "hooks"
        hooks.mkdir()
        for folder in (hooks, self.project / ".git/hooks"):
            for hook in HOOKS:
                shutil.copy(run, folder / hook)
        self.put(self.project, ".gitattributes", "*.c diff=evil filter=evil merge=evil\n")
        self.put(self.project, "b.c", corpus.MAIN)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "second")
        for one in sample([*corpus.GIT_COMMANDS, None], 1):  # the last time, all of them together
            for name in [one] if one else corpus.GIT_COMMANDS:
                value = corpus.GIT_COMMANDS[name].replace("{run}", str(run)).replace("{hooks}", str(hooks))
                self.git("config", name, value)
            with self.subTest(setting=one):
                (self.top / "ran").unlink(missing_ok=True)
                self.put(self.project, "m.c", RACY)
                os.utime(self.project / "b.c")
                more = {"GIT_EXTERNAL_DIFF": str(run), "GIT_PAGER": str(run)} if one is None else {}
                for arguments in (["--staged"], ["--since=HEAD~1"], ["--range=HEAD~1..HEAD"]):
                    result = self.heddle("check", "--no-daemon", *arguments, **more)
                    self.assertIn(result.returncode, (0, 1, 3), result.stderr[-1500:])
                self.assertFalse((self.top / "ran").exists(), (self.top / "ran").exists() and (self.top / "ran").read_text())
            for name in [one] if one else []:
                self.git("config", "--unset", name)


if __name__ == "__main__":
    unittest.main()
