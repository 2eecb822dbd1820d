// Each tier of reuse can be switched off, and none changes a unit: on random edits every choice of tiers makes what a
// compile from scratch makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "server/program/differences.h"
#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

// A project of two units and a header, as text with holes.
struct Sources {
  std::string member = "3", in_header = "1", unused = "5";  // of the header: a member's default; bodies
  std::vector<std::string> bodies = {"return x + 1;", "return x + 2;", "return x + 3;", "return x + 4;"};
  bool more = false;    // a function that nothing calls yet
  std::string comment;  // before the functions
  bool included = false;

  std::string header() const {
    return "#pragma once\n#include <algorithm>\n#include <map>\n#include <vector>\nstruct Item { int value = " +
           member + "; std::vector<int> parts; };\n" + "inline int weigh(const Item& item) { return item.value + " +
           in_header + "; }\n" + "inline int spare(int x) { return x * " + unused + "; }\n" +
           "template <typename T> T twice(T x) { return x + x; }\n";
  }
  std::string main() const {
    std::string text = std::string("#include <vector>\n") + (included ? "#include <string>\n" : "") +
                       "#include \"own.h\"\n" + comment + "namespace own {\n";
    for (size_t n = 0; n < bodies.size(); ++n)
      text += "int f" + std::to_string(n) + "(int x) {\n  std::vector<Item> items(3);\n  if (x < weigh(items[0])) " +
              "items.push_back(Item{x, {x}});\n  std::map<int, std::vector<Item>> by_weight;\n" +
              "  for (const Item& item : items) by_weight[weigh(item)].push_back(item);\n" +
              "  std::sort(items.begin(), items.end(), [](auto& a, auto& b) { return a.value < b.value; });\n  " +
              bodies[n] + "\n}\n";
    if (more) text += "static int helper(int x) { return twice(x); }\nint uses() { return helper(4); }\n";
    return text + "}\nint main() { return own::f0(1) + own::f1(2) + own::f2(3) + own::f3(4); }\n";
  }
  static std::string other() {
    return "#include <vector>\n#include \"own.h\"\nint other(int x) { Item item; return twice(item.value) + x; }\n";
  }
};

// Most edits are of bodies, and of the same one several times, as they are in an editor.
void edit(Sources& sources, std::mt19937& random) {
  const std::string number = std::to_string(random() % 1000);
  std::string& body = random() % 4 > 0 ? sources.bodies.back() : sources.bodies[random() % sources.bodies.size()];
  switch (random() % 12) {
    case 0: sources.in_header = number; break;
    case 1: sources.unused = number; break;
    case 2: sources.member = number; break;
    case 3: sources.more = !sources.more; break;
    case 4: sources.comment += "// " + number + "\n"; break;
    case 5: sources.included = !sources.included; break;
    case 6: body = "if (x > " + number + ") throw x;\n  return x;"; break;
    case 7: body = "auto add = [&](int y) { return x + y + " + number + "; };\n  return add(1);"; break;
    case 8: body = "return static_cast<int>(twice(x + " + number + "L));"; break;
    default: body = "return x + weigh(items[1]) + " + number + ";"; break;
  }
}

std::vector<CompileJob> jobs_of(const Sources& sources) {
  const std::vector<Overlay> overlays = {
      {"/test/own.h", sources.header()}, {"/test/main.cc", sources.main()}, {"/test/other.cc", Sources::other()}};
  return {{command_for("/test/main.cc", {"-std=c++17"}), overlays},
          {command_for("/test/other.cc", {"-std=c++17"}), overlays}};
}

std::vector<CompileResult> compiled(Compiler& compiler, const std::vector<CompileJob>& jobs) {
  auto results = compiler.compile_all(jobs, 1, [](size_t) { return true; });
  std::vector<CompileResult> out;
  for (auto& result : results) out.push_back(std::move(result.value()));
  return out;
}

struct Version {
  std::vector<CompileJob> jobs;
  std::vector<CompileResult> scratch;
};

