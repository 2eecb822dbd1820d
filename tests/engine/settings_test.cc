// `.heddle.yaml`: what is read, and what is refused and how.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "server/engine/settings/settings.h"
#include "server/engine/settings/unused_names.h"
#include "server/machine/symbolic/unknown_call.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Texts = std::vector<std::string>;

class Reading : public ::testing::Test {
 protected:
  std::variant<ProjectSettings, SettingsError> read(const std::string& yaml) {
    files_["/no/such/project/.heddle.yaml"] = yaml;
    return read_project_settings("/no/such/project",
                                 [&](const std::string& path, uint64_t, std::string&) -> std::optional<std::string> {
                                   const auto found = files_.find(path);
                                   return found == files_.end() ? std::nullopt : std::optional(found->second);
                                 });
  }
  ProjectSettings good(const std::string& yaml) {
    auto result = read(yaml);
    if (auto* error = std::get_if<SettingsError>(&result)) {
      ADD_FAILURE() << error->text();
      return {};
    }
    return std::get<ProjectSettings>(result);
  }
  std::string bad(const std::string& yaml) {
    auto result = read(yaml);
    auto* error = std::get_if<SettingsError>(&result);
    return error ? error->text() : "accepted";
  }
  std::map<std::string, std::string> files_;
};

TEST_F(Reading, NothingIsNeeded) {
  const ProjectSettings settings = good("");
  EXPECT_TRUE(settings.inputs.arguments.empty());
  EXPECT_TRUE(settings.models.empty());
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "f"), machine::UnknownCall::Stop);
  EXPECT_EQ(settings.files, Texts{"/no/such/project/.heddle.yaml"});
}

TEST_F(Reading, Everything) {
  files_["/no/such/project/input.txt"] = "from the file";
  files_["/no/such/project/models/device.c"] = "int read_device(void) { return 3; }";
  const ProjectSettings settings = good(
      "version: 1\n"
      "arguments: [--fast, {one-of: [\"1\", \"2\"]}, unknown, \"unknown\"]\n"
      "stdin: {file: input.txt}\n"
      "environment: {HOME: /home/user, DEBUG: {one-of: [~, \"1\"]}, LANG: unknown}\n"
      "files: [input.txt, {path: /etc/app, from: input.txt}, {path: w, text: \"a b\\n\"}]\n"
      "models: [models/device.c]\n"
      "unknown-externals: {default: ignore-with-note, read_sensor: fresh, halt: stop}\n");
  ASSERT_EQ(settings.inputs.arguments.size(), 4u);
  EXPECT_EQ(settings.inputs.arguments[0], Texts{"--fast"});
  EXPECT_EQ(settings.inputs.arguments[1], (Texts{"1", "2"}));
  EXPECT_EQ(settings.inputs.arguments[2], machine::sampled_texts());
  EXPECT_EQ(settings.inputs.arguments[3], Texts{"unknown"}) << "in quotes it is a text";
  EXPECT_EQ(settings.inputs.standard_input, Texts{"from the file"});
  ASSERT_EQ(settings.inputs.environment.size(), 3u);
  EXPECT_EQ(settings.inputs.environment[1].values.size(), 2u);
  EXPECT_EQ(settings.inputs.environment[1].values[0], std::nullopt);
  EXPECT_EQ(settings.inputs.environment[2].values.size(), machine::sampled_texts().size() + 1);
  ASSERT_EQ(settings.inputs.files.size(), 3u);
  EXPECT_EQ(settings.inputs.files[1].path, "/etc/app");
  EXPECT_EQ(settings.inputs.files[1].content, "from the file");
  EXPECT_EQ(settings.inputs.files[2].content, "a b\n");
  EXPECT_EQ(settings.models, Texts{"/no/such/project/models/device.c"});
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "read_sensor"), machine::UnknownCall::Fresh);
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "halt"), machine::UnknownCall::Stop);
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "other"), machine::UnknownCall::Ignore);
  EXPECT_EQ(settings.sampled, (Texts{"argument 2 (2 values)", "environment variable DEBUG (2 values)"}));
  EXPECT_EQ(settings.bounded,
            (Texts{"argument 3 has at most 8 bytes", "environment variable LANG has at most 8 bytes"}));
}

