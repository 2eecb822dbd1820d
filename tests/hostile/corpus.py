"""Inputs that a checkout may hold to harm whoever opens it: flags, source texts, settings, compile databases, names."""
import json

# What a flag may want to write to, or read; each is put there for it.
V = "{victim}"  # a file outside of the project, as precious as a .bashrc
O = "{out}"     # a folder outside


def through(arguments):
    """The ways by which an argument of the compiler proper gets there."""
    yield ["-Wp," + ",".join(arguments)]
    yield [word for argument in arguments for word in ("-Xclang", argument)]
    yield [word for argument in arguments for word in ("-Xpreprocessor", argument)]


OUTPUTS = [
    ["-dependency-file", V, "-MT", "touch OWNED #"], ["-dependency-dot", V], ["-header-include-file", V, "-H"],
    ["-diagnostic-log-file", V], ["-serialize-diagnostic-file", V], ["-stats-file=" + V], ["-o", V],
    ["-opt-record-file", V], ["-stack-usage-file", V], ["-split-dwarf-output", V, "-split-dwarf-file", V],
    ["-coverage-notes-file=" + V, "-ftest-coverage"], ["-coverage-data-file=" + V, "-fprofile-arcs"],
    ["-fmodules-cache-path=" + O, "-fmodules", "-fimplicit-modules", "-fimplicit-module-maps"],
    ["-fmodule-output=" + V], ["-emit-pch", "-o", V], ["-emit-module", "-o", V], ["-emit-obj", "-o", V],
    ["-rewrite-objc", "-o", V], ["-fixit"], ["-fixit=.fixed"], ["-ftime-trace=" + V], ["-thinlink-bitcode=" + V],
    ["-analyze", "-analyzer-output=plist", "-o", V], ["-emit-symbol-graph", "--symbol-graph-dir=" + O],
    ["-load", O + "/plugin.so"], ["-fpass-plugin=" + O + "/plugin.so"], ["-mllvm", "-info-output-file=" + V],
    ["-plugin", "x", "-plugin-arg-x", V], ["-fprofile-instrument=clang", "-fprofile-instrument-path=" + V],
    ["-mlink-bitcode-file", V], ["-include-pch", V], ["-fmodule-file=" + V], ["-ivfsoverlay", V], ["-E", "-o", V],
    ["-ast-dump"], ["-S", "-o", V], ["-dump-deserialized-decls"], ["-foverride-record-layout=" + V]]

FLAGS = [way for output in OUTPUTS for way in through(output)] + [
    ["--serialize-diagnostics", V], ["-save-stats=cwd"], ["-save-stats=obj"], ["--write-dependencies"],
    ["--write-user-dependencies"], ["--user-dependencies"], ["-MD", "-MF", V], ["-MD", "-MF" + V], ["-MMD"],
    ["-MJ" + V], ["-MJ", V], ["-gen-cdb-fragment-path", O], ["--output=" + V], ["--output", V], ["-o" + V],
    ["-ftime-trace=" + O], ["-save-temps"], ["--save-temps=obj"], ["-save-temps=cwd"], ["-fsave-optimization-record"],
    ["-foptimization-record-file=" + V], ["-fstack-usage"], ["--coverage"], ["-ftest-coverage", "-fprofile-arcs"],
    ["-fprofile-instr-generate=" + V], ["-fprofile-generate=" + O], ["-fcs-profile-generate=" + O], ["-gsplit-dwarf"],
    ["-fmodules", "-fmodules-cache-path=" + O], ["-fimplicit-modules"], ["--analyze"],
    ["-fcrash-diagnostics-dir=" + O, "-gen-reproducer"], ["-fcrash-diagnostics=all"], ["-extract-api"],
    ["--symbol-graph-dir=" + O, "--emit-extension-symbol-graphs"], ["-fplugin=" + O + "/plugin.so"],
    ["-fpass-plugin=" + O + "/plugin.so"], ["-mllvm", "-time-passes"], ["-mllvm", "-help"], ["--config=x.cfg"],
    ["--config", "x.cfg"], ["--config-user-dir=."], ["--config-system-dir=.", "--config=x.cfg"], ["-specs=x.cfg"],
    ["-working-directory", O, "-MD"], ["-dumpdir", O + "/", "-gsplit-dwarf"], ["-Wa,-adhln=" + V], ["-Wl,-Map=" + V],
    ["-aux-info", V], ["-fdump-tree-all"], ["-B" + O], ["-ccc-install-dir", O], ["--gcc-toolchain=" + O],
    ["-no-integrated-cc1"], ["-no-integrated-as"], ["-fuse-ld=" + O + "/plugin.so"], ["-x", "ir"], ["-x", "ast"],
    ["-x", "pcm"], ["-x", "cuda"], ["-x", "objective-c"], ["-x", "assembler-with-cpp"], ["@x.rsp"], ["@loop.rsp"],
    ["@bomb0.rsp"], ["@/dev/zero"], ["@pipe"], ["@none"], ["-include", "/dev/zero"], ["-include", "pipe"],
    ["-imacros", "/dev/zero"], ["-include", "/dev/stdin"], ["-I/proc/self", "-include", "environ"],
    ["-include", "/dev/tty"], ["-include", "huge"], ["--version"], ["--help"], ["-###"], ["-print-search-dirs"],
    ["--autocomplete=-"], ["-ccc-print-phases"], ["-fbracket-depth=100000000"], ["-ftemplate-depth=100000000"],
    ["-fconstexpr-steps=4000000000"], ["-D" + "x" * 100000], ["-I" + "/" * 5000], [""], ["-"], ["--"],
    ["$(touch OWNED)"], ["`touch OWNED`"], ["; touch OWNED"], ["-MT", "x"], ["\x00"], ["-Wp,"], ["-Xclang"],
    ["-target", "none"], ["-march=none"], ["-m32"], ["-fsanitize-ignorelist=" + V], ["-fprofile-use=" + V],
    ["-fxray-instrument", "-fxray-attr-list=" + V], ["-fsanitize=address", "-fsanitize-coverage=trace-pc"]]

