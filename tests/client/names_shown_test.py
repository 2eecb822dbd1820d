"""Names of C++ programs in everything that the client prints: those of the user's text, never a mangled one, an object of
the C++ library, a file of its headers or an absolute path. And `heddle pairs FILE` is about FILE."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")

MANGLED = re.compile(r"\b_Z[A-Za-z0-9]|anonymous class|__cxa_|__cxxabi|\._M_|\b_M_[a-z]|vtable for|\.__data\b")
LIBRARY = re.compile(r"generic_instance|::temporary|_State_impl|\b(new_allocator|std_thread|exceptions|shared_ptr_base)\.(h|cc)\b")

ACCOUNT = """#include <mutex>
#include <thread>
class Account {
 public:
  void deposit(int n) { std::lock_guard<std::mutex> guard(mutex_); balance_ += n; }
  void withdraw(int n) { balance_ -= n; }
 private:
  std::mutex mutex_;
  int balance_ = 0;
};
int main() {
  Account account;
  std::thread a([&] { account.deposit(3); });
  std::thread b([&] { account.withdraw(2); });
  a.join();
  b.join();
}
"""
CACHE = """#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
namespace shop {
struct Item { int price = 0; };
class Cache {
 public:
  void insert(int key) { std::lock_guard lock(mutex_); items_[key] = std::make_shared<Item>(); }
  int size() { return static_cast<int>(items_.size()); }
 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Item>> items_;
};
}
int main() {
  auto cache = std::make_unique<shop::Cache>();
  std::thread t([&] { cache->insert(1); });
  int n = cache->size();
  t.join();
  return n > 1;
}
"""
SIGNAL = """#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
struct Queue {
  std::mutex mutex;
  std::condition_variable filled;
  std::queue<int> jobs;
  void put(int n) { std::lock_guard lock(mutex); jobs.push(n); }
  int take() {
    std::unique_lock lock(mutex);
    filled.wait(lock, [this] { return !jobs.empty(); });
    int n = jobs.front();
    jobs.pop();
    return n;
  }
};
int main() {
  Queue queue;
  std::thread taker([&queue] { queue.take(); });
  queue.put(1);
  taker.join();
}
"""
PROGRAMS = {"account.cpp": ACCOUNT, "cache.cpp": CACHE, "signal.cpp": SIGNAL}


class Client(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-names-shown-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"),
                                COLUMNS="400")

    def heddle(self, *arguments, code=None):
        result = subprocess.run([HEDDLE, arguments[0], "--no-daemon", "--color=never", *arguments[1:]], cwd=self.folder,
                                env=self.environment, capture_output=True, text=True, timeout=120)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result


class NamesShown(Client):
    def names_are_the_users(self, text, path=True):
        for line in text.splitlines():
            self.assertNotRegex(line, MANGLED)
            self.assertNotRegex(line, LIBRARY)
            if path:
                self.assertNotIn(str(self.folder), line)

    def test_text(self):
        for name, text in PROGRAMS.items():
            with self.subTest(program=name):
                (self.folder / name).write_text(text)
                self.names_are_the_users(self.heddle("check", "--verbose", name, code=1).stdout)
                self.names_are_the_users(self.heddle("pairs", name, code=0).stdout)
                (self.folder / name).write_text(text.replace("int main() {\n", "int main() {\n  int unused = 3;\n  (void)unused;\n"))
                self.names_are_the_users(self.heddle("check", name).stdout)
                self.names_are_the_users(self.heddle("why", name, code=0).stdout)

    def test_machine_readable(self):
        for name, text in list(PROGRAMS.items())[:2]:
            with self.subTest(program=name):
                (self.folder / name).write_text(text)
                for line in self.heddle("check", "--format=jsonl", name, code=1).stdout.splitlines():
                    told = json.loads(line)
                    if told["type"] == "diffed":
                        self.names_are_the_users("\n".join(told["relevantObjects"] + [p["reason"] for p in told["pairs"]]))
                        self.assertTrue(told["relevantObjects"])
                        self.names_are_the_users("\n".join(f["description"] for f in told["fragments"]))
                        self.assertIn("new: lambda in main", [f["description"] for f in told["fragments"]])
                    if told["type"] == "finding":
                        words = [told["message"], *told["story"], *(p["thread"] + p["role"] + p["function"] for p in told["places"])]
                        words += [step["summary"] for step in told["trace"] or [] if step["detail"] < 3]
                        self.names_are_the_users("\n".join(words))
                sarif = json.loads(self.heddle("show", "--format=sarif", "", name).stdout)
                self.assertTrue(sarif["runs"][0]["results"])
                for result in sarif["runs"][0]["results"]:
                    self.names_are_the_users(result["message"]["text"])
                    for place in result["locations"] + result.get("relatedLocations", []):
                        self.names_are_the_users(json.dumps(place), path=True)

    def test_objects_that_both_threads_use_are_named(self):
        (self.folder / "account.cpp").write_text(ACCOUNT)
        self.heddle("check", "account.cpp", code=1)
        text = self.heddle("pairs", code=0).stdout
        self.assertRegex(text, r"Account::withdraw also uses main::account\.balance_")
        self.assertRegex(text, r"main also uses main::account\.mutex_, main::account\.balance_")

    def test_pairs_of_a_file_are_of_its_targets(self):
        for name in ("account.cpp", "signal.cpp"):
            (self.folder / name).write_text(PROGRAMS[name])
            self.heddle("check", name, code=1)
        both = self.heddle("pairs", code=0).stdout
        self.assertEqual(sorted(re.findall(r"(?m)^target (\S+)", both)), ["account", "signal"])
        for name in ("account", "signal"):
            self.assertEqual(re.findall(r"(?m)^target (\S+)", self.heddle("pairs", name + ".cpp", code=0).stdout), [name])
        (self.folder / "other.cpp").write_text(CACHE)
        never = self.heddle("pairs", "other.cpp", code=2)
        self.assertIn("other.cpp", never.stderr)
        self.assertIn("check", never.stderr)
        self.assertEqual(never.stdout, "")
        self.assertEqual(self.heddle("pairs", "absent.cpp", code=2).stdout, "")

    def test_pairs_of_what_does_not_compile(self):
        """The error and its place: in a file that never compiled, in one that did, and in a header."""
        broken = "#include \"shared.h\"\nint main() { return 0 }\n"
        (self.folder / "shared.h").write_text("")
        (self.folder / "broken.cpp").write_text(broken)
        for checked in (False, True):
            for command in ("pairs", "why"):
                with self.subTest(command=command, checked=checked):
                    never = self.heddle(command, "broken.cpp", code=4)
                    self.assertIn("broken.cpp:2:", never.stdout)
                    self.assertIn("error: expected ';'", never.stdout)
                    self.assertEqual(never.stderr, "heddle: broken.cpp does not compile: nothing is known of its threads\n")
                    lines = [json.loads(line) for line in self.heddle(command, "broken.cpp", "--format=jsonl", code=4).stdout.splitlines()]
                    self.assertEqual([line["type"] for line in lines], ["diagnostic", "verdict"])
                    self.assertEqual((lines[1]["error"], lines[0]["line"]), ("build", 2))
            self.heddle("check", "broken.cpp", code=4)
        self.assertIn("broken.cpp:2:", self.heddle("why", "broken.cpp:2", code=4).stdout)
        self.assertEqual(self.heddle("why", "absent.cpp:2", code=2).stdout, "")

    def test_a_text_that_no_program_has_is_not_checked(self):
        """`--overlay` of a file that nothing uses: it may be wrong, and nothing was said of it."""
        (self.folder / "account.cpp").write_text(ACCOUNT.replace("balance_ -= n", "deposit(-n)"))
        (self.folder / "new.cpp").write_text(CACHE)
        (self.folder / "used.h").write_text("")
        self.heddle("check", "account.cpp", code=0)
        self.heddle("check", "account.cpp", "--overlay=account.cpp=account.cpp", code=0)
        unused = self.heddle("check", "account.cpp", "--overlay=other.cpp=new.cpp", code=3).stdout
        self.assertIn("the text given for other.cpp was not checked: no program that was checked has that file", unused)
        self.assertIn("inconclusive", unused)
        (self.folder / "account.cpp").write_text("#include \"used.h\"\n" + (self.folder / "account.cpp").read_text())
        self.heddle("check", "account.cpp", "--overlay=used.h=used.h", code=0)
        racy = (self.folder / "account.cpp").read_text().replace("deposit(-n)", "balance_ -= n")
        (self.folder / "racy.cpp").write_text(racy)
        both = self.heddle("check", "account.cpp", "--overlay=account.cpp=racy.cpp", "--overlay=other.cpp=new.cpp", "--verbose", code=1)
        self.assertIn("was not checked", both.stdout)


SHARED = """#include <pthread.h>
int count;
static void *worker(void *p) { count++; return p; }
void run(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  count++;
  pthread_join(t, 0);
}
"""


class OneFindingOfTwoPrograms(Client):
    """Code that two programs share has one finding with one id: what is about one of them says so."""
    def setUp(self):
        super().setUp()
        for name, text in (("lib.c", SHARED), ("one.c", "void run(void);\nint main(void) { run(); return 0; }\n"),
                           ("two.c", "void run(void);\nint main(void) { run(); return 1; }\n")):
            (self.folder / name).write_text(text)
        (self.folder / "compile_commands.json").write_text(json.dumps([
            {"directory": str(self.folder), "file": name, "arguments": ["cc", "-c", name]} for name in ("lib.c", "one.c", "two.c")]))
        lines = [json.loads(line) for line in self.heddle("check", "--format=jsonl", code=1).stdout.splitlines()]
        self.ids = {line["id"] for line in lines if line["type"] == "finding"}
        self.assertEqual(len(self.ids), 1)
        self.id = self.ids.pop()

    def test_what_is_about_one_names_the_programs(self):
        for command in (["show", self.id, "--as-test"], ["show", self.id, "--before", "2,1"], ["replay", self.id]):
            told = self.heddle(*command, code=2)
            self.assertIn("open in 2 programs: one, two", told.stdout + told.stderr, command)
            self.assertIn("--target", told.stdout + told.stderr, command)
            line = json.loads(self.heddle(*command, "--format=jsonl", code=2).stdout.splitlines()[-1])
            self.assertEqual((line["type"], line["verdict"], line["error"]), ("verdict", "error", "usage"), command)
            self.assertIn("open in 2 programs: one, two", line["message"], command)
            self.assertEqual(self.heddle(*command, "--target", "one").returncode in (0, 1), True, command)
            nobody = self.heddle(*command, "--target", "three", code=2)
            self.assertIn("no program 'three'", nobody.stdout + nobody.stderr, command)

    def test_all_of_them_are_shown_with_their_programs(self):
        text = self.heddle("show", self.id, code=0).stdout
        self.assertRegex(text, r"(?s)target one .*2 programs: --target.*target two ")
        lines = [json.loads(line) for line in self.heddle("show", self.id, "--format=jsonl", code=0).stdout.splitlines()]
        self.assertEqual({line["target"] for line in lines}, {"one", "two"})
        self.assertNotIn("target two", self.heddle("show", self.id, "--target", "one", code=0).stdout)


if __name__ == "__main__":
    unittest.main()
