"""`heddle nightly --slurm`: on a cluster of one node that is brought up for it, and without any."""
import json
import os
import shutil
import stat
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import slurm_cluster

HEDDLE = str(Path(os.environ["HEDDLE_BINARIES"]) / "heddle")
MISSING = slurm_cluster.missing()
TEXT = """#include <pthread.h>
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) { %s return arg; }
int main(void) {
  pthread_t t[%d];
  for (int i = 0; i < %d; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < %d; i++) pthread_join(t[i], 0);
  return 0;
}
"""
GUARDED = "pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m);"
# Only a search by executions ends: some seconds of it, so that workers have started before.
LARGE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int odd[4];
static const int rounds[4] = {5, 3, 3, 2};
static void *worker(void *arg) {
  for (int k = 0; k < rounds[(long)arg]; k++)
    if (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) % 2) odd[(long)arg]++;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(x == 13);
  return 0;
}
"""
RIGHT, WRONG = TEXT % (GUARDED, 2, 2, 2), TEXT % ("count++;", 2, 2, 2)


class Nightly(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-slurm-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith(("HEDDLE_", "SLURM_", "SBATCH_"))}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"))

    def project(self, texts):
        project = self.folder / "project"
        project.mkdir()
        for name, text in texts.items():
            (project / name).write_text(text)
        (project / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(project), "file": str(project / name), "arguments": ["cc", "-c", name]} for name in texts]))
        return project

    def nightly(self, project, *arguments):
        run = subprocess.run([HEDDLE, "nightly", "--slurm", "--format=jsonl", *arguments], cwd=project,
                             env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertIn(run.returncode, (0, 1, 3), run.stderr)
        return {t["target"]: t for t in json.loads(run.stdout)["targets"]}, run.stderr, run.returncode

    def test_without_a_cluster_it_is_this_machine(self):
        tools = self.folder / "tools"
        tools.mkdir()
        self.environment["PATH"] = str(tools)
        project = self.project({"right.c": RIGHT, "wrong.c": WRONG})
        targets, said, code = self.nightly(project)
        self.assertIn("Slurm is not installed on this machine: all targets are explored on this machine", said)
        self.assertEqual((code, targets["right"]["full"], targets["wrong"]["full"]), (1, "clear", "findings"))
        for text, reason in (("echo 'Unable to contact the controller'; exit 1", "does not answer (Unable to contact"),
                             ("echo 0", "no node of the Slurm cluster is up")):
            (tools / "sinfo").write_text(f"#!/bin/sh\n{text}\n")
            (tools / "sinfo").chmod(stat.S_IRWXU)
            self.assertIn(reason, self.nightly(project)[1])

    def test_what_ends_without_an_answer_is_owed(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in (("sinfo", "echo 1"), ("squeue", "exit 0"), ("scancel", "exit 0"),
                           ("sbatch", 'for last; do :; done; echo 3 > "${last%.sh}.code"; echo 7')):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(stat.S_IRWXU)
        self.environment["PATH"] = str(tools)
        targets, _, code = self.nightly(self.project({"right.c": RIGHT}))
        self.assertEqual((code, targets["right"]["full"], targets["right"]["complete"]), (3, "inconclusive", False))

    @unittest.skipIf(MISSING, "no Slurm to try: " + ", ".join(MISSING))
    def test_jobs_come_back_also_when_they_are_killed(self):
        project = self.project({"right.c": RIGHT, "wrong.c": WRONG})
        (self.folder / "cluster").mkdir()
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            self.environment.update(cluster.environment)
            killed, over = set(), threading.Event()

            def kill():  # each job once, as soon as it runs
                while not over.wait(0.05):
                    for line in cluster.ask("squeue", "-h", "-t", "RUNNING", "-o", "%A %j").splitlines():
                        job, name = line.split(" ", 1)
                        if name not in killed:
                            killed.add(name)
                            cluster.ask("scancel", "--signal=KILL", "--full", job)

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                targets, said, code = self.nightly(project)
            finally:
                over.set()
                killer.join()
        self.assertEqual(killed, {"heddle right", "heddle wrong"})
        self.assertNotIn("this machine", said)
        self.assertEqual((code, targets["right"]["full"], targets["wrong"]["full"]), (1, "clear", "findings"))
        self.assertTrue(all(t["complete"] and t["executions"] == 0 for t in targets.values()), targets)  # here: none
        jobs = project / ".cache" / "heddle" / "nightly" / "slurm"
        self.assertTrue(all((jobs / f"{n}.sqlite").exists() and (jobs / f"{n}.log").exists() for n in (0, 1)))
        self.assertEqual(sorted(project.glob("*.out")), [])  # what jobs say is in their folder
        # The ledger has the answers now.
        again = subprocess.run([HEDDLE, "full", "--no-daemon", "--format=jsonl"], cwd=project, env=self.environment,
                               capture_output=True, text=True, timeout=120)
        last = json.loads(again.stdout.splitlines()[-1])
        self.assertEqual((last["verdict"], last["stats"]["executions"]), ("findings", 0))

    @unittest.skipIf(MISSING, "no Slurm to try: " + ", ".join(MISSING))
    def test_parts_of_a_large_target(self):
        project = self.project({"large.c": LARGE})
        (self.folder / "cluster").mkdir()
        self.environment.update(HEDDLE_PART_SECONDS="0.1", HEDDLE_WEAK_SECONDS="0")
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            self.environment.update(cluster.environment)
            parts = project / ".cache" / "heddle" / "nightly" / "slurm" / "0.parts"
            deaths, over = [0], threading.Event()

            def kill():  # a worker that has taken a part, three times
                while not over.wait(0.02) and deaths[0] < 3:
                    if not list(parts.glob("*.part.*")):
                        continue
                    for line in cluster.ask("squeue", "-h", "-t", "RUNNING", "-o", "%A %j").splitlines():
                        job, name = line.split(" ", 1)
                        if name == "heddle part of large":
                            cluster.ask("scancel", "--signal=KILL", "--full", job)
                            deaths[0] += 1

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                targets, said, code = self.nightly(project)
            finally:
                over.set()
                killer.join()
        self.assertNotIn("this machine", said)
        self.assertGreater(deaths[0], 0)
        self.assertEqual((code, targets["large"]["full"], targets["large"]["complete"]), (0, "clear", True))

    @unittest.skipIf(MISSING, "no Slurm to try: " + ", ".join(MISSING))
    def test_nodes_without_heddle(self):
        project = self.project({"right.c": RIGHT})
        (self.folder / "cluster").mkdir()
        hidden = self.folder / "hidden"
        with slurm_cluster.Cluster(self.folder / "cluster") as cluster:
            self.environment.update(cluster.environment)
            # The job's first look is for the program: here it is gone by then.
            tools = self.folder / "tools"
            tools.mkdir()
            real = shutil.which("sbatch")
            (tools / "sbatch").write_text(
                f"#!/bin/sh\nfor last; do :; done\nsed -i 's|-x .*heddle. ]|-x {hidden} ]|' \"$last\"\nexec {real} \"$@\"\n")
            (tools / "sbatch").chmod(stat.S_IRWXU)
            self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"
            targets, said, code = self.nightly(project)
        self.assertIn("the nodes have neither Heddle nor this folder: right is explored on this machine", said)
        self.assertEqual((code, targets["right"]["full"]), (0, "clear"))


if __name__ == "__main__":
    unittest.main()