HEADERS_OF_RESPONSES = {
    "x.cfg": "-MD -MF " + V + "\n", "x.rsp": "-MD -MF " + V + "\n", "loop.rsp": "@loop.rsp\n",
    **{f"bomb{n}.rsp": f"@bomb{n + 1}.rsp @bomb{n + 1}.rsp\n" for n in range(40)}, "bomb40.rsp": "-DX\n"}

MAIN = "int main(void) { return 0; }\n"

# Source texts; how they end is free, that they end is not.
SOURCES = {
    "array.c": "char a[1ull << 46];\n" + MAIN,
    "array_set.c": "int a[1u << 31] = {[5] = 1};\n" + MAIN,
    "array_local.c": "int main(void) { char a[1ull << 40]; return a[0]; }\n",
    "struct.c": "struct s { char a[1ull << 40]; }; struct s f(struct s x) { return x; }\n" + MAIN,
    "array_many.c": "".join(f"char a{n}[1u << 30];\n" for n in range(64)) + MAIN,
    "arena.c": "static char arena[1u << 30];\nchar *at(int n) { return arena + n; }\n" + MAIN,
    "arena_2gb.c": "int big[500][1000000];\nint *at(int n) { return big[n]; }\n" + MAIN,
    "arena_value.c": "char a[1u << 30] = {[1u << 29] = 1};\n" + MAIN,
    "vector.c": "typedef int v __attribute__((vector_size(1 << 20)));\nv f(v a, v b) { return a * b + a; }\n" + MAIN,
    "types.cc": "template <class A, class B> struct p {};\ntypedef p<int, int> t0;\n"
                + "".join(f"typedef p<t{n}, t{n}> t{n + 1};\n" for n in range(60)) + "t60 x; void f(t60) {}\nint main() {}\n",
    "template.cc": "template <int n, int m> struct s { static const int v = s<n - 1, m * 2>::v + s<n - 1, m * 2 + 1>::v; };\n"
                   "template <int m> struct s<0, m> { static const int v = 1; };\nint x = s<24, 0>::v;\nint main() {}\n",
    "constexpr.cc": "constexpr long f(long n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\nconstexpr long x = f(60);\nint main() {}\n",
    "macro.c": "#define A0 x,\n" + "".join(f"#define A{n + 1} {' '.join([f'A{n}'] * 10)}\n" for n in range(11))
               + "int x;\nint main(void) { (A11 0); }\n",
    "include_self.c": '#include "include_self.c"\n' + MAIN,
    "overflow.c": "#pragma clang __debug overflow_stack\n" + MAIN,
    "crash.c": "#pragma clang __debug crash\n" + MAIN,
    "parser_crash.c": "#pragma clang __debug parser_crash\n" + MAIN,
    "fatal.c": "#pragma clang __debug llvm_fatal_error\n" + MAIN,
    "unreachable.c": "#pragma clang __debug llvm_unreachable\n" + MAIN,
    "sum.c": "int x; int main(void) { return " + " + ".join(["x"] * 300000) + "; }\n",
    "elses.c": "int x; int main(void) { if (x == 0) return 0;\n"
               + "".join(f"else if (x == {n}) return 1;\n" for n in range(60000)) + "return 2; }\n",
    "stars.c": "int " + "*" * 300000 + "x;\n" + MAIN,
    "brackets.c": "int x = " + "(" * 200000 + "1" + ")" * 200000 + ";\n" + MAIN,
    "braces.c": "int main(void) " + "{" * 100000 + "}" * 100000 + "\n",
    "initialisers.c": "int x[] = " + "{" * 100000 + "1" + "}" * 100000 + ";\n" + MAIN,
    "unary.c": "int main(void) { int x = 1; return " + "-~" * 200000 + "x; }\n",
    "conditional.c": "int main(void) { int x = 1; return " + "x ? 1 : " * 100000 + "0; }\n",
    "commas.c": "int x; int main(void) { return " + "(x, " * 50000 + "0" + ")" * 50000 + "; }\n",
    "calls.c": "int f(int x) { return x; } int main(void) { return " + "f(" * 100000 + "1" + ")" * 100000 + "; }\n",
    "casts.c": "int main(void) { return " + "(int)" * 200000 + "1; }\n",
    "namespaces.cc": "namespace a {" * 50000 + "}" * 50000 + "int main() {}\n",
    "lambdas.cc": "int main() { " + "[] { " * 5000 + "}();" * 5000 + " }\n",
    "ifs.c": "#if 1\n" * 100000 + "#endif\n" * 100000 + MAIN,
    "pastes.c": "#define P(a, b) a##b\nint " + "P(" * 20000 + "x" + ", y)" * 20000 + ";\n" + MAIN,
    "string.c": 'char s[] = "' + "x" * (4 << 20) + '";\n' + MAIN,
    "identifier.c": "int " + "x" * (1 << 20) + ";\n" + MAIN,
    "nul.c": "int x;\0\0\0\0" + MAIN,
    "device.c": '#include "/dev/zero"\n' + MAIN,
    "pipe_include.c": '#include "pipe"\n' + MAIN,
    "huge_include.c": '#include "huge"\n' + MAIN,
    "stdin.c": '#include "/dev/stdin"\n' + MAIN,
    "embed_device.c": "char x[] = {\n#embed \"/dev/zero\" limit(16)\n};\n" + MAIN,
    "has_include.c": "#if __has_include(\"pipe\") && __has_include(\"/dev/zero\")\nint x;\n#endif\n" + MAIN,
    "line.c": '#line 1 "/etc/passwd"\nint x = ;\n' + MAIN,
    "assembly.c": '__asm__(".incbin \\"/etc/passwd\\""); __asm__(".include \\"/etc/passwd\\"");\n' + MAIN,
    "assembly_file.c": '__asm__(".secure_log_unique \\"x\\"");\n' + MAIN,
    "comment_lib.c": '#pragma comment(lib, "x")\n#pragma comment(linker, "-o/x")\n' + MAIN,
    "module.c": '#pragma clang module build m\nmodule m {}\n#pragma clang module endbuild\n' + MAIN,
    "dependency.c": '#pragma GCC dependency "pipe"\n' + MAIN,
    "push.c": "#pragma clang diagnostic push\n" * 50000 + MAIN,
}

