"""Small projects whose files come in versions: what an edit, a link or a header makes of them is one of few programs."""

import json
import os

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "config.h"
#include "shared.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int count, other;
static atomic_int ready;
"""
TAIL = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count < 10);
  return 0;
}
"""
# Bodies of a thread, right and wrong, alone and together.
BODIES = [
    "LOCK(&m); count++; UNLOCK(&m);",
    "LOCK(&m); count += STEP; UNLOCK(&m); /* a comment */",
    "count++;",
    "LOCK(&m); LOCK(&n); count++; UNLOCK(&n); UNLOCK(&m);",
    "LOCK(&n); LOCK(&m); count++; UNLOCK(&m); UNLOCK(&n);",
    "LOCK(&m); count++; other = 1; UNLOCK(&m); help();",
    "LOCK(&m); assert(count < 2); count++; UNLOCK(&m);",
    "if (atomic_exchange(&ready, 1) == 0) { LOCK(&m); count++; UNLOCK(&m); }",
    "LOCK(&m); count = 10 / (STEP - 1); UNLOCK(&m);",
]
HELPERS = ["void help(void) { }", "extern int other; void help(void) { other++; }"]
SHARED = [
    "#define LOCK(x) pthread_mutex_lock(x)\n#define UNLOCK(x) pthread_mutex_unlock(x)\nvoid help(void);\n",
    "#define LOCK(x) (void)(x)\n#define UNLOCK(x) (void)(x)\nvoid help(void);\n",
]
CONFIGS = ["#define STEP 2\n", "#define STEP 1\n"]


class Project:
    """`count` of the main file is the program's; a helper unit touches it or not."""

    def __init__(self, folder, random):
        self.folder, self.random = folder, random
        self.state = {"first": 0, "second": 1, "helper": 0, "shared": 0, "config": 0, "early": None, "link": False}
        os.makedirs(os.path.join(folder, "first_include"), exist_ok=True)
        os.makedirs(os.path.join(folder, "include"), exist_ok=True)
        commands = [{"directory": folder, "file": name, "arguments": ["cc", "-Ifirst_include", "-Iinclude", "-c", name]}
                    for name in ("main.c", "helper.c")]
        self.write("compile_commands.json", json.dumps(commands))
        self.write_all()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        if os.path.islink(path):
            os.unlink(path)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)

    def write_all(self):
        state = self.state
        main = HEAD + "static void *first(void *p) { %s return p; }\nstatic void *second(void *p) { %s return p; }\n" % (
            BODIES[state["first"]], BODIES[state["second"]]) + TAIL
        helper = HELPERS[state["helper"]]
        if state["link"]:  # the file is a link to one of two, swapped
            name = "main_%d.c" % self.random.randrange(2)
            self.write(name, main)
            link = os.path.join(self.folder, "main.c")
            if os.path.lexists(link + ".link"):
                os.unlink(link + ".link")
            os.symlink(name, link + ".link")
            os.replace(link + ".link", link)
        else:
            self.write("main.c", main)
        self.write("helper.c", helper + "\n")
        self.write("include/shared.h", SHARED[state["shared"]])
        self.write("include/config.h", CONFIGS[state["config"]])
        early = os.path.join(self.folder, "first_include", "config.h")
        if state["early"] is not None:  # a header that shadows another
            self.write("first_include/config.h", CONFIGS[state["early"]])
        elif os.path.exists(early):
            os.unlink(early)

    def edit(self):
        """Another version of something; what was changed, in words."""
        what = self.random.choice(["first", "second", "first", "second", "helper", "shared", "config", "early", "link"])
        choices = {"first": range(len(BODIES)), "second": range(len(BODIES)), "helper": range(2), "shared": range(2),
                   "config": range(2), "early": [None, 0, 1], "link": [False, True]}[what]
        self.state[what] = self.random.choice(list(choices))
        self.write_all()
        return f"{what} = {self.state[what]}"

    def version(self):
        return tuple(self.state[k] for k in ("first", "second", "helper", "shared")) + (
            self.state["config"] if self.state["early"] is None else self.state["early"],)
