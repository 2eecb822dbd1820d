"""A user with an empty home, and a project folder."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

BINARIES = Path(os.environ["HEDDLE_BINARIES"])
HEDDLE = str(BINARIES / "heddle")
RACY = """#include <pthread.h>
int x;
void *t(void *p) { x++; return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x++; pthread_join(a, 0); return 0; }
"""


class FreshUser(unittest.TestCase):
    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="heddle-setup-"))
        self.addCleanup(shutil.rmtree, self.top, True)
        self.project = self.top / "p"
        self.project.mkdir()
        self.environment = {key: value for key, value in without_the_users_git(os.environ).items()
                            if not key.startswith(("HEDDLE_", "XDG_"))}
        self.environment |= {"HEDDLE_RUNTIME_DIR": str(self.top / "run"), "HOME": str(self.top),
                             "GRPC_VERBOSITY": "NONE"}
        self.addCleanup(lambda: self.heddle("daemon", "stop"))

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def heddle(self, *arguments, code=None):
        result = subprocess.run([HEDDLE, *arguments], cwd=self.project, env=self.environment, capture_output=True,
                                stdin=subprocess.DEVNULL, timeout=120, text=True)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, check=True, timeout=60)

    def json_lines(self, *arguments, code=None):
        return [json.loads(line) for line in self.heddle(*arguments, "--format=jsonl", code=code).stdout.splitlines()]

    def shell(self, line):
        return subprocess.run(["sh", "-ec", line], cwd=self.project, env=self.environment, capture_output=True,
                              text=True, timeout=120)
