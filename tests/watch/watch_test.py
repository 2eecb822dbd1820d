"""`heddle watch` notices every change of what a check depends on, not only saves of the files that it names."""
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", BUILD / "bin")).resolve() / "heddle")
PROGRAM = """#include <pthread.h>
#if __has_include("optional.h")
#include "optional.h"
#endif
#include "lock.h"
#ifndef SKIP
#define SKIP 0
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *p) { if (!SKIP) TAKE; x++; if (!SKIP) GIVE; return p; }
int main(int n, char **words) {
  pthread_t a; pthread_create(&a, 0, t, 0); if (n < 2) TAKE; x++; if (n < 2) GIVE; pthread_join(a, 0); return 0;
}
"""
LOCKS = "#define TAKE pthread_mutex_lock(&m)\n#define GIVE pthread_mutex_unlock(&m)\n"
NO_LOCKS = "#define TAKE (void)0\n#define GIVE (void)0\n"
SECONDS = 60


class Watch(unittest.TestCase):
    polling = False

    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="heddle-watch-"))
        self.addCleanup(shutil.rmtree, self.top, True)
        self.project = self.top / "project"
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment |= {"HEDDLE_RUNTIME_DIR": str(self.top / "run"), "HOME": str(self.top)}
        if self.polling:
            self.environment["HEDDLE_WATCH"] = "poll"
        self.addCleanup(lambda: subprocess.run([HEDDLE, "daemon", "stop"], env=self.environment, capture_output=True))
        self.verdicts = queue.Queue()
        self.put("m.c", PROGRAM)

    def put(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def database(self, *flags):
        self.put("compile_commands.json", json.dumps([{"directory": str(self.project), "file": "m.c", "arguments": [
            "cc", *flags, "-c", "m.c"]}]))

    def watch(self, *arguments):
        process = subprocess.Popen([HEDDLE, "watch", "--format=jsonl", *arguments], cwd=self.project, text=True,
                                   env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def read():
            for line in process.stdout:
                event = json.loads(line)
                if event.get("type") == "verdict" and not event.get("target"):
                    self.verdicts.put(event)
        threading.Thread(target=read, daemon=True).start()

    def expect(self, verdict):
        end = time.monotonic() + SECONDS
        seen = []
        while time.monotonic() < end:
            try:
                event = self.verdicts.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                break
            seen.append(event.get("verdict", event.get("kind")))
            if seen[-1] == verdict:
                time.sleep(0.1)  # what comes after it is another change's
                return
        self.fail(f"no verdict {verdict}; there were {seen}")

    def test_a_swapped_link_of_a_folder(self):
        old = time.time() - 1000
        for version, text in (("v1", LOCKS), ("v2", NO_LOCKS)):
            os.utime(self.put(f"{version}/lock.h", text), (old, old))
        (self.project / "now").symlink_to("v1")
        self.database("-Inow")
        time.sleep(0.1)
        self.watch()
        self.expect("clear")
        (self.project / "next").symlink_to("v2")
        os.replace(self.project / "next", self.project / "now")
        self.expect("findings")

    def test_a_swapped_link_of_a_file(self):
        self.put("good.h", LOCKS), self.put("bad.h", NO_LOCKS)
        (self.project / "lock.h").symlink_to("good.h")
        self.database()
        self.watch()
        self.expect("clear")
        (self.project / "lock.h").unlink()
        (self.project / "lock.h").symlink_to("bad.h")
        self.expect("findings")

    def test_an_older_file_that_is_moved_into_place(self):
        self.put("lock.h", LOCKS)
        old = time.time() - 1000
        os.utime(self.put("other.h", NO_LOCKS), (old, old))
        self.database()
        self.watch()
        self.expect("clear")
        os.replace(self.project / "other.h", self.project / "lock.h")
        self.expect("findings")

    def test_a_header_that_appears(self):
        self.put("lock.h", LOCKS)
        self.database()
        self.watch()
        self.expect("clear")
        self.put("optional.h", "#define SKIP 1\n")
        self.expect("findings")

    def test_a_header_that_shadows_another(self):
        self.put("second/lock.h", LOCKS)
        (self.project / "first").mkdir()
        self.database("-Ifirst", "-Isecond")
        self.watch()
        self.expect("clear")
        self.put("first/lock.h", NO_LOCKS)
        self.expect("findings")

    def test_a_header_that_was_missing(self):
        self.database()
        self.watch()
        self.expect("error")
        self.put("lock.h", NO_LOCKS)
        self.expect("findings")

    def test_changed_commands(self):
        self.put("lock.h", LOCKS)
        self.database()
        self.watch()
        self.expect("clear")
        self.database("-DSKIP=1")
        self.expect("findings")

    def test_commands_that_appear(self):
        self.put("lock.h", LOCKS)
        self.watch("m.c")
        self.expect("clear")
        self.database("-DSKIP=1")
        self.expect("findings")

    def test_commands_that_appear_in_a_new_folder(self):
        self.put("lock.h", LOCKS)
        self.watch("m.c")
        self.expect("clear")
        self.put("build/compile_commands.json", json.dumps([{
            "directory": str(self.project), "file": "m.c", "arguments": ["cc", "-DSKIP=1", "-c", "m.c"]}]))
        self.expect("findings")

    def test_flags_that_appear_and_change(self):
        self.put("lock.h", LOCKS)
        self.watch("m.c")
        self.expect("clear")
        self.put("compile_flags.txt", "-DSKIP=1\n")
        self.expect("findings")
        self.put("compile_flags.txt", "-DSKIP=0\n")
        self.expect("clear")

    def test_settings_that_appear_and_change(self):
        self.put("lock.h", LOCKS)
        self.put("m.c", PROGRAM)
        self.database()
        self.watch()
        self.expect("clear")
        self.put(".heddle.yaml", "arguments: [one, two]\n")
        self.expect("findings")
        self.put(".heddle.yaml", "arguments: []\n")
        self.expect("clear")


class Polling(Watch):
    polling = True


if __name__ == "__main__":
    unittest.main()
