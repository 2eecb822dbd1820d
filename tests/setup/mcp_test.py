"""`heddle mcp` by its protocol: what a program asks, and what it is told."""
import json
import subprocess
import unittest

from fresh_user import HEDDLE, RACY, FreshUser

RIGHT = RACY.replace("x++; return p;", "return p;")


class Mcp(FreshUser):
    def setUp(self):
        super().setUp()
        self.write("racy.c", RACY)
        self.server = subprocess.Popen([HEDDLE, "mcp"], cwd=self.project, env=self.environment, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.end)
        self.count = 0

    def end(self):
        self.server.stdin.close()
        self.assertEqual(self.server.wait(timeout=20), 0)
        self.server.stdout.close()

    def send(self, line):
        self.server.stdin.write(line + "\n")
        self.server.stdin.flush()

    def read(self):
        return json.loads(self.server.stdout.readline())

    def ask(self, method, **parameters):
        self.count += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}))
        answer = self.read()
        self.assertEqual((answer["jsonrpc"], answer["id"]), ("2.0", self.count))
        return answer

    def call(self, name, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)["result"]

    def test_begins_with_the_revision_that_is_asked_for(self):
        for asked, answered in (("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999", "2025-06-18")):
            result = self.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={})["result"]
            self.assertEqual(result["protocolVersion"], answered)
            self.assertEqual(result["serverInfo"]["name"], "heddle")
        self.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # no answer
        self.assertEqual(self.ask("ping")["result"], {})

    def test_a_finding_its_interleaving_and_a_fix(self):
        found = self.call("check", files=["racy.c"])
        self.assertEqual(found["structuredContent"], {"exitCode": 1, "verdict": "findings"})
        self.assertFalse(found["isError"])
        text = found["content"][0]["text"]
        self.assertIn("data race on 'x'", text)
        identity = text.split("finding ")[1][:12]
        listed = self.call("findings", files=["racy.c"])["content"][0]["text"]
        self.assertIn(identity, listed)
        steps = self.call("interleaving", id=identity, files=["racy.c"])["content"][0]["text"]
        self.assertIn("create thread", steps)
        tried = self.call("try_patch", texts=[{"path": "racy.c", "text": RIGHT}])
        self.assertEqual(tried["structuredContent"]["verdict"], "clear", tried["content"][0]["text"])
        self.assertEqual((self.project / "racy.c").read_text(), RACY, "nothing is written")
        again = self.call("check", files=["racy.c"])
        self.assertEqual(again["structuredContent"]["verdict"], "findings", "nothing is remembered")

    # Of programs of their own, and of two files of one program, of which one starts the threads of both.
    def test_findings_are_those_of_the_files(self):
        def listed(*files):
            return self.call("findings", **({"files": list(files)} if files else {}))["content"][0]["text"]

        other = RACY.replace("x", "y")
        self.write("other.c", other)
        for name in ("racy.c", "other.c"):
            self.assertEqual(self.call("check", files=[name])["structuredContent"]["verdict"], "findings")
        self.assertIn("race on 'x'", listed("racy.c"))
        self.assertNotIn("race on 'y'", listed("racy.c"))
        self.assertIn("race on 'y'", listed("other.c"))
        self.assertNotIn("race on 'x'", listed("other.c"))
        for name in ("racy.c", "other.c"):
            (self.project / name).unlink()
        self.write("main.c", "#include <pthread.h>\nint x;\nvoid *signal_all(void *);\n"
                             "int main(void) { pthread_t a, b; pthread_create(&a, 0, signal_all, 0);\n"
                             "pthread_create(&b, 0, signal_all, 0); x++; pthread_join(a, 0); x++;\n"
                             "pthread_join(b, 0); return x; }\n")
        self.write("signal.c", "extern int x;\nint y;\nvoid *signal_all(void *p) { y++; if (p) x++; return p; }\n")
        self.write("compile_commands.json", json.dumps([
            {"directory": str(self.project), "file": name, "command": f"cc -c {name}"} for name in ("main.c", "signal.c")]))
        self.assertEqual(self.call("check")["structuredContent"]["verdict"], "findings")
        self.assertIn("race on 'y'", listed())
        self.assertIn("race on 'y'", listed("signal.c"))
        self.assertEqual(listed("main.c").strip(), "no open findings")

    def test_a_patch_that_does_not_compile(self):
        tried = self.call("try_patch", texts=[{"path": "racy.c", "text": "int main(void) { return x; }"}])
        self.assertTrue(tried["isError"])
        self.assertEqual(tried["structuredContent"], {"exitCode": 4, "verdict": "error"})
        self.assertIn("racy.c:1", tried["content"][0]["text"])
        tried = self.call("try_patch", texts=[{"path": "new.c", "text": RACY}])  # is not on the disk yet
        self.assertEqual(tried["structuredContent"], {"exitCode": 1, "verdict": "findings"})
        self.assertFalse((self.project / "new.c").exists(), "nothing is written")
        emptied = self.call("try_patch", texts=[{"path": "racy.c", "text": ""}])
        self.assertTrue(emptied["isError"])
        self.assertIn("no file defines main()", emptied["content"][0]["text"])

    def test_tools_say_what_they_take(self):
        tools = {tool["name"]: tool for tool in self.ask("tools/list")["result"]["tools"]}
        self.assertEqual(sorted(tools), ["check", "findings", "fix", "interleaving", "try_patch", "why"])
        for tool in tools.values():
            schema = tool["inputSchema"]
            self.assertEqual(schema["type"], "object")
            self.assertLessEqual(set(schema["required"]), set(schema["properties"]))

    def test_mistakes_are_answered(self):
        for line, code in (("nonsense", -32700), ("[]", -32600), ("{}", -32600),
                           ('{"jsonrpc":"2.0","id":7,"method":"none"}', -32601),
                           ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}', -32602),
                           ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}', -32602),
                           ('{"jsonrpc":"2.0","id":[[7]],"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600)):
            self.send(line)
            self.assertEqual(self.read()["error"]["code"], code, line)
        for name, arguments, words in (("chek", {}, "no tool 'chek'"), ("interleaving", {}, "needs `id`"),
                                       ("check", {"files": "racy.c"}, "`files`"), ("check", {"fast": True}, "`fast`"),
                                       ("check", {"files": ["--output=x"]}, "--output"),
                                       ("check", {"files": ["racy.c\0.c"]}, "is no file"),
                                       ("interleaving", {"id": "", "files": ["racy.c"]}, "is no file, place or id"),
                                       ("fix", {}, "needs `id`"), ("why", {"place": ""}, "is no file, place or id"),
                                       ("check", {"folder": "/nowhere/at/all"}, "does not exist"),
                                       ("try_patch", {"texts": []}, "`texts`"),
                                       ("try_patch", {"texts": [{"path": "racy.c"}]}, "`texts`"),
                                       ("try_patch", {"texts": [{"path": "", "text": ""}]}, "`texts`"),
                                       ("try_patch", {"texts": [{"path": "-x", "text": ""}]}, "`texts`")):
            error = self.ask("tools/call", name=name, arguments=arguments)["error"]
            self.assertEqual(error["code"], -32602)
            self.assertIn(words, error["message"])
        # What a client says of itself may hold anything: it gets the newest revision.
        for version in (1, None, ["2025-06-18"], {}):
            answer = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={})
            self.assertEqual(answer["result"]["protocolVersion"], "2025-06-18")
        missing = self.call("check", files=["absent.c"])
        self.assertTrue(missing["isError"])
        self.assertEqual(missing["structuredContent"]["exitCode"], 2)


if __name__ == "__main__":
    unittest.main()
