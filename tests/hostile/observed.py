"""A victim: a checkout beside files that are nobody's business, and a look at all that happened to them."""
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

import corpus

BINARIES = pathlib.Path(os.environ.get("HEDDLE_BINARIES", "build/bin")).resolve()
ONLY = os.environ.get("HEDDLE_HOSTILE", "")          # runs the inputs whose name contains it
ALL = os.environ.get("HEDDLE_HOSTILE_ALL", "") == "1"  # runs the expensive tables as a whole
COMPILE_SECONDS = 3
SECONDS = 45       # for one run, on a busy machine; the limits inside are far smaller
MEMORY = 2 << 30   # bytes, for each process
STRACE = shutil.which("strace")
CALLS = ("openat,open,creat,execve,execveat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,"
         "symlink,symlinkat,truncate,chmod,fchmodat")
RACY = """#include <pthread.h>
int x;
void *t(void *p) { x++; return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x++; pthread_join(a, 0); return 0; }
"""


def wanted(name):
    return ONLY in str(name)


def sample(inputs, every):
    """All of them, or every so many where not all are asked for."""
    return list(inputs) if ALL or ONLY else list(inputs)[::every]


class Observed(unittest.TestCase):
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
        self.addCleanup(self.stop_daemon)

    def stop_daemon(self):
        if (self.top / "run").exists():
            subprocess.run([BINARIES / "heddle", "daemon", "stop"], env=self.environment(), capture_output=True, timeout=60)

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
        (project / "link_of_link").symlink_to("link")
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

    def database(self, project, entries):
        self.put(project, "compile_commands.json", json.dumps(
            [{"directory": str(project), "file": file, "arguments": ["clang", *flags, "-c", file]}
             for file, flags in entries]))

    def environment(self, **more):
        env = {key: value for key, value in os.environ.items() if not key.startswith(("HEDDLE_", "XDG_", "GIT_"))}
        return env | {"HOME": str(self.home), "HEDDLE_RUNTIME_DIR": str(self.top / "run"), "GRPC_VERBOSITY": "NONE",
                      "HEDDLE_COMPILE_SECONDS": str(COMPILE_SECONDS)} | more

    def watched(self, observed=True):
        """What goes before a command whose calls are looked at."""
        return [STRACE, "-f", "--seccomp-bpf", "-qq", "-o", str(self.top / "trace"), "-s", "300", "-e", "trace=" + CALLS] \
            if STRACE and observed else []

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

    def look_at_calls(self, project):
        """No call that succeeded changed or ran anything that is not Heddle's."""
        if not STRACE:
            return
        own = [str(project / ".cache"), str(self.home / ".cache"), str(self.home / ".local"), str(self.top / "run"),
               "/dev/null", "/proc/self/oom_score_adj", "/dev/tty"]
        for line in (self.top / "trace").read_text(errors="replace").splitlines():
            if re.search(r"= -1 E|resumed|unfinished|\+\+\+|---", line):
                continue
            call = line.split(None, 1)[-1]
            path = (re.findall(r'"([^"]*)"', call) or [""])[0]
            if call.startswith(("execve", "execveat")):
                self.assertTrue(path.startswith(str(BINARIES)) or path == "/proc/self/exe", line)
            elif call.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", call):
                self.assertFalse(path.startswith(str(self.outside / "secret")), line)
            elif not path.startswith("/") and not call.startswith("connect"):
                continue  # by the descriptor of a folder, which was opened before
            elif call.startswith("connect"):
                self.assertIn(str(self.top), call)
            else:
                self.assertTrue(any(path.startswith(prefix) for prefix in own), line)

    def run_heddle(self, *arguments, project=None, observed=True, **environment):
        project = project or self.project
        watch = self.watched(observed)
        before = self.seen()
        begin = time.monotonic()
        result = subprocess.run(watch + [BINARIES / "heddle", *arguments], cwd=project,
                                env=self.environment(**environment), timeout=SECONDS * 4, stdin=subprocess.DEVNULL,
                                capture_output=True)
        self.took = time.monotonic() - begin
        self.assertEqual(self.seen(), before)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, MEMORY)
        self.assertIn(result.returncode, (0, 1, 2, 3, 4), result.stderr[-2000:])
        if watch:
            self.look_at_calls(project)
        return result