TEST_F(Reading, UnknownTextsHaveALength) {
  const ProjectSettings settings = good(
      "arguments: [unknown, {unknown: {length: 3}}, x]\nstdin: {unknown: {length: 1}}\n"
      "environment: {HOME: unknown}\nfiles: [{path: w, unknown: {length: 256}}]\n");
  const std::map<std::string, uint32_t> expected = {
      {"argv[1]", 8}, {"argv[2]", 3}, {"standard input", 1}, {"environment variable HOME", 8}, {"file w", 256}};
  EXPECT_EQ(settings.inputs.unknown, expected);
  EXPECT_EQ(settings.bounded, (Texts{"argument 1 has at most 8 bytes", "argument 2 has at most 3 bytes",
                                     "environment variable HOME has at most 8 bytes",
                                     "standard input has at most 1 byte", "file w has at most 256 bytes"}));
  EXPECT_TRUE(settings.sampled.empty());
  EXPECT_EQ(good("arguments: [{unknown: {length: 3}}]\nunknown-data: sampled\n").sampled,
            Texts{"argument 1 (6 values)"});
  for (const char* text : {"0", "257", "-1"})
    EXPECT_NE(bad(std::string("arguments: [{unknown: {length: ") + text + "}}]\n").find("from 1 to 256"),
              std::string::npos);
  EXPECT_NE(bad("stdin: {unknown: {length: x}}\n").find(":1:27: 'x' is no integer"), std::string::npos);
  EXPECT_NE(bad("stdin: {unknown: {}}\n").find("unknown of stdin says nothing"), std::string::npos);
  EXPECT_NE(bad("stdin: {unknown: {size: 1}}\n").find("unknown key 'size'"), std::string::npos);
  EXPECT_NE(bad("files: [{path: w}]\n").find("`from`, `text` or `unknown`"), std::string::npos);
}

TEST_F(Reading, ClientsComeFromOutside) {
  const ProjectSettings settings = good("connections: {unknown: {count: 2, length: 3}}\n");
  EXPECT_EQ(settings.inputs.clients, 2u);
  EXPECT_EQ(settings.inputs.client_bytes, 3u);
  EXPECT_EQ(settings.bounded, Texts{"2 clients connect from outside; each sends at most 3 bytes"});
  EXPECT_EQ(good("connections: {unknown: {count: 1}}\n").inputs.client_bytes, 8u);
  EXPECT_EQ(good("connections: {unknown: {count: 1}}\nunknown-data: sampled\n").sampled.size(), 1u);
  EXPECT_EQ(good("version: 1\n").inputs.clients, 0u);
  const std::string at = "/no/such/project/.heddle.yaml:1:";
  EXPECT_EQ(bad("connections: {unknown: {count: 17}}\n"),
            at + "32: the count of connections is 17; give how many clients connect, from 0 to 16");
  EXPECT_EQ(bad("connections: {unknown: {length: 1}}\n"),
            at + "14: connections says not how many; write {unknown: {count: 2, length: 8}}");
  EXPECT_NE(bad("connections: {unknown: {count: 1, length: 0}}\n").find("from 1 to 256"), std::string::npos);
  EXPECT_NE(bad("connections: {unknown: {count: x}}\n").find("'x' is no integer"), std::string::npos);
  EXPECT_NE(bad("connections: 3\n").find("is not a mapping"), std::string::npos);
}

TEST_F(Reading, UnknownFunctionsAreNamedAsLinkedOrAsWritten) {
  const ProjectSettings settings = good(
      "unknown-externals: {\"ns::f(int,char)\": fresh, ns::f: ignore-with-note, _Z1gi: fresh, h: ignore-with-note,\n"
      "  \"ns::C::operator()\": fresh}\n");
  const auto of = [&](const char* name) { return machine::unknown_call(settings.unknown_calls, name); };
  EXPECT_EQ(of("_ZN2ns1fEic"), machine::UnknownCall::Fresh) << "ns::f(int, char)";
  EXPECT_EQ(of("_ZN2ns1fEv"), machine::UnknownCall::Ignore) << "ns::f()";
  EXPECT_EQ(of("_ZN2ns1gEv"), machine::UnknownCall::Stop) << "ns::g()";
  EXPECT_EQ(of("_Z1gi"), machine::UnknownCall::Fresh);
  EXPECT_EQ(of("_Z1gv"), machine::UnknownCall::Stop) << "another overload";
  EXPECT_EQ(of("h"), machine::UnknownCall::Ignore);
  EXPECT_EQ(of("_Z1hPFvvE"), machine::UnknownCall::Ignore) << "h(void (*)())";
  EXPECT_EQ(of("_ZNK2ns1CclEi"), machine::UnknownCall::Fresh) << "ns::C::operator()(int) const";
}

