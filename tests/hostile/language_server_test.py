"""What a checkout may do to the language server that opens it, and a client that sends nonsense.

A project of hostile flags is opened, edited and saved under observation. Bytes and messages that no client should send
must not end the server, nor keep it from ending.
"""
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import time
import unittest
from urllib.parse import quote

import corpus
import messages
from observed import BINARIES, RACY, SECONDS, Observed, sample, wanted


class Server:
    """heddle-lsp, and what it says."""

    def __init__(self, watch, folder, env):
        self.process = subprocess.Popen([*watch, BINARIES / "heddle-lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=folder, env=env)
        self.heard, self.asked, self.status = queue.Queue(), 1000, {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            out.readline()
            message = json.loads(out.read(length))
            if message.get("method") == "heddle/status":
                self.status[message["params"]["project"]] = message["params"]
            self.heard.put(message)

    def send(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def tell(self, method, params=None, **more):
        self.send(messages.frame(messages.message(method, params, **more)))

    def ask(self, method, params=None, seconds=SECONDS):
        self.asked += 1
        self.tell(method, params, id=self.asked)
        end = time.monotonic() + seconds
        while True:
            message = self.heard.get(timeout=max(0.001, end - time.monotonic()))
            if message.get("id") == self.asked and "method" not in message:
                return message

    def begin(self, **settings):
        self.ask("initialize", {"capabilities": {"experimental": {"heddle": {"notifications": True}}},
                                "initializationOptions": settings})
        self.tell("initialized", {})

    def wait_for_checks(self, seconds=SECONDS * 2):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.ask("heddle/scope", {})
            if self.status and all(one["phase"] in ("idle", "down") and not one["running"] for one in self.status.values()):
                return
            time.sleep(0.2)

    def end(self, seconds=SECONDS, meanwhile=lambda: None):
        """At the end of its input. Calls `meanwhile` now and then until it has ended."""
        begin = time.monotonic()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        code = None
        while code is None and time.monotonic() < begin + seconds:
            try:
                code = self.process.wait(2)
            except subprocess.TimeoutExpired:
                meanwhile()
        if code is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        return code, time.monotonic() - begin


class LanguageServer(Observed):
    def uri(self, path):
        return "file://" + quote(os.fsencode(path))

    def open(self, server, path, text):
        server.tell(messages.OPEN, {"textDocument": {"uri": self.uri(path), "languageId": "c", "version": 1, "text": text}})

    def parsers(self):
        """The processor time of each parsing process of this test, by its number."""
        out = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (process / "comm").read_text() == "heddle-typing\n" and \
                        str(self.top).encode() in (process / "environ").read_bytes():
                    stat = (process / "stat").read_text().rsplit(")", 1)[1].split()
                    out[process.name] = int(stat[11]) + int(stat[12]) + (stat[0] == "R")
            except OSError:
                pass  # it ended meanwhile
        return out

    def wait_for_parsers(self, seconds=5):
        """What was asked of them is answered, or given up."""
        end, last = time.monotonic() + seconds, None
        while time.monotonic() < end:
            now = self.parsers()
            if now and now == last:
                return
            last = now
            time.sleep(0.06)

    def test_flags(self):
        flags = [flags for flags in sample(corpus.FLAGS, 3) if wanted(flags)]
        for first in range(0, len(flags), 40):
            project = self.new_project(f"flags{first}")
            for name, text in corpus.HEADERS_OF_RESPONSES.items():
                self.put(project, name, text)
            some = flags[first:first + 40]
            self.database(project, [(f"f{n}.c", [self.fill(flag, project) for flag in one]) for n, one in enumerate(some)])
            texts = {project / f"f{n}.c": f"int x{n};\nint f{n}(void) {{ return x{n}; }}\n" for n in range(len(some))}
            for path, text in texts.items():
                path.write_text(text)
            with self.subTest(first=first):
                before = self.seen()
                server = Server(self.watched(), project, self.environment())
                server.begin(run="change", changeDelayMs=1)
                for path, text in texts.items():
                    self.open(server, path, text)
                    edited = text + "int more;\n"
                    server.tell(messages.CHANGE, {"textDocument": {"uri": self.uri(path), "version": 2},
                                                  "contentChanges": [{"text": edited}]})
                    server.tell(messages.CHANGE, {"textDocument": {"uri": self.uri(path), "version": 3},
                                                  "contentChanges": [{"text": text}]})
                    server.tell(messages.SAVE, {"textDocument": {"uri": self.uri(path)}})
                    server.ask("heddle/scope", {})
                    self.wait_for_parsers()
                server.wait_for_checks()
                # The daemon is observed, too: strace waits for it. A last request may have started it again.
                self.stop_daemon()
                code, took = server.end(meanwhile=self.stop_daemon)
                self.assertIn(code, (0, 1))
                self.assertEqual(self.seen(), before)
                self.look_at_calls(project)

    def one_message(self, name, data, understood):
        path = self.put(self.project, "a.c", RACY)
        places = {b"{uri}": self.uri(path).encode(), b"{folder}": self.uri(self.project).encode()}
        data = re.sub(rb"\{uri\}|\{folder\}", lambda found: places[found[0]], data)
        server = Server([], self.project, self.environment())
        server.begin(run="never")
        self.open(server, path, RACY)
        server.send(messages.frame(data) if understood else data)
        if understood:
            server.ask("heddle/scope", {})
        code, took = server.end()
        self.assertIn(code, (0, 1), name)
        self.assertLess(took, SECONDS / 3, name)

    def test_framing(self):
        for name, data in messages.FRAMING.items():
            if wanted(name):
                with self.subTest(name=name):
                    self.one_message(name, data, False)

    def test_messages(self):
        for name, body in messages.MESSAGES.items():
            if wanted(name):
                with self.subTest(name=name):
                    self.one_message(name, body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass"), True)

    def test_before_it_has_begun(self):
        for first in (b"", messages.frame("{}"), messages.frame(messages.message("textDocument/hover", {}, id=1)),
                      messages.frame(messages.message("exit"))):
            with self.subTest(first=first):
                server = Server([], self.project, self.environment())
                server.send(first)
                self.assertIn(server.end()[0], (0, 1))

    def test_a_document_of_30_mb(self):
        line = "int a_variable_of_this_line; /* and a comment that makes it longer */\n"
        text = RACY + line.replace("a_variable", "v") * ((30 << 20) // len(line))
        path = self.put(self.project, "large.c", text)
        server = Server([], self.project, self.environment(HEDDLE_COMPILE_SECONDS="20"))
        server.begin()
        self.open(server, path, text)
        begin = time.monotonic()
        server.ask("heddle/scope", {})
        self.assertLess(time.monotonic() - begin, 10)
        for version in range(2, 6):
            server.tell(messages.CHANGE, {"textDocument": {"uri": self.uri(path), "version": version}, "contentChanges": [
                {"range": messages.span(0, 0, 0, 0), "text": "\n"}]})
            begin = time.monotonic()
            server.ask("heddle/scope", {})
            self.assertLess(time.monotonic() - begin, 5)
        code, took = server.end()
        self.assertIn(code, (0, 1))
        self.assertLess(took, 5)

    def test_sources_while_typing(self):
        """Texts that Clang does not come to an end with, or dies of: the server answers, and parses the next one."""
        for name, text in sample(corpus.SOURCES.items(), 4):
            if not wanted(name):
                continue
            with self.subTest(name=name):
                path = self.put(self.project, name, text)
                server = Server([], self.project, self.environment())
                server.begin(run="never")
                self.open(server, path, text)
                server.ask("heddle/scope", {})
                time.sleep(0.3)
                server.ask("heddle/scope", {})
                code, took = server.end()
                self.assertIn(code, (0, 1))
                self.assertLess(took, SECONDS / 3)
                path.unlink()


if __name__ == "__main__":
    unittest.main()
