"""The corpus is as large as it is said to be."""
import unittest

import corpus
import messages

TABLES = {
    "flags in a database": len(corpus.FLAGS), "flags, while typing": len(corpus.FLAGS), "sources": len(corpus.SOURCES),
    "sources, while typing": len(corpus.SOURCES), "settings": len(corpus.SETTINGS), "databases": len(corpus.DATABASES),
    "names": len(corpus.NAMES), "names through the hook": len(corpus.NAMES), "revisions": len(corpus.REVISIONS),
    "commands of git": len(corpus.GIT_COMMANDS), "bytes for the language server": len(messages.FRAMING),
    "messages for the language server": len(messages.MESSAGES)}
DIFFERENT = ("flags in a database", "sources", "settings", "databases", "names", "revisions", "commands of git",
             "bytes for the language server", "messages for the language server")


class Size(unittest.TestCase):
    def test_inputs(self):
        for name, count in TABLES.items():
            print(f"{count:5}  {name}")
        different = sum(TABLES[name] for name in DIFFERENT)
        print(f"{different:5}  different inputs, {sum(TABLES.values())} with the ways they are given")
        self.assertGreaterEqual(different, 350)
        self.assertGreaterEqual(len(messages.FRAMING) + len(messages.MESSAGES), 50)


if __name__ == "__main__":
    unittest.main()
