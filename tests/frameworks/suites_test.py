"""What `heddle check` finds in each case of a suite is what the suite's first lines say: suites_test.py SUITE."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.path.join(os.environ["HEDDLE_BINARIES"], "heddle")


def check(folder, *arguments):
    """The events of a check, and its exit code."""
    run = subprocess.run([HEDDLE, "check", "--no-daemon", "--format=jsonl", *arguments], cwd=folder,
                         capture_output=True, text=True, check=False)
    events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return events, run.returncode, run.stdout + run.stderr


def expected(path):
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^// CASE (.+?): ((?:clear|none|inconclusive|data-race|assertion)\b.*)$", file.read(), re.M)
    assert lines, path
    return dict(lines)


def explored_whole(scope, case):
    of_case = [part for part in scope.split(" | ") if f":{case}: " in part]
    return len(of_case) == 1 and "step 2 complete (all interleavings)" in of_case[0]


def identities(events):
    """By case: the ids of its data races."""
    found = {}
    for event in events:
        if event["type"] == "finding" and event["rule"] == "data-race":
            found.setdefault(event["target"].partition(":")[2], set()).add(event["id"])
    return found


def findings_of(events):
    """By case: the findings, and whether the verdict says that all interleavings were explored."""
    found = {}
    scope = "".join(event["scope"]["summary"] for event in events if event["type"] == "verdict")
    for event in events:
        case = event.get("target", "").partition(":")[2]
        if not case:
            continue
        entry = found.setdefault(case, {"findings": [], "explored": explored_whole(scope, case)})
        if event["type"] == "finding":
            entry["findings"].append(event["rule"] + " " + event["message"])
    return found


def compare(suite, folder):
    wanted = expected(os.path.join(folder, suite))
    events, _, output = check(folder, suite)
    found = findings_of(events)
    problems = []
    for case, what in wanted.items():
        seen = found.pop(case, None)
        if what == "none":
            right = seen is None
        elif what.startswith("inconclusive "):  # by the limit of this name
            right = seen is not None and not seen["findings"] and not seen["explored"] and what[13:] in output
        elif what == "clear":
            right = seen is not None and not seen["findings"] and seen["explored"]
        else:
            right = seen is not None and any(one.startswith(what) for one in seen["findings"])
            right = right and all(one.startswith(what.split(" ")[0]) or one.startswith("assertion")
                                  for one in seen["findings"])
        if not right:
            problems.append(f"{case}: wanted {what}, found {seen}")
    problems += [f"{case}: not expected at all" for case in found]
    if re.search("heddle_(boost_)?case", output):
        problems.append("a name that only the macros know is shown")
    assert not problems, "\n".join(problems) + "\n" + output[-2000:]


def choose_one_case(suite, folder):
    wanted = expected(os.path.join(folder, suite))
    case = next(name for name, what in wanted.items() if what == "clear")
    events, code, output = check(folder, suite, "--test", case)
    assert code == 0 and list(findings_of(events)) == [case], output[-2000:]
    _, code, output = check(folder, suite, "--test", case[:-1] + "x")
    assert code == 2 and f"'{case}' is near" in output, output[-2000:]
    for alone in [name for name, what in wanted.items() if what == "none" and "thread" in name.lower()]:
        _, code, output = check(folder, suite, "--test", alone)
        assert code == 2 and f"the test case '{alone}' cannot start a thread" in output, output[-2000:]


def edit_one_case(suite, folder):
    """An edit of the wrong case, and of lines above the others, explores nothing in the others."""
    path = os.path.join(folder, suite)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    changed = text.replace("  TwoStepCounter counter;\n", "  TwoStepCounter counter;\n  counter.add();\n", 1)
    changed = changed.replace('#include "counter.h"\n', '#include "counter.h"\n\n// One line more.\n')
    assert changed.count("\n") > text.count("\n") + 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed)
    events, _, output = check(folder, suite)
    explored = {event["target"].partition(":")[2] for event in events if event["type"] == "pair_started"}
    clear = {case for case, what in expected(path).items() if what == "clear"}
    assert explored and not explored & clear, f"{explored}\n{output[-2000:]}"


def copies(folder):
    """A project's own copy of Catch2 is replaced, and cases of one text are told apart; a version without a model is
    compiled as it is, and named."""
    test = '#include "catch.hpp"\n#include "counter.h"\n' \
           'TEST_CASE("copy") { TwoStepCounter counter; CHECK(count_twice(counter) == 2); }\n'
    same = ""
    for name in ("old", "brand new", "brand new/1:2"):
        same += f'TEST_CASE("{name}") {{ int n = 0; std::thread t([&] {{ ++n; }}); ++n; t.join(); }}\n'
    with open(os.path.join(folder, "catch.hpp"), "w", encoding="utf-8") as file:
        file.write("// Catch v2.13.10\n#error the copy itself is not read\n")
    ids = []
    for above in ("", "\n" * 8):  # lines 4 to 6, then 12 to 14
        with open(os.path.join(folder, "copy_test.cc"), "w", encoding="utf-8") as file:
            file.write(above + test + same)
        events, code, output = check(folder, "copy_test.cc")
        assert code == 1 and "copy" in findings_of(events), output[-2000:]
        ids.append(identities(events))
    assert len(ids[0]) == 3 and len(set.union(*ids[0].values())) == 3 and ids[0] == ids[1], ids
    with open(os.path.join(folder, "copy_test.cc"), "w", encoding="utf-8") as file:
        file.write(test)
    with open(os.path.join(folder, "catch.hpp"), "w", encoding="utf-8") as file:
        file.write("// Catch v1.12\n#ifdef CATCH_CONFIG_MAIN\n#endif\n#define TEST_CASE(name) int main()\n"
                   "#define CHECK(x) if (!(x)) __builtin_abort()\n")
    _, code, output = check(folder, "copy_test.cc")
    assert code == 1 and "Catch2 of versions 2 and 3" in output, output[-2000:]


HEADERS = {"googletest": ("gtest/gtest.h", "TEST(Names, Headers)", "Names.Headers"),
           "catch2": ("catch2/catch_test_macros.hpp", "TEST_CASE(\"headers\")", "headers"),
           "doctest": ("doctest/doctest.h", "TEST_CASE(\"headers\")", "headers"),
           "googlemock": ("gmock/gmock.h", "TEST(Names, Headers)", "Names.Headers"),
           "boost": ("boost/test/unit_test.hpp", "BOOST_AUTO_TEST_CASE(headers)", "headers")}


def names_of_headers(suite, folder):
    """A test uses what the framework's headers include; a header that is missing is the one that is named."""
    header, begin, case = HEADERS[suite.partition("_")[0]]
    path = os.path.join(folder, "names_test.cc")
    text = (f"#include <{header}>\nstatic std::atomic<int> n;\n{begin} {{\n  std::mutex m;\n  std::thread t([&] {{ "
            "std::lock_guard<std::mutex> g(m); ++n; });\n  std::cout << n << std::endl;\n  t.join();\n  "
            "std::unique_ptr<int> p(new int(n));\n}\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    events, code, output = check(folder, "names_test.cc")
    assert code == 0 and list(findings_of(events)) == [case] and "test framework: " not in output, output[-2000:]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#include <{header}>\n#include \"made_by_the_build.h\"\n" + text)
    _, code, output = check(folder, "names_test.cc")
    assert code == 4 and "'made_by_the_build.h' file not found" in output and f"'{header}' file" not in output, output[-2000:]


def main():
    suite = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "project")
        shutil.copytree(os.path.join(HERE, "programs"), folder)
        os.environ.update(HEDDLE_STATE_DIR=os.path.join(scratch, "state"), HEDDLE_CACHE_DIR=os.path.join(scratch, "cache"))
        compare(suite, folder)
        choose_one_case(suite, folder)
        if suite.startswith("catch2"):
            copies(folder)
        edit_one_case(suite, folder)
        names_of_headers(suite, folder)


main()
