"""`heddle config`, and the schemas against what the engine accepts and what Heddle prints."""
import json
import re
import unittest
from pathlib import Path

import jsonschema
import yaml

from fresh_user import FreshUser, RACY

SOURCE = Path(__file__).resolve().parents[2]
LARGE = """#include <pthread.h>
#define WORKERS 7
static pthread_mutex_t m[4];
static int shared[4];
static void *work(void *p) {
  for (int i = 0; i < 6; ++i) {
    int n = (i * (int)(long)p + i) % 4;
    pthread_mutex_lock(&m[n]);
    shared[n] = shared[n] * 3 + (int)(long)p;
    pthread_mutex_unlock(&m[n]);
  }
  return 0;
}
int main(void) {
  pthread_t t[WORKERS];
  for (long i = 0; i < WORKERS; ++i) pthread_create(&t[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < WORKERS; ++i) pthread_join(t[i], 0);
  return 0;
}
"""
UNKNOWN = RACY.replace("x++; pthread_join", "extern int sensor(void); if (sensor()) x++; pthread_join")
# What .heddle.yaml may hold, and what it may not. The engine is asked about each, and the schema.
WEAK = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static int data;
static void *writer(void *p) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen = atomic_load_explicit(&ready, memory_order_acquire) ? data : 0;
  pthread_join(t, 0);
  return seen;
}
"""
SETTINGS = """
version: 1
---
version: 2
---
arguments: [a, {one-of: [b, c]}, unknown, 3]
---
arguments: a
---
arguments: [{one-of: []}]
---
arguments: [{one-off: [a]}]
---
stdin: some text
---
stdin: {file: input.txt}
---
stdin: [a]
---
connections: {unknown: {count: 2, length: 3}}
---
connections: {unknown: {length: 3}}
---
connections: {unknown: {count: 17}}
---
environment: {HOME: /home/user, DEBUG: {one-of: [~, "1"]}}
---
environment: [HOME]
---
files: [input.txt, {path: words.txt, text: a b}, {path: /etc/app.conf, from: input.txt}]
---
files: [{path: words.txt, from: input.txt, text: a}]
---
files: {path: words.txt}
---
files: [{path: words.txt}]
---
models: [model.c]
---
models: [model.py]
---
suppressions: [{rule: data-race, reason: fine}]
---
suppressions: [{rule: [data-race, deadlock], reason: fine, owner: ann, until: "2027-01-01", function: f, path: a.c}]
---
suppressions: [{rules: data-race, reason: fine}]
---
unknown-externals: fresh
---
unknown-externals: maybe
---
unknown-externals: {default: stop, sensor: fresh}
---
unknown-externals: {sensor: maybe}
---
unknown-externals: {sensor: {fresh: {min: 0}}}
---
unknown-externals: {sensor: {fresh: {min: 0, max: 3}}}
---
environment: {A: ~}
---
memory-model: RC11
---
{unknown-data: sampled, memory-model: tso, ignore: [lib], time-limits: {pairs: 5, all: 2min}}
---
time-limits: {pairs: 0}
---
time-limits: {pairs: 5 days}
---
argumens: [a]
""".strip().split("\n---\n")


class Config(FreshUser):
    def setUp(self):
        super().setUp()
        self.write("a.c", RACY)
        self.write("input.txt", "x")
        self.write("model.c", "int sensor(void) { return 1; }\n")
        self.database("a.c")

    def database(self, *files):
        entries = [{"directory": str(self.project), "file": name, "command": f"cc -c {name}"} for name in files]
        self.write("compile_commands.json", json.dumps(entries))

    def settings(self):
        return {line["name"]: line for line in self.json_lines("config", code=0)}

    def schema(self, name):
        schema = json.loads(self.heddle("config", "--schema", name, code=0).stdout)
        jsonschema.Draft7Validator.check_schema(schema)
        return jsonschema.Draft7Validator(schema)

    def test_origins(self):
        self.assertEqual({line["origin"] for line in self.settings().values()} - {"environment"}, {"default"})
        self.git("init", "-q")
        self.git("config", "heddle.budget", "3")
        self.write(".heddle.yaml", "\n\nunknown-externals: fresh\narguments: [a]\n")
        self.environment["HEDDLE_STEP1_SECONDS"] = "4"
        found = self.settings()
        self.assertEqual((found["unknown-externals"]["value"], found["unknown-externals"]["line"]), ("fresh", 3))
        self.assertEqual(found["unknown-externals"]["file"], str(self.project / ".heddle.yaml"))
        self.assertEqual((found["arguments"]["value"], found["arguments"]["line"]), (["a"], 4))
        self.assertEqual((found["heddle.budget"]["value"], found["heddle.budget"]["origin"]), ("3", "git"))
        variable = found["HEDDLE_STEP1_SECONDS"]
        self.assertEqual((variable["value"], variable["origin"]), ("4", "environment"))
        text = self.heddle("config", code=0).stdout
        self.assertRegex(text, r"unknown-externals +fresh +\(\.heddle\.yaml:3\)")
        self.assertRegex(text, r"stdin +none +\(default\)")

    def test_the_inner_file_replaces_and_the_outer_one_is_read_within_git_only(self):
        self.write("in/.heddle.yaml", "arguments: [inner]\n")
        self.write(".heddle.yaml", "arguments: [outer]\nstdin: outer\n")
        (self.project / "compile_commands.json").rename(self.project / "in/compile_commands.json")
        top = self.project
        self.project = top / "in"
        self.assertIsNone(self.settings()["stdin"]["value"])
        self.project = top
        self.git("init", "-q")
        self.project = top / "in"
        found = self.settings()
        self.assertEqual((found["arguments"]["value"], found["stdin"]["value"]), (["inner"], "outer"))

    def test_values_that_an_inner_file_replaces_are_not_shown(self):
        self.git("init", "-q")
        top = self.project
        self.write(".heddle.yaml", "unknown-data: sampled\nmemory-model: tso\nunknown-externals: fresh\n"
                                   "time-limits: {pairs: 5, all: 6}\nfiles: [input.txt, {path: w, text: a}]\n"
                                   "environment: {A: a}\nignore: [x]\n")
        self.write("in/.heddle.yaml", "unknown-data: symbolic\nmemory-model: ra\nunknown-externals: {default: stop}\n"
                                      "time-limits: {pairs: 7}\nfiles: [{path: w, text: b}]\n"
                                      "environment: {A: b}\nignore: [y]\n")
        (top / "compile_commands.json").rename(top / "in/compile_commands.json")
        self.project = top / "in"
        found = [(line["name"], line["value"]) for line in self.json_lines("config", code=0) if line["origin"] == "file"]
        self.assertEqual(sorted(found, key=lambda row: row[0]), [
            ("environment", {"A": "b"}), ("files", ["input.txt"]), ("files", [{"path": "w", "text": "b"}]),
            ("ignore", ["x"]), ("ignore", ["y"]), ("memory-model", "ra"), ("time-limits", {"all": "6"}),
            ("time-limits", {"pairs": "7"}), ("unknown-data", "symbolic"), ("unknown-externals", {"default": "stop"})])

    def test_what_counts_of_clangd_files(self):
        self.write(".clangd", "Diagnostics: {Suppress: x}\nCompileFlags:\n  Add: [-DA]\n  CompilationDatabase: out\n"
                              "---\nIf: {PathMatch: src/.*}\nCompileFlags: {Remove: -I}\n")
        found = {line["name"]: line for line in self.json_lines("config", code=0) if line["name"].startswith(".clangd")}
        self.assertEqual({name.split(".")[-1]: (line["value"], line["line"]) for name, line in found.items()},
                         {"Add": (["-DA"], 3), "CompilationDatabase": ("out", 4), "Remove": ("-I", 7)})
        self.assertIn('if {"PathMatch":"src/.*"}', found[".clangd: CompileFlags.Remove"]["meaning"])
        self.assertIn("not followed: name the folder with -p", self.heddle("config", code=0).stdout)
        self.write(".clangd", "CompileFlags: {Add: [}\n")
        self.assertRegex(self.heddle("config", code=2).stderr, r"\.clangd:1:2\d: ")

    def of_user(self, text, folder=".config"):
        file = self.top / folder / "heddle/config.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def test_the_user_has_settings_for_all_projects(self):
        self.write("b.c", UNKNOWN)
        self.assertEqual(self.heddle("check", "--no-daemon", "b.c").returncode, 3)
        file = self.of_user("unknown-externals: fresh\narguments: [mine]\nstdin: mine\n")
        self.assertEqual(self.heddle("check", "--no-daemon", "b.c").returncode, 1)   # a race behind the unknown function
        found = self.settings()
        self.assertEqual((found["stdin"]["value"], found["stdin"]["file"], found["stdin"]["line"]), ("mine", str(file), 3))
        self.write(".heddle.yaml", "arguments: [ours]\nunknown-externals: stop\n")
        found = self.settings()
        self.assertEqual((found["arguments"]["value"], found["stdin"]["value"]), (["ours"], "mine"))
        self.assertEqual(self.heddle("check", "--no-daemon", "b.c").returncode, 3)   # the project's word counts
        file.unlink()
        self.assertIsNone(self.settings()["stdin"]["value"])

    def test_the_folder_of_the_users_settings(self):
        self.environment["XDG_CONFIG_HOME"] = str(self.top / "other")
        self.of_user("stdin: wrong\n")
        file = self.of_user("stdin: right\n", "other")
        self.assertEqual((self.settings()["stdin"]["value"], self.settings()["stdin"]["file"]), ("right", str(file)))
        self.environment["XDG_CONFIG_HOME"] = "relative"   # is no folder: the rules of the place say so
        self.assertEqual(self.settings()["stdin"]["value"], "wrong")

    def test_a_mistyped_key_of_the_user_is_told_with_what_was_meant(self):
        file = self.of_user("\nunknown-external: fresh\n")
        said = self.heddle("check", "--no-daemon", "a.c", code=2).stdout
        self.assertIn(f"{file}:2:1: error: unknown key 'unknown-external'", said)
        self.assertEqual(said.count("unknown key"), 1, said)
        self.assertIn(f"error: {file} cannot be used: see line 2", said)
        self.assertIn("did you mean 'unknown-externals'?", said)
        self.assertRegex(self.heddle("config", code=0).stdout, "unknown-external +fresh .*\n +not a key: did you mean 'unknown-externals'")
        self.write(".heddle.yaml", "suppresions: []\n")
        file.unlink()
        self.assertIn("did you mean 'suppressions'?", self.heddle("config", code=0).stdout)
        self.assertIn("did you mean 'suppressions'?", self.heddle("check", "--no-daemon", "a.c", code=2).stdout)

    def test_the_users_files_are_beside_the_users_settings(self):
        file = self.of_user("stdin: {file: words.txt}\n")
        (file.parent / "words.txt").write_text("words")
        self.assertNotEqual(self.heddle("check", "--no-daemon", "a.c").returncode, 2)
        self.of_user("stdin: {file: ../../p/a.c}\n")
        self.assertIn("lies outside", self.heddle("check", "--no-daemon", "a.c", code=2).stdout)

    def test_a_change_of_the_users_settings_counts_in_the_next_check(self):
        self.write("b.c", UNKNOWN)
        self.assertEqual(self.heddle("check", "b.c").returncode, 3)
        self.of_user("unknown-externals: fresh\n")
        self.assertEqual(self.heddle("check", "b.c").returncode, 1)

    def test_broken_settings_have_a_place(self):
        self.write(".heddle.yaml", "a: [\n")
        self.assertRegex(self.heddle("config", code=2).stderr, r"\.heddle\.yaml:\d+:\d+: ")

    def test_all_variables_are_there_with_the_defaults_of_the_source(self):
        listed = self.settings()
        text = "".join(path.read_text() for folder in ("server", "client") for path in (SOURCE / folder).rglob("*.cc")
                       if path.parent.name != "config")
        self.assertEqual({name for name in listed if name.startswith("HEDDLE_")},
                         set(re.findall(r'"(HEDDLE_[A-Z0-9_]+)"', text)))
        header = (SOURCE / "server/engine/settings/settings.h").read_text()
        pairs = re.findall(r'read_variable\("(\w+)", s\.(\w+), s\.notes\)',
                           (SOURCE / "server/engine/settings/settings.cc").read_text())
        compared = 0
        for variable, member in pairs:
            default = re.search(rf"\b{member} = (\d+);", header)
            if default and "HEDDLE_" + variable[7:] not in self.environment:
                self.assertEqual(listed[variable]["value"], default[1], variable)
                compared += 1
        self.assertGreaterEqual(compared, 7)

    def test_the_schema_of_settings_agrees_with_the_engine(self):
        validator = self.schema("settings")
        accepted = []
        for text in SETTINGS:
            self.write(".heddle.yaml", text + "\n")
            code = self.heddle("check", "--no-daemon", "a.c").returncode
            accepted.append(code != 2)
            self.assertEqual(validator.is_valid(yaml.safe_load(text)), code != 2, text)
        self.assertIn(True, accepted)
        self.assertIn(False, accepted)

    def test_the_documented_settings_are_valid(self):
        page = (SOURCE / "docs/SETTINGS.md").read_text()
        example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.S)[1])
        self.schema("settings").validate(example)
        keys = json.loads(self.heddle("config", "--schema", "settings").stdout)["properties"]
        for key in keys:
            self.assertIn(f"| `{key}` |", page)

    def test_every_line_that_is_printed_is_in_the_schema(self):
        validator = self.schema("jsonl")
        self.write("b.c", UNKNOWN)
        seen = set()
        for command in (["check", "--no-daemon", "a.c"], ["check", "--no-daemon", "b.c"], ["check", "nothing.c"],
                        ["check", "a.c"], ["show"], ["pairs"], ["status"], ["config"], ["doctor"], ["full", "a.c"]):
            lines = self.json_lines(*command)
            self.assertTrue(lines, command)
            for line in lines:
                errors = [error.message for error in validator.iter_errors(line)]
                self.assertEqual(errors, [], f"{command}: {line['type']}")
                seen.add(line["type"])
        finding = next(line for line in self.json_lines("check", "a.c") if line["type"] == "finding")
        for line in self.json_lines("show", finding["id"], "--before", "2,1"):
            validator.validate(line)
            seen.add(line["type"])
        self.write("c.c", "// heddle: ignore[data-race]\n" + RACY)
        self.write("a.c", "int x = ;\n")
        for line in self.json_lines("check", "c.c") + \
                self.json_lines("check", "a.c", code=4):
            validator.validate(line)
            seen.add(line["type"])
        self.write("a.c", RACY)
        self.write("d.c", WEAK)
        lines = self.json_lines("fix", "a.c") + self.json_lines("weaken", "d.c")
        self.write("e.c", LARGE)
        lines += self.json_lines("check", "--no-daemon", "--time-limit=10", "e.c", code=3)
        (self.project / "compile_commands.json").unlink()
        self.write("counted.h", "struct Counted {\n  void add() { ++count; }\n  int count = 0;\n};\n")
        for line in lines + self.json_lines("harness", "Counted", "counted.h"):
            validator.validate(line)
            seen.add(line["type"])
        types = {reference["$ref"].rsplit("/", 1)[1] for reference in validator.schema["oneOf"]}
        self.assertEqual(types - seen, set())


if __name__ == "__main__":
    unittest.main()
