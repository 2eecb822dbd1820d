"""Reads a litmus program back as a script of tests/explore/graph.litmus, so that both can be compared word for word."""
import re

ORDERS = {"relaxed": "rlx", "acquire": "acq", "release": "rel", "acq_rel": "acq_rel", "seq_cst": "sc"}
NAMES = ["first", "second", "third", "fourth", "fifth"]
# C++ and mutexes in the words of C's atomics.
SPELLINGS = [
    (r"std::", ""),
    (r"atomic_ref<int>\((\w)\)", r"\1"),
    (r"memory_order_(\w+)", lambda match: ORDERS[match[1]]),
    (r"(\w)\.(store|load|fetch_add|exchange|compare_exchange_strong)\(", r"atomic_\2_explicit(&\1, "),
    (r"pthread_mutex_(lock|unlock)\(&(\w)\)", r"\1 \2"),
    (r"(\w)\.(lock|unlock)\(\)", r"\2 \1"),
    (r"thread \w+_thread\((\w+)\)|pthread_create\(&\w+_thread, NULL, (\w+), NULL\)", r"create \1\2"),
    (r"(\w+)_thread\.join\(\)|pthread_join\((\w+)_thread, NULL\)", r"join \1\2"),
]
STATEMENTS = [
    (r"atomic_thread_fence\((\w+)\)", r"fence \1"),
    (r"atomic_store_explicit\(&(\w), (.+), (\w+)\)", r"\1=\2 \3"),
    (r"(\w+) = atomic_load_explicit\(&(\w), (\w+)\)", r"\1=\2 \3"),
    (r"(\w+) = atomic_fetch_add_explicit\(&(\w), (\d+), (\w+)\)", r"\1=add \2 \3 \4"),
    (r"(\w+) = atomic_exchange_explicit\(&(\w), (\d+), (\w+)\)", r"\1=swap \2 \3 \4"),
    (r"(\w+) = (\d+) then atomic_compare_exchange_strong_explicit\(&(\w), &?\1, (\d+), (\w+), (\w+)\)",
     r"\1=cas \3 \2 \4 \5 \6"),
    (r"(\w+) = (.+)", r"\1=\2 plain"),
    (r"((?:lock|unlock|create|join) \w+)", r"\1"),
]


class Script:
    """The threads of a program, each a list of statements, and the outcome of its assertion."""

    def __init__(self, source, created):
        """created: main is a thread of the script, and creates the others in the midst of its work."""
        text = re.sub(r"^(//|#).*\n", "", source, flags=re.M)
        for pattern, words in SPELLINGS:
            text = re.sub(pattern, words, re.sub(r"\s+", " ", text))
        text = text.replace("; atomic_compare", " then atomic_compare")  # its expected value belongs to it
        bodies = dict(re.findall(r"\b(\w+)\((?:void ?\* ?unused|void)?\) \{ (.*?) \}(?= (?:static|int) |\s*$)", text))
        main = self._statements(bodies.pop("main"))
        self.names = ["main"] * created + NAMES
        self.threads = [self._in_script(name, self._statements(bodies[name])) for name in NAMES[:len(bodies)]]
        if created:
            self.threads.insert(0, self._in_script("main", main[:-1]))
        else:
            self.create_and_join = self._in_script("main", main[:-1])
        self.outcome = self._outcome(main[-1])

    def _statements(self, body):
        """Simple statements; `if` stays a line of its own, with the number of statements that depend on it."""
        body = re.sub(r"if \((\w+) == (\d+)\) (?:\{ (.*?) \}|([^;]*;))", self._condition, body)
        lines = [line.strip() for line in body.split(";")]
        return [line for line in lines if line and not re.fullmatch(r"return \w+|pthread_t .*", line)]

    @staticmethod
    def _condition(match):
        block = match[3] or match[4]
        return f"unless {match[1]} {match[2]} skip {block.count(';')}; {block}"

    def _in_script(self, thread, lines):
        return [self._words(thread, self._statement(line)) for line in lines]

    @staticmethod
    def _statement(line):
        if line.startswith("unless"):
            return line
        for pattern, words in STATEMENTS:
            if re.fullmatch(pattern, line):
                return re.sub(pattern, words, line)
        raise ValueError(f"no statement of a script: {line}")

    def _words(self, thread, line):
        """Registers lose the name of their thread, threads become numbers."""
        line = re.sub(rf"\b{thread}_(r\d)\b", r"\1", line).replace(" + ", "+")
        return re.sub(r"(create|join) (\w+)", lambda match: f"{match[1]} {self.names.index(match[2])}", line)

    def _outcome(self, assertion):
        conditions = re.fullmatch(r"assert\(!\((.*)\)\)", assertion)[1].split(" && ")
        return {self._place(place) + "=" + value for place, value in (part.split(" == ") for part in conditions)}

    def _place(self, text):
        register = re.fullmatch(r"(\w+)_(r\d)", text)
        if register:
            return f"{self.names.index(register[1])}:{register[2]}"
        return re.sub(r"atomic_load_explicit\(&(\w), rlx\)", r"\1", text)


def threads_of(text):
    """The statements in the text of a script. A sum with 0 is the register itself."""
    return [[statement.strip().replace("+0 ", " ") for statement in thread.split(";")] for thread in text.split("|")]
