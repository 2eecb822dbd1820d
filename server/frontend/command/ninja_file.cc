// The links in a build.ninja, without running Ninja.
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "server/disk/read.h"
#include "server/frontend/command/link_step.h"
#include "server/frontend/command/paths.h"

namespace heddle::frontend {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kNinjaMost = uint64_t{256} << 20;  // bytes of one file
constexpr size_t kFilesMost = 64;                     // that include each other

using Variables = std::map<std::string, std::string>;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

// A line with those that it continues on; `at` moves past it.
std::string next_line(std::string_view text, size_t& at) {
  std::string line;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    std::string_view part = text.substr(at, end - at);
    at = end + 1;
    if (part.ends_with('\r')) part.remove_suffix(1);
    size_t dollars = 0;
    while (dollars < part.size() && part[part.size() - 1 - dollars] == '$') ++dollars;
    line += part.substr(0, part.size() - dollars % 2);
    if (dollars % 2 == 0) break;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  }
  return line;
}

// What `$` at `at` stands for; `at` moves past it.
std::string expand_one(std::string_view text, size_t& at, const Variables& variables) {
  const auto value = [&](std::string_view name) {
    const auto found = variables.find(std::string(name));
    return found == variables.end() ? std::string() : found->second;
  };
  if (++at == text.size()) return "";
  if (text[at] == '{') {
    const size_t end = text.find('}', at);
    if (end == std::string_view::npos) return at = text.size(), "";
    const std::string_view name = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return value(name);
  }
  size_t end = at;
  while (end < text.size() && is_name(text[end])) ++end;
  if (end == at) return std::string(1, text[at++]);  // a space, a colon, a dollar
  const std::string_view name = text.substr(at, end - at);
  at = end;
  return value(name);
}

std::string expand(std::string_view text, const Variables& variables) {
  std::string out;
  for (size_t at = 0; at < text.size();)
    if (text[at] == '$')
      out += expand_one(text, at, variables);
    else
      out += text[at++];
  return out;
}

// The words before, between and after the signs of a build line: outputs, rule and inputs.
struct BuildLine {
  std::vector<std::string> outputs, inputs, implicit;
  std::string rule;
};

// Words up to one of the signs; `at` stands at the sign after it.
std::vector<std::string> words_until(std::string_view line, size_t& at, std::string_view signs,
                                     const Variables& variables) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  while (at < line.size() && signs.find(line[at]) == std::string_view::npos)
    if (line[at] == '$')
      word += expand_one(line, at, variables);
    else if (line[at] == ' ' || line[at] == '\t')
      ++at, end_word();
    else
      word += line[at++];
  end_word();
  return words;
}

BuildLine parse_build(std::string_view line, const Variables& variables) {
  BuildLine out;
  size_t at = 0;
  out.outputs = words_until(line, at, ":|", variables);
  words_until(line, at, ":", variables);  // outputs without a name
  if (at < line.size()) ++at;
  out.inputs = words_until(line, at, "|", variables);
  if (!out.inputs.empty()) {
    out.rule = out.inputs.front();
    out.inputs.erase(out.inputs.begin());
  }
  const bool order_only = line.substr(at).starts_with("||");
  if (at < line.size() && !order_only) {
    ++at;
    out.implicit = words_until(line, at, "|", variables);
  }
  return out;
}

bool is_object(const std::string& path) { return path.ends_with(".o") || path.ends_with(".obj"); }
bool is_shared(const std::string& path) {
  return path.ends_with(".so") || fs::path(path).filename().string().find(".so.") != std::string::npos;
}
bool is_library(const std::string& path) { return path.ends_with(".a") || is_shared(path); }

// "lib/libcore.a" -> "core"; "bin/app" -> "app"
std::string target_name(const std::string& output) {
  std::string name = fs::path(output).filename().string();
  if (!is_library(name)) return name;
  name = name.substr(0, name.find('.'));
  return name.starts_with("lib") && name.size() > 3 ? name.substr(3) : name;
}

// One call of read_ninja_file.
class Reader {
 public:
  explicit Reader(const std::string& folder) : folder_(folder) {}