// The same edits for all choices of tiers; their units from scratch are made once.
const std::vector<Version>& versions() {
  static const std::vector<Version> all = [] {
    constexpr int kEdits = 9;
    std::mt19937 random(7);
    Sources sources;
    std::vector<Version> made;
    CompileOptions options;
    options.tiers = Tiers::scratch_only();
    for (int n = 0; n <= kEdits; ++n) {
      if (n > 0) edit(sources, random);
      made.push_back({jobs_of(sources), {}});
      Compiler scratch(options);
      made.back().scratch = compiled(scratch, made.back().jobs);
    }
    return made;
  }();
  return all;
}

// How often each tier was used.
std::map<Tier, int> uses(const Tiers& tiers) {
  CompileOptions options;
  options.tiers = tiers;
  Compiler compiler(options);
  std::map<Tier, int> used;
  for (const Version& version : versions()) {
    const std::vector<CompileResult> made = compiled(compiler, version.jobs);
    for (size_t n = 0; n < made.size(); ++n) {
      expect_equal(made[n], version.scratch[n]);
      for (const TierNote& note : made[n].tiers)
        if (note.why_not.empty()) ++used[note.tier];
    }
    compiler.prepare([] { return false; });
  }
  return used;
}

constexpr Tier kSwitches[] = {Tier::UpToDate, Tier::Functions, Tier::ExtendedPreamble, Tier::Preamble,
                              Tier::LibraryHeaders};

// One test, since the units from scratch are made once for it.
TEST(Tiers, RandomEditsMakeTheSameUnitsWhateverTiersThereAre) {
  const std::map<Tier, int> used = uses({});
  for (const Tier tier : kSwitches) {
    EXPECT_GT(used.contains(tier) ? used.at(tier) : 0, 0) << name_of(tier) << ": the rest would prove nothing";
    SCOPED_TRACE(std::string("without ") + std::string(name_of(tier)));
    Tiers tiers;
    tiers.switch_off(tier);
    EXPECT_FALSE(uses(tiers).contains(tier));
  }
  for (const Tier tier : {Tier::ExtendedPreamble, Tier::Preamble}) {
    SCOPED_TRACE(std::string("only ") + std::string(name_of(tier)));
    Tiers tiers;
    for (const Tier other : kSwitches)
      if (other != tier) tiers.switch_off(other);
    for (const auto& [kind, times] : uses(tiers)) EXPECT_TRUE(kind == tier || kind == Tier::Scratch) << name_of(kind);
  }
}

TEST(Tiers, EveryTierThatWasTriedSaysWhyNot) {
  Compiler compiler;
  const auto first = compiled(compiler, jobs_of({}));
  const std::string text = explain(first[0].tiers, first[0].functions_taken_over);
  EXPECT_EQ(text,
            "preamble\n  not up-to-date: more changed than bodies in headers, or the unit emits one of them\n"
            "  not functions: the last compile of the file left nothing\n"
            "  not extended-preamble: none is prepared for this place\n"
            "  not library-headers: it is not known which of these headers the file includes\n");
  Sources changed;
  changed.bodies[2] = "return 7;";
  const auto second = compiled(compiler, jobs_of(changed));
  const std::string again = explain(second[0].tiers, second[0].functions_taken_over);
  EXPECT_EQ(again.find("functions ("), 0u) << again;
  EXPECT_NE(again.find(" reused), preamble\n"), std::string::npos) << again;
}

TEST(Tiers, TheirNamesAreTheSwitches) {
  for (const Tier tier : kSwitches) EXPECT_EQ(tier_named(name_of(tier)), tier);
  EXPECT_FALSE(tier_named("preambles"));
}

TEST(Tiers, VerifyingComparesWithScratch) {
  CompileOptions options;
  options.verify = true;
  Compiler compiler(options);
  std::mt19937 random(7);
  Sources sources;
  for (int n = 0; n < 6; ++n, edit(sources, random))
    for (const CompileResult& result : compiled(compiler, jobs_of(sources)))
      EXPECT_EQ(result.problems, std::vector<std::string>{});
}