TEST_F(Reading, AFreshResultCanHaveARangeOrASet) {
  const ProjectSettings settings = good(
      "unknown-externals: {default: {fresh: {min: -1, max: 5}}, f: {fresh: {one-of: [7, -9]}},\n"
      "  g: {fresh: {min: 0, max: 3, one-of: [255]}}}\n");
  const auto ranges = [&](const char* name) {
    std::string text;
    for (const machine::ValueRange& range : machine::unknown_policy(settings.unknown_calls, name).values)
      text += std::to_string(range.least) + ".." + std::to_string(range.most) + " ";
    return text;
  };
  EXPECT_EQ(ranges("f"), "7..7 -9..-9 ");
  EXPECT_EQ(ranges("g"), "255..255 0..3 ");
  EXPECT_EQ(ranges("another"), "-1..5 ");
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "another"), machine::UnknownCall::Fresh);
  const std::string empty = bad("unknown-externals:\n  f: {fresh: {min: 5, max: 1}}\n");
  EXPECT_NE(empty.find("fresh of unknown-externals of 'f' is empty"), std::string::npos) << empty;
  EXPECT_NE(bad("unknown-externals: {f: {fresh: {min: 5}}}\n").find("has one end only"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fresh: {one-of: []}}}\n").find("has no value"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fresh: {one-of: [x]}}}\n").find("no integer"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fresh: {max: 9e2, min: 1}}}\n").find("no integer"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {}}\n").find("says nothing"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fresh: {one-of: [1, 2, 1]}}}\n").find(": 1 is there twice"),
            std::string::npos);
}

TEST_F(Reading, AFreshFunctionFillsMemory) {
  const ProjectSettings settings = good(
      "unknown-externals: {f: {fills: 1}, g: {fresh: {min: 0, max: 3}, fills: [{argument: 2, size: 16}, 1]},\n"
      "  h: {fills: {argument: 1, size-argument: 2, times: 4}}, i: fresh}\n");
  const auto fills = [&](const char* name) {
    std::string text;
    for (const machine::UnknownFill& fill : machine::unknown_policy(settings.unknown_calls, name).fills)
      text += std::to_string(fill.argument) + ":" + std::to_string(fill.bytes) +
              (fill.size_argument ? "*" + std::to_string(*fill.size_argument) : "") + " ";
    return text;
  };
  EXPECT_EQ(fills("f"), "0:0 ");
  EXPECT_EQ(fills("g"), "1:16 0:0 ");
  EXPECT_EQ(fills("h"), "0:4*1 ");
  EXPECT_EQ(fills("i"), "");
  EXPECT_EQ(machine::unknown_call(settings.unknown_calls, "f"), machine::UnknownCall::Fresh);
  const std::string at = "/no/such/project/.heddle.yaml:";
  EXPECT_EQ(bad("unknown-externals:\n  f: {fills: [0]}\n"),
            at + "2:15: an argument of fills of unknown-externals of 'f' is 0; count the arguments from 1; one of the "
                 "first 13");
  EXPECT_EQ(bad("unknown-externals:\n  f: {fills: {argument: 1, size: 5000}}\n"),
            at + "2:34: size is 5000; give a number of bytes from 1 to 4096");
  EXPECT_NE(bad("unknown-externals: {f: {fills: {size: 4}}}\n").find("says not by which argument"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: {argument: 1, size: 4, size-argument: 2}}}\n").find("has two sizes"),
            std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: {argument: 1, times: 4}}}\n").find("times without size-argument"),
            std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: {argument: 1, size-argument: 1}}}\n").find("from the pointer"),
            std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: [1, 1]}}\n").find("has argument 1 twice"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: []}}\n").find("is empty"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {f: {fills: all}}\n").find("'all' is no integer"), std::string::npos);
  EXPECT_NE(bad("unknown-externals: {default: {fills: 1}}\n").find("under the name of a function"), std::string::npos);
  EXPECT_EQ(bad("unknown-externals: {f: {fills: 1}}\nunknown-data: sampled\n"),
            at +
                "2:15: 'f' fills memory, which stands for every value, and unknown-data is sampled; leave unknown-data "
                "out, or define the function in a model");
}

// The settings are read again for the places of their names: they may have been saved meanwhile.
TEST_F(Reading, NamesOfSettingsThatWereSavedMeanwhile) {
  const ProjectSettings settings = good("unknown-externals: {sensor: fresh}\n");
  const auto warned = [&](const std::optional<std::string>& saved) {
    const FileReader read = [&](const std::string&, uint64_t, std::string&) { return saved; };
    return UnusedNames().warnings(settings.unknown_calls, "/p/.heddle.yaml", read).size();
  };
  EXPECT_EQ(warned("unknown-externals: {sensor: fresh}\n"), 1u);
  for (const char* saved : {"", "unknown-externals: {sensor: [", "- a list", "a text", "unknown-externals: [sensor]",
                            "unknown-externals: {[a, b]: fresh, {c: d}: fresh}", "\t: \"", "&a [*b]", "other: 1"})
    EXPECT_EQ(warned(saved), 0u) << saved;
  EXPECT_EQ(warned("unknown-externals: {? [a] : fresh, sensor: fresh, ~: fresh}"), 1u);
  EXPECT_EQ(warned(std::nullopt), 0u);
}