SETTINGS = {
    "device": "files:\n  - path: x\n    from: /dev/zero\n", "random": "files:\n  - path: x\n    from: /dev/urandom\n",
    "pipe": "files:\n  - path: x\n    from: pipe\n", "stdin_pipe": "stdin: {file: pipe}\n",
    "sparse": "files:\n  - path: x\n    from: huge\n", "stdin_sparse": "stdin: {file: huge}\n",
    "many": "files:\n" + "  - m.c\n" * 100000, "many_texts": "files:\n" + "".join(
        f"  - {{path: x{n}, from: m.c}}\n" for n in range(5000)),
    "traversal": "files:\n  - path: x\n    from: ../../outside/victim\n", "absolute": "files:\n  - path: x\n    from: {secret}\n",
    "stdin_outside": "stdin: {file: {secret}}\n", "link": "files:\n  - path: x\n    from: link\n",
    "link_folder": "files:\n  - path: x\n    from: folder_link/secret\n", "stdin_link": "stdin: {file: link}\n",
    "chain": "stdin: {file: link_of_link}\n",
    "environ": "stdin: {file: /proc/self/environ}\n", "shadow": "stdin: {file: /etc/shadow}\n",
    "argument": "arguments:\n  - {file: {secret}}\n", "variable": "environment:\n  X: {file: {secret}}\n",
    "depth": "arguments: " + "[" * 20000 + "]" * 20000 + "\n", "maps": "{a: " * 5000 + "1" + "}" * 5000 + "\n",
    "aliases": "a: &a [x, x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)),
    "tag": "arguments: !!python/object/apply:os.system ['touch OWNED']\n", "nul": "arguments: [\"\\0\"]\n",
    "long": "arguments: [\"" + "x" * 900000 + "\"]\n", "larger": "# " + "x" * (2 << 20) + "\n",
    "model_device": "models: [/dev/zero]\n", "model_pipe": "models: [pipe.c]\n", "model_folder": "models: [folder.c]\n"}

