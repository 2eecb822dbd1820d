"""The completions and the manual page against `heddle --help`, in the shells themselves."""
import re
import shutil
import subprocess
import unittest

from fresh_user import HEDDLE, FreshUser

SHELLS = {shell: shutil.which(shell) for shell in ("bash", "zsh", "fish")}


class Completion(FreshUser):
    def setUp(self):
        super().setUp()
        self.write("a.c", "")
        self.write("folder/b.c", "")
        self.script = {shell: self.heddle("completion", shell, code=0).stdout for shell in SHELLS}

    def bash(self, line):
        """What bash offers after the line, split into words as bash splits it."""
        self.write("heddle.bash", self.script["bash"])
        words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith((" ", "=")) else [])
        quoted = " ".join("'" + word + "'" for word in words)
        result = self.shell(f"bash -c '. ./heddle.bash; COMP_WORDS=({quoted.replace(chr(39), chr(34))}); "
                            f"COMP_CWORD={len(words) - 1}; _heddle 2>/dev/null; printf \"%s\\n\" \"${{COMPREPLY[@]}}\"'")
        self.assertEqual(result.returncode, 0, result.stderr)
        return set(result.stdout.split())

    def fish(self, line):
        self.write("heddle.fish", self.script["fish"])
        result = self.shell(f"fish --no-config -c 'source heddle.fish; complete -C \"{line}\"'")
        self.assertEqual(result.stderr, "")
        return {offer.split("\t")[0] for offer in result.stdout.splitlines()}

    def commands(self, *path):
        """By the help: commands with their own commands."""
        text = self.heddle(*path, "--help", code=0).stdout
        block = text.partition("Subcommands:\n")[2]
        return re.findall(r"^  ([a-z]+)\b", block, re.M)

    def options(self, *path):
        text = self.heddle(*path, "--help", code=0).stdout
        names = re.findall(r"^  (?:-\w,)?(--[a-z-]+(?:,--[a-z-]+)*)", text, re.M)
        return {name for line in names for name in line.split(",")}

    def all_commands(self):
        out = []
        for name in self.commands():
            out.append((name,))
            out += [(name, sub) for sub in self.commands(name)]
        return out

    def test_bash_offers_what_help_lists(self):
        paths = self.all_commands()
        self.assertGreater(len(paths), 25)
        self.assertIn(("daemon", "restart"), paths)
        self.assertEqual({word for word in self.bash("heddle ") if not word.startswith("-")}, set(self.commands()))
        for path in paths:
            line = "heddle " + " ".join(path)
            self.assertEqual({offer for offer in self.bash(line + " --")} | {"--colour", "--help"},
                             self.options(*path) | {"--colour", "--help"}, line)

    def test_bash_offers_values(self):
        self.assertEqual(self.bash("heddle check --format "), {"text", "jsonl", "sarif", "html"})
        self.assertEqual(self.bash("heddle check --format="), {"text", "jsonl", "sarif", "html"})
        self.assertEqual(self.bash("heddle check --format=js"), {"jsonl"})
        self.assertEqual(self.bash("heddle check a"), {"a.c"})
        self.assertEqual(self.bash("heddle check -p "), {"folder"})
        self.assertEqual(self.bash("heddle completion "), {"bash", "zsh", "fish", "-h", "--help"})
        self.assertEqual(self.bash("heddle daemon st"), {"start", "stop"})
        self.assertEqual(self.bash("heddle check -- -"), set())

    @unittest.skipUnless(SHELLS["fish"], "fish is not installed")
    def test_fish_offers_the_same(self):
        self.assertLessEqual(set(self.commands()), self.fish("heddle "))
        for path in self.all_commands():
            line = "heddle " + " ".join(path)
            offered = {word.partition("=")[0] for word in self.fish(line + " --")}
            self.assertEqual(offered | {"--colour"}, self.options(*path) | {"--colour"}, line)
        self.assertEqual(self.fish("heddle check --format js"), {"jsonl"})

    @unittest.skipUnless(SHELLS["zsh"], "zsh is not installed")
    def test_zsh_reads_the_script(self):
        self.write("_heddle", self.script["zsh"])
        result = self.shell("zsh -n _heddle")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for path in self.all_commands():
            self.assertIn(f"    'heddle {' '.join(path)}')", self.script["zsh"])

    def test_an_unknown_shell_is_refused(self):
        self.assertIn("tcsh", self.heddle("completion", "tcsh", code=2).stderr)

    def test_the_manual_page_has_every_command_and_option(self):
        page = self.heddle("man", code=0).stdout.replace("\\-", "-")
        for path in self.all_commands():
            section = page.partition(f".SS heddle {' '.join(path)}\n")[2].partition("\n.SS")[0]
            self.assertTrue(section, path)
            for option in self.options(*path) - {"--help"}:
                self.assertIn(option, section, path)
        if shutil.which("man"):
            self.write("heddle.1", self.heddle("man").stdout)
            shown = self.shell("man --warnings -l heddle.1 | col -b")
            self.assertIn("EXIT STATUS", shown.stdout)
            self.assertEqual(shown.stderr, "")


if __name__ == "__main__":
    unittest.main()
