"""A real editor: Debian's Emacs with both of its language clients, see eglot.el and lsp_mode.el."""
import subprocess
import unittest
from pathlib import Path

from client import BINARIES, LanguageServerTest
from real_test import PROGRAM as GUARDED, RACY


class Emacs(LanguageServerTest):
    engine = "real"

    def run_client(self, script):
        environment = dict(self.environment, HEDDLE_TEST_BINARY=str(BINARIES / "heddle"), HOME=str(self.directory),
                           HEDDLE_TEST_FILE=str(self.write("a.c", RACY)),
                           HEDDLE_TEST_MENDED=str(self.write("mended.txt", GUARDED)))
        result = subprocess.run(["emacs", "-q", "--batch", "-l", str(Path(__file__).resolve().parent / script)],
                                env=environment, capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.strip().split("\n")[-1], "ok", result.stderr)

    def test_eglot_finding_story_fix(self):
        self.run_client("eglot.el")

    def test_lsp_mode_finding_story_fix(self):
        self.run_client("lsp_mode.el")


if __name__ == "__main__":
    unittest.main()
