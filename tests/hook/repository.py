"""A git repository with the hook, for tests of it."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from counter_program import GUARDED as PROGRAM, RACY as UNLOCKED  # noqa: E402, F401
from git_environment import without_the_users_git  # noqa: E402

BUILD = Path(__file__).resolve().parents[2] / "build"
BINARIES = Path(os.environ.get("HEDDLE_BINARIES", BUILD / "bin"))
FAKE_ENGINE = os.environ.get("HEDDLE_FAKE_ENGINE", str(BUILD / "tests/daemon/fake_engine"))
HEDDLE = str(BINARIES / "heddle")
CLEAR = "int clear;\n"


class Repository(unittest.TestCase):
    engine = None   # None: the fake one

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="heddle-hook-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)   # also when there is no heddle to stop
        self.top = self.directory / "r"
        self.top.mkdir()
        self.environment = {key: value for key, value in without_the_users_git(os.environ).items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(HEDDLE_RUNTIME_DIR=str(self.directory / "run"), HOME=str(self.directory),
                                HEDDLE_IDLE_EXIT="60")
        if self.engine is None:
            self.environment["HEDDLE_ENGINE"] = FAKE_ENGINE
        self.git("init", "-q", "-b", "main")

    def tearDown(self):
        self.heddle("daemon", "stop")

    def run_in(self, arguments, folder=None, **more):
        return subprocess.run(arguments, cwd=folder or self.top, env=dict(self.environment, **more), capture_output=True,
                              text=True, timeout=120)

    def git(self, *arguments, check=True, folder=None, **more):
        result = self.run_in(["git", *arguments], folder, **more)
        if check and result.returncode != 0:
            raise AssertionError(f"git {arguments}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result

    def heddle(self, *arguments, folder=None, **more):
        return self.run_in([HEDDLE, *arguments], folder, **more)

    def write(self, name, text, folder=None):
        path = (folder or self.top) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def install(self, folder=None):
        result = self.heddle("hook", "install", folder=folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def commit(self, message="m", *options, check=None, **more):
        result = self.git("commit", "-q", "-m", message, *options, check=False, **more)
        if check is True:
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        if check is False:
            self.assertNotEqual(result.returncode, 0, result.stderr + result.stdout)
        return result

    def begin(self):
        """A first commit with the hook in place."""
        self.write("a.c", CLEAR)
        self.git("add", "a.c")
        self.commit("first")
        self.install()

    def head(self, folder=None):
        return self.git("rev-parse", "HEAD", folder=folder).stdout.strip()

    def debts(self):
        return sorted((self.top / ".git" / "heddle" / "debt").glob("*.json"))