TEST_F(Reading, TheMemoryModelOfTheInnermostFile) {
  EXPECT_FALSE(good("version: 1\n").memory_model);
  const auto given = good("version: 1\nmemory-model:  tso\n").memory_model;
  ASSERT_TRUE(given);
  EXPECT_EQ(given->model, v1::MEMORY_MODEL_TSO);
  EXPECT_EQ(given->file, "/no/such/project/.heddle.yaml");
  EXPECT_EQ(given->line, 2u);
  EXPECT_EQ(given->column, 16u);
}

// Editors complete what the schema lists.
TEST_F(Reading, TheSchemaHasTheKeysThatAreRead) {
  std::ifstream file(HEDDLE_SETTINGS_SCHEMA);
  const nlohmann::json properties = nlohmann::json::parse(file)["properties"];
  std::string known;
  for (const auto& [key, value] : properties.items())
    known += (known.empty() ? "'" : key == "version" ? " or '" : ", '") + key + "'";
  EXPECT_EQ(bad("zzz: 1\n"),
            "/no/such/project/.heddle.yaml:1:1: unknown key 'zzz' in the settings; known keys are " + known);
}

TEST_F(Reading, Refusals) {
  const std::string at = "/no/such/project/.heddle.yaml:";
  EXPECT_EQ(bad("version: 1\nargumens: [a]\n"),
            at + "2:1: unknown key 'argumens' in the settings; did you mean 'arguments'?");
  EXPECT_EQ(bad("zzz: 1\n"),
            at + "1:1: unknown key 'zzz' in the settings; known keys are 'arguments', 'connections', 'environment', "
                 "'files', 'ignore', 'memory-model', 'models', 'stdin', 'suppressions', 'time-limits', 'unknown-data', "
                 "'unknown-externals' or 'version'");
  EXPECT_EQ(bad("version: 2\n"),
            at + "1:10: this Heddle reads settings of version 1; write `version: 1`, or update Heddle");
  EXPECT_EQ(bad("stdin: a\nstdin: b\n"), at + "2:1: 'stdin' is there twice in the settings; keep one of them");
  EXPECT_EQ(bad("arguments: a b\n"), at + "1:12: arguments is not a list; write it as `- item` lines or [a, b]");
  EXPECT_EQ(bad("version: 1\nmemory-model: RC11\n"),
            at + "2:15: memory-model is 'RC11'; did you mean 'rc11'? the models are sc, tso, ra and rc11");
  EXPECT_EQ(bad("memory-model: relaxed\n"),
            at + "1:15: memory-model is 'relaxed'; the models are sc, tso, ra and rc11");
  EXPECT_EQ(bad("unknown-externals: frsh\n"), at + "1:20: unknown-externals is 'frsh'; did you mean 'fresh'?");
  EXPECT_EQ(bad("unknown-externals: {f: perhaps}\n"),
            at + "1:24: unknown-externals of 'f' is 'perhaps'; it can be 'stop', 'fresh' or 'ignore-with-note'");
  EXPECT_EQ(bad("stdin: {file: gone.txt}\n"),
            at + "1:15: the file /no/such/project/gone.txt cannot be read; create it, or correct the path");
  EXPECT_EQ(bad("models: [m.h]\n"),
            at + "1:10: the model m.h is no C or C++ source file; its name ends in .c, .cc, .cpp or .cxx");
  EXPECT_EQ(bad("files: [{path: a}]\n"),
            at + "1:9: a file needs `path` and either `from`, `text` or `unknown`; add what is missing");
  EXPECT_EQ(bad("environment: {a=b: c}\n"),
            at + "1:15: 'a=b' is no name of a variable; a name is not empty and has no '='");
  EXPECT_EQ(bad("files: [{path: a, text: b, unknown: {length: 2}}]\n"),
            at + "1:37: a file has two contents; keep one of `from`, `text` and `unknown`");
  EXPECT_EQ(bad("stdin: {one-of: [a, b, a]}\n"), at + "1:24: 'a' is there twice under one-of; keep one of them");
  EXPECT_EQ(bad("environment: {A: {one-of: [~, b, ~]}}\n"),
            at + "1:34: ~ is there twice under one-of; keep one of them");
  EXPECT_EQ(bad("stdin: {one-of: []}\n"), at + "1:8: stdin has no value; give at least one under one-of");
  EXPECT_EQ(bad("stdin: {one-of: [~, a]}\n"),
            at + "1:8: standard input cannot be missing; give texts under one-of; \"\" is an empty one");
  EXPECT_EQ(bad("arguments: [b, {one-of: [~, a]}]\n"),
            at + "1:16: an argument cannot be missing; give texts under one-of");
  EXPECT_TRUE(bad("a: [b\nc: d\n").starts_with(at)) << bad("a: [b\nc: d\n");
  EXPECT_EQ(bad("- a\n"), at + "1:1: the settings is not a mapping; write it as `name: value` lines");
}

