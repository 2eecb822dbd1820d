// What a check says of an edit is what a check of everything says of the edited text. See README.md.
//
// In:      names of pairs, or beginnings of them; `kind/` is a whole kind. --list names all.
// Out:     a line per pair that differs, with both answers; exit code 1 if there is one.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "tests/clear/forms.h"
#include "tests/engine/harness.h"

namespace heddle::clear {
namespace {

namespace fs = std::filesystem;
using engine::test::Answer;
using engine::test::EngineProcess;
using engine::test::ProjectFolder;

struct Verdict {
  int exit_code = 0;
  std::set<std::string> findings;      // rule and object
  std::set<std::string> consequences;  // of races among them
};

// What a data race leads to belongs to it, and is looked for as long as there is time; step 1 may come across it and
// tell it by itself.
bool agree(const Verdict& a, const Verdict& b) {
  const auto has = [](const Verdict& one, const Verdict& other) {
    return std::all_of(other.findings.begin(), other.findings.end(), [&](const std::string& finding) {
      return one.findings.count(finding) || one.consequences.count(finding);
    });
  };
  return a.exit_code == b.exit_code && has(a, b) && has(b, a);
}

std::string text(const Verdict& verdict) {
  std::string result = "exit code " + std::to_string(verdict.exit_code);
  for (const std::string& finding : verdict.findings) result += ", " + finding;
  return result;
}

// The first name in quotes, without where a block was made: its line moves with the edit.
std::string object_of(const std::string& message) {
  const size_t begin = message.find('\'');
  const size_t end = begin == std::string::npos ? begin : message.find('\'', begin + 1);
  if (end == std::string::npos) return "";
  const std::string name = message.substr(begin + 1, end - begin - 1);
  return name.substr(0, name.find('@'));
}

Verdict verdict_of(const Answer& answer) {
  Verdict result;
  result.exit_code = 4;
  if (!answer.done) return result;  // no verdict reads like a clear one
  switch (answer.final_verdict()->kind()) {
    case v1::VERDICT_CLEAR: result.exit_code = 0; break;
    case v1::VERDICT_FINDINGS: result.exit_code = 1; break;
    case v1::VERDICT_INCONCLUSIVE: result.exit_code = 3; break;
    default: break;
  }
  for (const v1::Finding& finding : answer.findings())
    if (finding.state() != v1::FINDING_NOT_CONFIRMED)  // the check says itself that it does not know
      (finding.follows_from().empty() ? result.findings : result.consequences)
          .insert(finding.rule() + " of " + object_of(finding.message()));
  return result;
}

EngineProcess::Options options(const ProjectFolder& folder) {
  // A loop that never ends is told by its instructions: fewer of them say the same.
  EngineProcess::Options result;
  result.environment = {{"HEDDLE_CACHE_DIR", folder.file("cache")}, {"HEDDLE_GUEST_INSTRUCTIONS", "3000000"}};
  return result;
}

void write(const ProjectFolder& folder, const Sources& sources) {
  for (const auto& [name, content] : sources.files) folder.write(name, content);
  std::string database;
  for (const std::string& unit : sources.units) {
    const char* compiler = unit.ends_with(".c") ? "cc\",\"-w" : "c++\",\"-w\",\"-std=c++20";
    database += std::string(database.empty() ? "[" : ",") + "{\"directory\":\"" + folder.path() + "\",\"file\":\"" +
                folder.file(unit) + "\",\"arguments\":[\"" + compiler + "\",";
    for (const std::string& flag : sources.flags) database += "\"" + flag + "\",";
    database += "\"-c\",\"" + folder.file(unit) + "\"]}";
  }
  folder.write("compile_commands.json", database + "]");
}

v1::CheckRequest request(const ProjectFolder& folder, bool full) {
  v1::CheckRequest result;
  result.set_root(folder.path());
  result.set_full(full);
  return result;
}

// On a machine that is busy with other things an engine may say nothing for minutes.
Answer asked(EngineProcess& engine, const v1::CheckRequest& request) {
  return engine.collect(engine.send_check(request), 240);
}

// Everything, in an empty cache.
Verdict whole(const Sources& sources) {
  static std::vector<std::pair<Sources, Verdict>> known;
  for (const auto& [made, verdict] : known)
    if (made == sources) return verdict;
  const ProjectFolder folder;
  write(folder, sources);
  EngineProcess::Options once = options(folder);
  once.one_command = true;
  EngineProcess engine(once);
  known.emplace_back(sources, verdict_of(asked(engine, request(folder, true))));
  return known.back().second;
}

bool check(const Pair& pair) {
  const ProjectFolder folder;
  EngineProcess engine(options(folder));
  write(folder, pair.before);
  const bool has_base = asked(engine, request(folder, false)).done.has_value();
  write(folder, pair.after);
  const Verdict increment = verdict_of(asked(engine, request(folder, false))), all = whole(pair.after);
  if (has_base && agree(increment, all) && all.exit_code != 4) return true;
  std::cout << pair.name << ": the check of the edit says " << text(increment) << "; of everything: " << text(all)
            << "\n  alone: clear " << pair.name << "\n";
  return false;
}

// Evenly spaced; the first one is another for each kind.
std::vector<Pair> spread(std::vector<Pair> pairs, size_t most, size_t kind) {
  if (pairs.size() <= most) return pairs;
  std::vector<Pair> some;
  for (size_t n = 0; n < most; ++n) some.push_back(std::move(pairs[(n * pairs.size() / most + kind) % pairs.size()]));
  return some;
}

// `most`: of each kind so many.
int run(const std::vector<std::string>& wanted, bool list, size_t most) {
  std::vector<fs::path> files(fs::directory_iterator(CLEAR_KINDS), {});
  std::sort(files.begin(), files.end());
  size_t pairs = 0, wrong = 0;
  for (size_t kind = 0; kind < files.size(); ++kind)
    for (const Pair& pair : spread(pairs_of(read_kind(files[kind])), most, kind)) {
      const auto meant = [&](const std::string& name) { return pair.name.starts_with(name); };
      if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), meant)) continue;
      ++pairs;
      if (list)
        std::cout << pair.name << "\n";
      else if (!check(pair))
        ++wrong;
    }
  if (!list) std::cout << pairs << " pairs, " << wrong << " wrong\n";
  return pairs == 0 || wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace heddle::clear

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  std::vector<std::string> wanted(arguments + 1, arguments + count);
  const bool list = std::erase(wanted, "--list") > 0;
  size_t most = ~size_t{0};
  std::erase_if(wanted, [&](const std::string& word) {
    if (!word.starts_with("--some=")) return false;
    most = std::stoul(word.substr(7));
    return true;
  });
  try {
    return heddle::clear::run(wanted, list, most);
  } catch (const std::exception& error) {
    std::cerr << "clear: " << error.what() << "\n";
    return 2;
  }
}
