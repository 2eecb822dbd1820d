"""A real editor: Debian's Neovim with its own language client, see neovim.lua."""
import subprocess
import unittest
from pathlib import Path

from client import BINARIES, LanguageServerTest
from real_test import PROGRAM as GUARDED, RACY


class Neovim(LanguageServerTest):
    engine = "real"

    def test_finding_story_fix(self):
        environment = dict(self.environment, HEDDLE_TEST_BINARY=str(BINARIES / "heddle"), HOME=str(self.directory),
                           HEDDLE_TEST_FILE=str(self.write("a.c", RACY)),
                           HEDDLE_TEST_MENDED=str(self.write("mended.txt", GUARDED)))
        script = Path(__file__).resolve().parent / "neovim.lua"
        result = subprocess.run(["nvim", "--headless", "-u", "NONE", "-n", "-c", f"luafile {script}"], env=environment,
                                capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ok", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
