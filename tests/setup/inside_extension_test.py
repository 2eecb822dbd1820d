"""The extension's package with Heddle inside: unpacked anywhere, its programs work, with nothing of a checkout."""
import json
import os
import shutil
import subprocess
import unittest
import zipfile
from pathlib import Path

from fresh_user import FreshUser, RACY

BUILD = os.environ.get("HEDDLE_BUILD", "")
SOURCE = Path(__file__).resolve().parents[2]
C_LIBRARY = ("libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so", "libutil.so", "libanl.so", "ld-linux")


@unittest.skipUnless((SOURCE / "plugins/vscode/node_modules").is_dir(), "the npm packages are missing: ./dev setup")
class InsideExtension(FreshUser):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run([str(SOURCE / "tests/editor/run"), "--pack", BUILD], capture_output=True, text=True, timeout=280)
        assert made.returncode == 0, made.stdout + made.stderr
        cls.package, = (SOURCE / "plugins/vscode/dist").glob("heddle-linux-*.vsix")

    def unpack(self):
        """As the editor does: the modes of the archive count."""
        with zipfile.ZipFile(self.package) as archive:
            archive.extractall(self.top / "unpacked")
            for entry in archive.infolist():
                mode = entry.external_attr >> 16
                if mode:
                    os.chmod(self.top / "unpacked" / entry.filename, mode & 0o777)
        return self.top / "unpacked/extension"

    def test_it_names_the_platform(self):
        with zipfile.ZipFile(self.package) as archive:
            manifest = archive.read("extension.vsixmanifest").decode()
        self.assertRegex(manifest, r'TargetPlatform="linux-(x64|arm64)"')

    def test_its_programs_work_where_they_are(self):
        server = self.unpack() / "server"
        program = str(server / "bin/heddle")
        self.environment["PATH"] = "/usr/bin:/bin"
        self.write("a.c", RACY)
        self.write("b.cpp", "#include <thread>\nint x;\nint main() { std::thread t([] { x++; }); x++; t.join(); }\n")
        run = lambda *words: subprocess.run([program, *words], cwd=self.project, env=self.environment, text=True,
                                            capture_output=True, timeout=120)
        self.addCleanup(lambda: run("daemon", "stop"))
        for name in ("a.c", "b.cpp"):
            result = run("check", name)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            self.assertIn("data race on 'x'", result.stdout)
        ours = self.mapped(server)
        self.assertEqual({Path(exe).name for exe in ours}, {"heddled", "heddle-engine"})
        for exe, files in ours.items():
            foreign = [f for f in files if ".so" in f and not f.startswith(str(server)) and not Path(f).name.startswith(C_LIBRARY)]
            self.assertEqual(foreign, [], exe)

    def mapped(self, server):
        out = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                exe = os.readlink(process / "exe")
                if exe.startswith(str(server)):
                    out[exe] = {line.split()[-1] for line in (process / "maps").read_text().splitlines() if "/" in line}
            except OSError:
                continue
        return out

    def test_its_language_server_answers(self):
        server = self.unpack() / "server"
        process = subprocess.Popen([str(server / "bin/heddle"), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=dict(self.environment, PATH="/usr/bin:/bin"))
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        process.stdin.flush()
        length = int(process.stdout.readline().split(b":")[1])
        process.stdout.readline()
        answer = json.loads(process.stdout.read(length))
        self.assertEqual(answer["result"]["serverInfo"]["name"], "heddle")
        process.stdin.close()
        process.wait(20)
        for stream in (process.stdout, process.stderr):
            stream.close()

    def test_it_is_not_too_large(self):
        size = self.package.stat().st_size
        print(f"{self.package.name}: {size / 2**20:.0f} MB")
        self.assertLess(size, 150 * 2**20)
        self.assertFalse((SOURCE / "plugins/vscode/server").exists())   # nothing stays among the sources


if __name__ == "__main__":
    unittest.main()