# Of these, what names files outside of the project.
SETTINGS_OUTSIDE = {"traversal", "absolute", "stdin_outside", "link", "link_folder", "stdin_link", "chain", "environ",
                    "shadow"}

MANY = json.dumps([{"directory": ".", "file": "m.c", "arguments": ["cc", "m.c"]}] * 20000)
DATABASES = {
    "nested_lists": "[" * 200000, "nested_closed": "[" * 200000 + "]" * 200000, "nested_objects": '{"a":' * 200000,
    "nested_in_command": '[{"directory":".","file":"m.c","arguments":' + "[" * 100000 + "]" * 100000 + "}]",
    "empty": "", "nul": "\0" * 1000, "number": "17", "object": "{}", "null": "null", "cut": '[{"directory"', "many": MANY,
    "types": '[{"directory":7,"file":[],"arguments":{}}, 3, null, "x", {"file": null}]',
    "file_folder": '[{"directory":".","file":".","arguments":["cc","."]}]',
    "file_pipe": '[{"directory":".","file":"pipe.c","arguments":["cc","pipe.c"]}]',
    "file_device": '[{"directory":".","file":"zero.c","arguments":["cc","zero.c"]}]',
    "file_huge": '[{"directory":".","file":"huge.c","arguments":["cc","huge.c"]}]',
    "directory_none": '[{"directory":"/none/at/all","file":"{project}/m.c","arguments":["cc","m.c"]}]',
    "directory_proc": '[{"directory":"/proc/self/fd","file":"{project}/m.c","arguments":["cc","m.c"]}]',
    "compiler": '[{"directory":".","file":"m.c","arguments":["./evil.sh","m.c"]}]',
    "compiler_absolute": '[{"directory":".","file":"m.c","arguments":["{project}/evil.sh","-c","m.c"]}]',
    "shell": '[{"directory":".","file":"m.c","command":"cc $(touch OWNED) `touch OWNED` m.c; touch OWNED"}]',
    "utf16": '[{"directory":".","file":"\\ud800.c","arguments":["cc","\\ud800.c"]}]',
    "arguments": json.dumps([{"directory": ".", "file": "m.c", "arguments": ["cc"] + ["-DX"] * 100000 + ["m.c"]}])}

# Of files, in bytes; a racy program is in each, so that clear would be a lie.
NAMES = [b"a\xff.c", b"\xc3\x28.c", b"\xed\xa0\x80.c", b"\xf8\x88\x80\x80\x80.c", b"\x80.c", b"new\nline.c", b"tab\t.c",
         b"quote'.c", b'double".c', b"$(touch OWNED).c", b"`touch OWNED`.c", b"; touch OWNED;.c", b"esc\x1b[31m.c",
         b"@at.c", b"space .c", b"percent%41.c", b"back\\slash.c", b"\xe2\x80\xae.c"]

# What somebody may be talked into naming as a revision.
REVISIONS = ["--output={victim}", "-x", "--ext-diff", "--upload-pack=touch OWNED", "-", "--", "", "@{u}", "@{-1}", "@{now}",
             "HEAD\nHEAD", "\n--output={victim}", "$(touch OWNED)", "`touch OWNED`", "; touch OWNED", "HEAD:m.c", ":/x",
             "HEAD^{/x}", "HEAD..HEAD", "--all", "--git-dir={out}", "--no-index", "\udcff", "-O{victim}", "x" * 100000]

# Commands that a repository's configuration may name; {run} is a program that leaves a trace.
GIT_COMMANDS = {
    "diff.evil.command": "{run}", "diff.evil.textconv": "{run}", "diff.external": "{run}", "filter.evil.clean": "{run}",
    "filter.evil.smudge": "{run}", "filter.evil.process": "{run}", "core.pager": "{run}", "pager.diff": "{run}",
    "core.editor": "{run}", "core.sshCommand": "{run}", "credential.helper": "{run}", "core.askPass": "{run}",
    "merge.evil.driver": "{run}", "alias.diff": "!{run}", "alias.rev-parse": "!{run}", "core.hooksPath": "{hooks}",
    "gpg.program": "{run}", "sequence.editor": "{run}", "interactive.diffFilter": "{run}", "core.gitProxy": "{run}",
    "core.fsmonitor": "{run}"}