// A key or a value may hold anything; what is said of it is one line that a terminal can show.
TEST_F(Reading, RefusalsAreOneLineWhateverAKeyHolds) {
  for (const std::string text :
       {"\"a\\nb\": 1\n", "\"a\\e[2Jb\": 1\n", "unknown-externals: \"st\\rop\"\n", "\"a\\0\\x7fb\": 1\n"}) {
    const std::string said = bad(text);
    EXPECT_NE(said, "accepted") << text;
    for (const char c : said) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << text << said;
  }
}

TEST_F(Reading, Suppressions) {
  const ProjectSettings settings = good(
      "version: 1\nsuppressions:\n  - finding: \"abc\"\n    rule: data-race\n    reason: \"known\"\n"
      "  - rule: [leak, \"*\"]\n    path: src/a.c\n    function: f\n    reason: r\n    owner: ann\n"
      "    until: 2030-01-31\n");
  ASSERT_EQ(settings.suppressions.size(), 2u);
  EXPECT_EQ(settings.suppressions[0].finding, "abc");
  EXPECT_EQ(settings.suppressions[0].rules, Texts{"data-race"});
  EXPECT_EQ(settings.suppressions[0].line, 3u);
  EXPECT_TRUE(settings.suppressions[0].settings);
  EXPECT_EQ(settings.suppressions[1].rules, (Texts{"leak", "*"}));
  EXPECT_EQ(settings.suppressions[1].path, "src/a.c");
  EXPECT_EQ(settings.suppressions[1].until, "2030-01-31");
  const ProjectSettings wide = good(
      "suppressions: [{rule: leak, object: q.count, reason: r}, {rule: leak, threads: [main, worker 2], reason: r}]\n");
  EXPECT_EQ(wide.suppressions[0].object, "q.count");
  EXPECT_EQ(wide.suppressions[1].threads, (Texts{"main", "worker"}));
  EXPECT_EQ(bad("suppressions: [{rul: leak}]\n"),
            "/no/such/project/.heddle.yaml:1:17: unknown key 'rul' in a suppression; did you mean 'rule'?");
}

// Every key but `models`: their text is part of the program.
TEST_F(Reading, TheBookDependsOnWhatARunSees) {
  const auto hash_of = [&](const std::string& text) {
    Settings settings;
    settings.apply(good(text));
    return settings.hash();
  };
  EXPECT_EQ(hash_of("arguments: [a]\n"), hash_of("version: 1\narguments: [\"a\"]\n"));
  EXPECT_NE(hash_of("arguments: [a]\n"), hash_of("arguments: [b]\n"));
  const auto nothing = hash_of("version: 1\n");
  for (const char* text :
       {"arguments: [a]\n", "stdin: a\n", "stdin: unknown\n", "environment: {A: a}\n", "files: [{path: w, text: a}]\n",
        "connections: {unknown: {count: 1}}\n", "memory-model: tso\n", "memory-model: rc11\n",
        "unknown-data: sampled\n", "unknown-externals: fresh\n", "unknown-externals: {f: {fresh: {min: 0, max: 3}}}\n",
        "unknown-externals: {f: {fills: 1}}\n"})
    EXPECT_NE(hash_of(text), nothing) << text;
  for (const char* text : {"unknown-data: symbolic\n", "unknown-externals: stop\n", "ignore: [a]\n",
                           "time-limits: {all: 5}\n", "suppressions: [{rule: leak, reason: r}]\n"})
    EXPECT_EQ(hash_of(text), nothing) << text;
  EXPECT_NE(hash_of("unknown-externals: {f: {fills: 1}}\n"), hash_of("unknown-externals: {f: {fills: 2}}\n"));
}

}  // namespace
}  // namespace heddle::engine::test
