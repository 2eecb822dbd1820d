"""A Slurm cluster of one node on this machine, for as long as a test lasts: munged, slurmctld and slurmd in a folder."""
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")


def missing():
    """What is not installed, or cannot be used by this user."""
    paths = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    absent = [name for name in PROGRAMS if shutil.which(name, path=paths) is None]
    return absent if os.geteuid() == 0 else absent + ["the user root"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, folder, cpus=2):
        self.folder = Path(folder)
        self.cpus = cpus
        self.running = []
        # A job that names no file for its output leaves none in the current folder.
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
                            "SBATCH_OUTPUT": str(self.folder / "job-%j.out")}

    def __enter__(self):
        try:
            self.write()
            self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                       f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                       f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed")
            self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D", "-i")
            self.start("slurmd", "-D", "-N", "node")
            self.wait(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"), "a node")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            process.terminate()
        for process in reversed(self.running):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def write(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(256))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={socket.gethostname().split('.')[0]}(127.0.0.1)
SlurmctldPort={free_port()}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=1
MinJobAge=30
NodeName=node NodeHostname={socket.gethostname().split('.')[0]} NodeAddr=127.0.0.1 Port={free_port()} CPUs={self.cpus}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")

    def start(self, program, *arguments):
        path = shutil.which(program, path=self.environment["PATH"])
        with open(self.folder / f"{program}.out", "wb") as out:
            self.running.append(subprocess.Popen([path, *arguments], env=os.environ | self.environment, stdout=out,
                                                 stderr=subprocess.STDOUT, cwd=self.folder))

    def ask(self, *command):
        return subprocess.run(command, env=os.environ | self.environment, capture_output=True, text=True,
                              timeout=30).stdout

    def wait(self, done, what, seconds=60):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end or any(p.poll() is not None for p in self.running):
                logs = "\n".join(f"{f.name}:\n{f.read_text(errors='replace')[-1500:]}"
                                 for f in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"the cluster has no {what}:\n{logs}")
            time.sleep(0.2)