// What verifying rests on: a unit that is another is not taken for the same.
TEST(Tiers, DifferencesOfUnitsAreNamed) {
  const auto unit = [](const std::string& text) { return unit_of("int a = 1;\n" + text); };
  const program::UnitPtr one = unit("int f(void) { return 1; }\nint g(void) { return a; }\n");
  EXPECT_TRUE(program::differences(*one, *one).empty());
  const auto first = [&](const std::string& text) {
    const std::vector<std::string> all = program::differences(*unit(text), *one);
    return all.empty() ? std::string() : all[0].substr(0, all[0].find('\n'));
  };
  EXPECT_EQ(first("int f(void) { return 2; }\nint g(void) { return a; }\n"), "function f differs:");
  EXPECT_EQ(first("int f(void) { return 1; }\n"), "function g is missing");
  EXPECT_EQ(first("int f(void) { return 1; }\nint g(void) { return a; }\nint b;\n"), "variable b is too many");
  EXPECT_EQ(first("int g(void) { return a; }\nint f(void) { return 1; }\n"), "function f differs:");  // its line
}

// After a precompiled prefix, macros of the command and __COUNTER__ have the values that the text of the prefix gave them.
TEST(Tiers, APreambleLeavesMacrosAsItsTextDoes) {
  struct Case {
    std::vector<std::string> flags;
    std::string text, header;
  };
  const std::string kReturnsK = "int f(void) { return K; }\n", kIncludes = "#include <pthread.h>\n";
  const std::vector<Case> cases = {
      {{"-DK=1"}, "#undef K\n#define K 2\n" + kIncludes + kReturnsK, ""},
      {{"-DK=1"}, "#include \"own.h\"\n" + kReturnsK, "#undef K\n#define K 2\n"},
      {{"-DK=1", "-std=c++17"}, "#include \"own.h\"\n#include <vector>\n" + kReturnsK, "#undef K\n#define K 2\n"},
      {{"-UK"}, "#define K 2\n" + kIncludes + kReturnsK, ""},
      {{"-DK"}, kIncludes + "#undef K\n#define K 2\n#include <stdio.h>\n" + kReturnsK, ""},
      {{"-DK=2"}, kIncludes + kReturnsK, ""},
      {{"-DLOCK(m)=0"}, "#undef LOCK\n#define LOCK(m) m\n" + kIncludes + "int f(int n) { return LOCK(n); }\n", ""},
      {{"-DNDEBUG"},
       "#undef NDEBUG\n#include <assert.h>\n#ifdef NDEBUG\nint f(void) { return 1; }\n#else\nint f(int n) { assert(n); "
       "return n; }\n#endif\n",
       ""},
      {{},
       "#include \"own.h\"\nint f(void) { return __COUNTER__ + a + b; }\n",
       "static int a = __COUNTER__, b = __COUNTER__;\n"},
  };
  CompileOptions options;
  options.tiers = Tiers::scratch_only();
  for (const Case& one : cases) {
    const CompileCommand command = command_for(one.flags.size() > 1 ? "/test/main.cc" : "/test/main.c", one.flags);
    const std::vector<Overlay> overlays = {{"/test/own.h", one.header}, {command.file, one.text}};
    Compiler compiler;
    compiler.compile(command, overlays);
    const std::vector<Overlay> edited = {{"/test/own.h", one.header}, {command.file, one.text + "int more;\n"}};
    const CompileResult made = compiler.compile(command, edited);
    const auto used = [](const TierNote& note) { return note.tier == Tier::Preamble && note.why_not.empty(); };
    EXPECT_TRUE(std::any_of(made.tiers.begin(), made.tiers.end(), used)) << one.text;
    expect_equal(made, Compiler(options).compile(command, edited));
  }
}

}  // namespace
}  // namespace heddle::frontend
