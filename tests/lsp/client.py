"""A client of the language server for tests: speaks the protocol over stdio and keeps what is on screen."""
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
from urllib.parse import quote

BUILD = Path(__file__).resolve().parents[2] / "build"
BINARIES = Path(os.environ.get("HEDDLE_BINARIES", BUILD / "bin"))
FAKE_ENGINE = os.environ.get("HEDDLE_FAKE_ENGINE", str(BUILD / "tests/daemon/fake_engine"))

FULL = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "dataSupport": True,
                               "tagSupport": {"valueSet": [1, 2]}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                       "disabledSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "codeLens": {"refreshSupport": True}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "experimental": {"heddle": {"notifications": True, "interleavingView": True}},
}


RACE = "int x;\n  x++; // fake: at aa0000000001\n"   # what the scripted engine finds


def starts(diagnostics):
    return sorted((d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in diagnostics)


def utf16(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def uri_of(path):
    return "file://" + quote(str(path))


class Client:
    def __init__(self, environment, binary=None):
        self.process = subprocess.Popen([binary or str(BINARIES / "heddle"), "lsp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.inbox = queue.Queue()
        self.messages = []          # everything that came, in order
        self.diagnostics = {}       # uri -> params of the last publishDiagnostics
        self.status = {}            # project -> params
        self.findings = {}
        self.requests = []          # of the server
        self.settings = None        # answer to workspace/configuration
        self.next_id = 0
        self.answers = {}
        self.lock = threading.Condition()
        self.ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    with self.lock:
                        self.ended = True
                        self.lock.notify_all()
                    return
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self._heard(json.loads(out.read(length)))

    def _heard(self, message):
        with self.lock:
            self.messages.append(message)
            method, params = message.get("method"), message.get("params")
            if method == "textDocument/publishDiagnostics":
                self.diagnostics[params["uri"]] = params
            elif method == "heddle/status" and params.get("gone"):
                self.status.pop(params["project"], None)
            elif method == "heddle/status":
                self.status[params["project"]] = params
            elif method == "heddle/findings":
                self.findings[params["project"]] = params
            elif method and "id" in message:
                self.requests.append(message)
                result = None
                if method == "workspace/configuration":
                    result = [self.settings for _ in params["items"]]
                if method == "workspace/applyEdit":
                    result = {"applied": True}
                self.raw({"id": message["id"], "result": result})
            elif "id" in message and not method:
                self.answers[json.dumps(message["id"])] = message
            self.lock.notify_all()

    def bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def raw(self, message):
        message = dict(message, jsonrpc="2.0")
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params=None):
        self.raw({"method": method, "params": params if params is not None else {}})

    def send(self, method, params=None, identifier=None):
        self.next_id += 1
        identifier = identifier if identifier is not None else self.next_id
        self.raw({"id": identifier, "method": method, "params": params if params is not None else {}})
        return identifier

    def wait(self, condition, seconds=60, what="condition"):
        end = time.monotonic() + seconds
        with self.lock:
            while True:
                value = condition()
                if value:
                    return value
                left = end - time.monotonic()
                if left <= 0 or (self.ended and not condition()):
                    raise AssertionError(f"{what} did not come; last messages: "
                                         + "\n".join(json.dumps(m)[:600] for m in self.messages[-8:]))
                self.lock.wait(left)

    def answer(self, identifier, seconds=60):
        return self.wait(lambda: self.answers.get(json.dumps(identifier)), seconds, f"answer to {identifier}")

    def ask(self, method, params=None):
        message = self.answer(self.send(method, params))
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']}")
        return message["result"]

    def error(self, method, params=None):
        message = self.answer(self.send(method, params))
        assert "error" in message, message
        return message["error"]

    def initialize(self, capabilities=FULL, options=None):
        """Only saves are checked, unless `options` say something else."""
        result = self.ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities,
                                         "initializationOptions": {"run": "save", **(options or {})}})
        self.notify("initialized")
        return result

    def open(self, path, text=None, version=1):
        text = Path(path).read_text() if text is None else text
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri_of(path), "languageId": "c",
                                                              "version": version, "text": text}})

    def change(self, path, version, changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri_of(path), "version": version},
                                               "contentChanges": changes})

    def save(self, path, text=None):
        if text is not None:
            Path(path).write_text(text)
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def shown(self, path):
        with self.lock:
            return list(self.diagnostics.get(uri_of(path), {}).get("diagnostics", []))

    def wait_shown(self, path, condition, seconds=60):
        self.wait(lambda: condition(self.diagnostics.get(uri_of(path), {}).get("diagnostics", [])), seconds,
                  f"diagnostics of {path}")
        return self.shown(path)

    def wait_verdict_of_save(self, path, seconds=60):
        """Until the project of the file that was saved last has a verdict about it. From when the server has taken in the
        save until then, its status says that a check runs or waits."""
        taken_in = self.answer(self.send("heddle/rule", {"rule": "data-race"}))   # answered at once
        begin = self.messages.index(taken_in)
        def judged():
            told = [m["params"] for m in self.messages[begin:] if m.get("method") == "heddle/status"]
            return any(s.get("verdict") and not s["running"] and uri_of(path).startswith(s["project"]) for s in told if not s.get("gone"))
        self.wait(judged, seconds, f"a verdict of the save of {path}")

    def wait_idle(self, seconds=60):
        """Until every project has a verdict that is newer than all that was sent before this call."""
        self.ask("heddle/memoryUsage")   # everything before it has been taken in
        def quiet():
            return self.status and all(s["phase"] in ("idle", "down") and not s["running"] for s in self.status.values())
        self.wait(quiet, seconds, "idle")
        # A save and publishing wait a moment for more. An answer says that the server's timers up to now have run.
        for _ in range(2):
            time.sleep(0.1)
            self.ask("heddle/memoryUsage")
            self.wait(quiet, seconds, "idle")

    def stop(self):
        if self.process.poll() is None:
            try:
                self.send("shutdown")
                self.notify("exit")
                self.process.wait(20)
            except (BrokenPipeError, OSError, subprocess.TimeoutExpired):
                self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except OSError:
                pass


class LanguageServerTest(unittest.TestCase):
    """A folder and a daemon of its own per test."""
    engine = None   # None: the fake one

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="heddle-lsp-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)   # also when stopping fails
        self.project = self.directory / "p"
        self.project.mkdir()
        self.environment = dict(os.environ, HEDDLE_RUNTIME_DIR=str(self.directory / "run"), GRPC_VERBOSITY="NONE",
                                HEDDLE_IDLE_EXIT="60")
        self.environment.pop("HEDDLE_ENGINE", None)
        if self.engine is None:
            self.environment["HEDDLE_ENGINE"] = FAKE_ENGINE
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.stop()
        subprocess.run([str(BINARIES / "heddle"), "daemon", "stop"], env=self.environment, capture_output=True)

    def client(self, initialize=True, capabilities=FULL, options=None):
        client = Client(self.environment)
        self.clients.append(client)
        if initialize:
            client.initialize(capabilities, options)
        return client

    def write(self, name, text):
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def daemon_pid(self):
        return int((self.directory / "run" / "heddled.lock").read_text().split()[0])
