"""`cmake --install` and the Debian package: each works from where it was put."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from fresh_user import FreshUser, RACY

BUILD = os.environ.get("HEDDLE_BUILD", "")
PLACES = ("share/bash-completion/completions/heddle", "share/zsh/vendor-completions/_heddle",
          "share/fish/vendor_completions.d/heddle.fish", "share/man/man1/heddle.1", "share/heddle/jsonl.schema.json",
          "share/heddle/settings.schema.json",
          *(f"share/doc/heddle/{page}.md" for page in ("SUPPORT", "SETTINGS", "HARNESS")))


class Package(FreshUser):
    def works(self, prefix):
        for name in PLACES:
            self.assertGreater((prefix / name).stat().st_size, 500, name)
        self.write("a.c", RACY)
        program = str(prefix / "bin/heddle")
        run = lambda *words: subprocess.run([program, *words], cwd=self.project, env=self.environment, text=True,
                                            capture_output=True, timeout=120)
        for arguments in (["check", "a.c"], ["check", "a.c", "--no-daemon"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            self.assertIn("data race on 'x'", result.stdout)
        running = [os.readlink(link) for link in Path("/proc").glob("[0-9]*/exe")
                   if os.access(link, os.R_OK) and os.path.lexists(link) and self.is_ours(link, prefix)]
        self.assertIn(str(prefix / "bin/heddled"), running)
        self.assertIn(str(prefix), run("doctor").stdout)
        self.assertEqual(run("daemon", "stop").returncode, 0)

    def is_ours(self, link, prefix):
        try:
            return os.readlink(link).startswith(str(prefix))
        except OSError:
            return False

    def test_an_installation(self):
        prefix = self.top / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", str(prefix)], check=True, capture_output=True)
        self.works(prefix)

    @unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("file"), "dpkg-dev or file is not installed")
    def test_a_debian_package(self):
        made = subprocess.run(["cpack", "-G", "DEB", "-B", str(self.top / "made"), "--config",
                               BUILD + "/CPackConfig.cmake"], cwd=BUILD, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        package = str(self.top / "made/heddle.deb")
        needs = subprocess.run(["dpkg-deb", "-f", package, "Depends"], check=True, capture_output=True, text=True).stdout
        for name in ("libclang-common-19-dev", "libc6-dev", "libstdc++-12-dev", "libgrpc++", "libprotobuf32",
                     "libsqlite3-0", "libseccomp2", "libjemalloc2", "libclang1-19"):
            self.assertIn(name, needs)
        subprocess.run(["dpkg-deb", "-x", package, str(self.top / "unpacked")], check=True)
        self.works(self.top / "unpacked/usr")


if __name__ == "__main__":
    unittest.main()
