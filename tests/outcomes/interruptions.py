#!/usr/bin/env python3
"""Signals that interrupt another thread, against a model of their own: random programs, all outcomes.

usage: interruptions.py OUTCOME_RUNNER [--seed S] [--count N]

A program has a sender, a thread that is interrupted, and a handler; each does a few loads and stores of atomic
variables, the first two perhaps under a lock, and prints what it read. The model here goes through all interleavings, with the rules that
server/machine/sync/README.md states. It shares nothing with the engine. The exit status is 1 if one set of outcomes
differs; the program is then printed, with its seed.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

VARIABLES = "xyz"
DEFERRALS_MOST = 2  # operations of the thread that may come before the handler
READERS = ("sender", "thread", "handler")


def random_program(rng):
    def operations(least, most):
        return [("store", rng.choice(VARIABLES), rng.randint(1, 3)) if rng.random() < .5 else ("load", rng.choice(VARIABLES))
                for _ in range(rng.randint(least, most))]

    sender, thread = operations(1, 2), operations(1, 3)
    for _ in range(1 if rng.random() < .7 else 2):
        sender.insert(rng.randint(0, len(sender)), ("kill",))
    if rng.random() < .4:
        for code in (sender, thread):
            begin = rng.randint(0, len(code))
            end = rng.randint(begin, len(code))
            code[begin:end] = [("lock",), *code[begin:end], ("unlock",)]
    return sender, thread, operations(1, 2)


class Model:
    """All outcomes of one program. A state is a tuple: see `first`."""

    def __init__(self, sender, thread, handler):
        self.code = {"sender": sender, "thread": thread, "handler": handler}
        self.outcomes, self.seen = set(), set()

    def run(self):
        # Places in the sender, the thread and the handler (None: it does not run), whether a signal waits, whether the
        # next operation comes first, how many have, whether the thread has ended, memory and the holder of the lock, what
        # was read.
        first = (0, 0, None, False, False, 0, False, (0,) * len(VARIABLES) + (None,), ())
        work = [first]
        while work:
            state = work.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            successors = list(self.of_sender(state)) + list(self.of_thread(state))
            work += successors
            if not successors:
                self.outcomes.add(self.printed(state[-1]))
        return self.outcomes

    @staticmethod
    def printed(reads):
        return " ".join("".join(str(value) for who, value in reads if who == reader) for reader in READERS)

    def is_own(self, at):
        """A store to a variable that only the thread uses: no operation, and so none before which a signal could come."""
        used = {operation[1] for who in ("sender", "handler") for operation in self.code[who] if len(operation) > 1}
        operation = self.code["thread"][at]
        return operation[0] == "store" and operation[1] not in used

    def possible(self, who, at, memory):
        return self.code[who][at][0] != "lock" or memory[-1] is None

    def access(self, who, at, memory, reads):
        operation = self.code[who][at]
        if operation[0] in ("lock", "unlock"):
            return memory[:-1] + (who if operation[0] == "lock" else None,), reads
        place = VARIABLES.index(operation[1])
        if operation[0] == "load":
            return memory, reads + ((who, memory[place]),)
        return memory[:place] + (operation[2],) + memory[place + 1:], reads

    def of_sender(self, state):
        at, thread, handler, waits, defers, deferrals, ended, memory, reads = state
        if at == len(self.code["sender"]):
            return
        if self.code["sender"][at][0] == "kill":
            yield at + 1, thread, handler, waits or not ended, defers, deferrals, ended, memory, reads
        elif self.possible("sender", at, memory):
            yield (at + 1, thread, handler, waits, defers, deferrals, ended) + self.access("sender", at, memory, reads)

    def of_thread(self, state):
        sender, at, handler, waits, defers, deferrals, ended, memory, reads = state
        if handler is not None:
            # A signal that has come meanwhile is taken at once.
            following, left = handler + 1, waits
            if following == len(self.code["handler"]):
                following, left = (0, False) if waits else (None, False)
            yield (sender, at, following, left, defers, deferrals, ended) + self.access("handler", handler, memory, reads)
        elif not ended and at < len(self.code["thread"]) and self.is_own(at):
            yield (sender, at + 1, None, waits, defers, deferrals, False) + self.access("thread", at, memory, reads)
        elif not ended and waits and not defers:
            yield sender, at, 0, False, False, 0, False, memory, reads  # it takes the signal
            if at == len(self.code["thread"]):
                yield sender, at, None, False, False, deferrals, True, memory, reads  # too late
            elif deferrals < DEFERRALS_MOST and self.possible("thread", at, memory):
                yield sender, at, None, True, True, deferrals + 1, False, memory, reads
        elif not ended and at < len(self.code["thread"]):
            if not self.possible("thread", at, memory):
                return
            yield (sender, at + 1, None, waits, False, deferrals, False) + self.access("thread", at, memory, reads)
        elif not ended:
            yield sender, at, None, waits, defers, deferrals, True, memory, reads


def source_of(sender, thread, handler):
    def body(operations, who):
        texts = {"store": "{1} = {2};", "load": f"note_{who}({{1}});", "kill": "pthread_kill(t, SIGUSR1);",
                 "lock": "pthread_mutex_lock(&lock);", "unlock": "pthread_mutex_unlock(&lock);"}
        return " ".join(texts[operation[0]].format(*operation) for operation in operations)

    notes = "".join(f"static char read_{who}[32]; static int count_{who};\n"
                    f"static void note_{who}(int value) {{ read_{who}[count_{who}++] = (char)('0' + value); }}\n"
                    for who in READERS)
    return f"""// A random program of interruptions.py.
// OUTCOME: stuck, prints "?"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int {", ".join(VARIABLES)};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t;
{notes}
static void handles(int number) {{ (void)number; {body(handler, "handler")} }}
static void *works(void *p) {{ {body(thread, "thread")} return p; }}
int main(void) {{
  signal(SIGUSR1, handles);
  pthread_create(&t, 0, works, 0);
  {body(sender, "sender")}
  pthread_join(t, 0);
  printf("%s %s %s", read_sender, read_thread, read_handler);
  return 0;
}}
"""


def found_by(runner, source, folder):
    """Search -> outcomes; the searches without a limit."""
    path = os.path.join(folder, "program.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    text = subprocess.run([runner, "--show", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False).stdout
    parts = re.findall(r"^by (executions|states): (.*?)(?=^by |^stated )", text, re.MULTILINE | re.DOTALL)
    return {search: set(re.findall(r'exit 0, prints "(.*)"', part)) for search, part in parts}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.count):
            program = random_program(random.Random(seed))
            expected, found = Model(*program).run(), found_by(given.runner, source_of(*program), folder)
            for search in ("executions", "states"):
                if found.get(search) == expected:
                    continue
                wrong += 1
                print(f"seed {seed}, by {search}: missing {sorted(expected - found.get(search, set()))}, "
                      f"impossible {sorted(found.get(search, set()) - expected)}\n{source_of(*program)}")
    print(f"{given.count} programs from seed {given.seed}, {wrong} sets of outcomes differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