  bool read(const std::string& path, Variables& variables, std::string& problem) {
    if (out.files.size() >= kFilesMost || !seen_.insert(path).second) return true;
    const auto text = disk::read_regular(path, kNinjaMost, &problem);
    if (!text) {
      problem = path + " " + problem;
      return false;
    }
    out.files.push_back(path);
    for (size_t at = 0; at < text->size();)
      if (!take(next_line(*text, at), variables, problem)) return false;
    end_build();
    return true;
  }

  LinkSteps out;

 private:
  bool take(const std::string& line, Variables& variables, std::string& problem) {
    if (line.starts_with(' ') || line.starts_with('\t')) {
      if (open_) take_variable(line, variables, *open_);
      return true;
    }
    end_build();
    if (line.starts_with("build ")) {
      line_ = parse_build(std::string_view(line).substr(6), variables);
      open_ = Variables{};
      return true;
    }
    const bool inner = line.starts_with("subninja ");
    if (inner || line.starts_with("include ")) {
      const std::string name = expand(line.substr(line.find(' ') + 1), variables);
      Variables own = variables;
      return read((fs::path(folder_) / name).lexically_normal().string(), inner ? own : variables, problem);
    }
    if (!line.starts_with("rule ") && !line.starts_with("pool ") && !line.starts_with('#'))
      take_variable(line, variables, variables);
    return true;
  }

  static void take_variable(const std::string& line, const Variables& known, Variables& into) {
    const size_t equals = line.find('=');
    const size_t begin = line.find_first_not_of(" \t");
    if (equals == std::string::npos || begin >= equals) return;
    const size_t end = line.find_last_not_of(" \t", equals - 1);
    const size_t value = line.find_first_not_of(" \t", equals + 1);
    std::string text = value == std::string::npos ? "" : expand(line.substr(value), known);
    into[line.substr(begin, end + 1 - begin)] = std::move(text);
  }

  void end_build() {
    if (!open_) return;
    const Variables variables = std::move(*open_);
    open_.reset();
    if (line_.outputs.empty() || line_.rule == "phony" || is_object(line_.outputs[0])) return;
    bool links = false;
    for (const std::string& input : line_.inputs) links |= is_object(input);
    if (!links) return;
    const std::string& output = line_.outputs[0];
    LinkStep step;
    step.name = target_name(output);
    if (const auto objects = variables.find("OBJECT_DIR"); objects != variables.end()) {  // CMake: its target's name
      const fs::path own = fs::path(objects->second).filename();
      if (own.extension() == ".dir") step.name = own.stem().string();
    }
    step.output = absolute_path(output, folder_);
    step.kind = output.ends_with(".a") ? BuildKind::StaticLibrary
                : is_shared(output)    ? BuildKind::SharedLibrary
                                       : BuildKind::Program;
    step.directory = folder_;
    step.words = line_.inputs;
    bool written = false;
    for (const char* name : {"LINK_LIBRARIES", "LINK_ARGS"})
      if (const auto found = variables.find(name); found != variables.end()) {
        for (std::string& word : split_words(found->second)) step.words.push_back(std::move(word));
        written = true;
      }
    for (const std::string& input : line_.implicit)
      if (is_library(input) && !(written && named(step, input))) step.words.push_back(input);
    if (const auto flags = variables.find("LINK_FLAGS"); flags != variables.end())
      for (std::string& word : split_words(flags->second))
        if (word.starts_with("-Wl,")) step.words.push_back(std::move(word));
    out.steps.push_back(std::move(step));
  }

  static bool named(const LinkStep& step, const std::string& word) {
    for (const std::string& known : step.words)
      if (known == word) return true;
    return false;
  }

  const std::string folder_;
  std::set<std::string> seen_;
  std::optional<Variables> open_;  // of the build line above
  BuildLine line_;
};

}  // namespace

std::optional<LinkSteps> read_ninja_file(const std::string& folder, std::string& problem) {
  const std::string path = folder + "/build.ninja";
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  Reader reader(folder);
  Variables variables;
  if (!reader.read(path, variables, problem)) return std::nullopt;
  return std::move(reader.out);
}

}  // namespace heddle::frontend
