#include "server/frontend/command/clangd_file.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Regex.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "server/disk/read.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
namespace yaml = llvm::yaml;
using Words = std::vector<std::string>;

constexpr uint64_t kBytesMost = 64 << 10;
constexpr size_t kPatternMost = 500;
constexpr size_t kIndentMost = 100, kBracketsMost = 400;
constexpr size_t kOpenMost = 50;  // lists that begin in one line

// The part between two lines `---`.
struct Fragment {
  std::vector<std::shared_ptr<llvm::Regex>> match, exclude;
  Words add, remove;
  std::string compiler;

  // `path` is relative to the folder of the file.
  bool is_for(const std::string& path) const {
    const auto fits = [&](const auto& regex) { return regex->match(path); };
    return (match.empty() || std::any_of(match.begin(), match.end(), fits)) &&
           std::none_of(exclude.begin(), exclude.end(), fits);
  }
};

struct ClangdFile {
  std::string folder;
  std::vector<Fragment> fragments;
  std::optional<ProjectError> error;
};

// LLVM's parser descends once for each level.
bool is_nested_deeply(const std::string& text) {
  size_t open = 0, column = 0, brackets = 0;
  for (size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    brackets += c == '[' || c == '{';
    const bool indents = column != std::string::npos && c == ' ';
    column = c == '\n' ? 0 : indents ? column + 1 : std::string::npos;
    const bool opens = (c == '-' || c == '?') && n + 1 < text.size() && text[n + 1] == ' ';
    open = c == '\n' ? 0 : open + opens;
    if ((indents && column > kIndentMost) || open > kOpenMost || brackets > kBracketsMost) return true;
  }
  return false;
}

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  ClangdFile read() {
    ClangdFile out;
    out.folder = fs::path(path_).parent_path().string();
    std::string problem;
    const auto text = disk::read_regular(path_, kBytesMost, &problem);
    if (!text) {
      out.error = error_of(path_ + " " + problem);
      return out;
    }
    if (is_nested_deeply(*text)) {
      out.error = error_of(path_ + " is nested too deeply");
      return out;
    }
    llvm::SourceMgr sources;
    sources.setDiagHandler(&Reader::heard, this);
    yaml::Stream stream(*text, sources, /*ShowColors=*/false);
    stream_ = &stream;
    for (yaml::Document& document : stream) {
      yaml::Node* const root = document.getRoot();
      if (root == nullptr || stream.failed()) break;
      if (llvm::isa<yaml::NullNode>(root)) continue;
      Fragment fragment;
      keys(*root, [&](const std::string& key, yaml::Node& value) {
        if (key == "If") condition(value, fragment);
        if (key == "CompileFlags") flags(value, fragment);
      });
      if (stream.failed()) break;
      out.fragments.push_back(std::move(fragment));
    }
    if (!message_.empty()) out.error = error_of(path_ + message_);
    return out;
  }

 private:
  static ProjectError error_of(const std::string& message) {
    return {message, "Correct it: docs/SETTINGS.md says what Heddle reads of it."};
  }

  static void heard(const llvm::SMDiagnostic& said, void* reader) {
    std::string& message = static_cast<Reader*>(reader)->message_;
    if (!message.empty()) return;
    message = ":" + std::to_string(std::max(said.getLineNo(), 1)) + ":" + std::to_string(said.getColumnNo() + 1) +
              ": " + said.getMessage().str();
  }

  void fail(yaml::Node& at, const std::string& message) { stream_->printError(&at, message); }

  void keys(yaml::Node& node, const std::function<void(const std::string&, yaml::Node&)>& entry) {
    auto* const map = llvm::dyn_cast<yaml::MappingNode>(&node);
    if (map == nullptr) return fail(node, "this should be a mapping: `key: value`");
    for (yaml::KeyValueNode& pair : *map) {
      auto* const key = llvm::dyn_cast_or_null<yaml::ScalarNode>(pair.getKey());
      if (stream_->failed()) return;
      yaml::Node* const value = key == nullptr ? nullptr : pair.getValue();
      llvm::SmallString<32> storage;
      if (value != nullptr) entry(key->getValue(storage).str(), *value);
      if (stream_->failed()) return;
    }
  }

  // A word, or a list of words.
  void words(yaml::Node& node, const std::function<void(std::string, yaml::Node&)>& word) {
    llvm::SmallString<64> storage;
    if (auto* const one = llvm::dyn_cast<yaml::ScalarNode>(&node)) return word(one->getValue(storage).str(), *one);
    auto* const list = llvm::dyn_cast<yaml::SequenceNode>(&node);
    if (list == nullptr) return fail(node, "this should be a word, or a list of words");
    for (yaml::Node& item : *list) {
      auto* const one = llvm::dyn_cast<yaml::ScalarNode>(&item);
      if (one == nullptr) return fail(item, "this should be a word");
      word(one->getValue(storage).str(), item);
    }
  }

  void condition(yaml::Node& node, Fragment& out) {
    keys(node, [&](const std::string& key, yaml::Node& value) {
      if (key != "PathMatch" && key != "PathExclude") return;
      words(value, [&](const std::string& pattern, yaml::Node& at) {
        // Counts and back-references take memory and time that a pattern of a few letters can make large.
        if (pattern.size() > kPatternMost || !is_plain(pattern))
          return fail(at, "back-references, counts and long patterns are not supported");
        auto regex = std::make_shared<llvm::Regex>("^(" + pattern + ")$");
        std::string problem;
        if (!regex->isValid(problem)) return fail(at, "no regular expression: " + problem);
        (key == "PathMatch" ? out.match : out.exclude).push_back(std::move(regex));
      });
    });
  }

  static bool is_plain(const std::string& pattern) {
    for (size_t n = 0; n < pattern.size(); ++n) {
      if (pattern[n] == '{') return false;
      if (pattern[n] == '\\' && ++n < pattern.size() && pattern[n] >= '0' && pattern[n] <= '9') return false;
    }
    return true;
  }

  void flags(yaml::Node& node, Fragment& out) {
    keys(node, [&](const std::string& key, yaml::Node& value) {
      if (key == "Add") words(value, [&](std::string word, yaml::Node&) { out.add.push_back(std::move(word)); });
      if (key == "Remove") words(value, [&](std::string word, yaml::Node&) { out.remove.push_back(std::move(word)); });
      if (key == "Compiler") words(value, [&](std::string word, yaml::Node&) { out.compiler = std::move(word); });
    });
  }

  const std::string path_;
  yaml::Stream* stream_ = nullptr;
  std::string message_;
};

// All spellings of an option that has a value, in the next argument or in the same one.
const Words& spellings(const std::string& option) {
  static const std::vector<Words> all = {{"-I", "--include-directory"},
                                         {"-D", "--define-macro"},
                                         {"-U", "--undefine-macro"},
                                         {"-include", "--include"},
                                         {"-isystem"},
                                         {"-iquote"},
                                         {"-idirafter"},
                                         {"-imacros", "--imacros"},
                                         {"-x", "--language"},
                                         {"-L"},
                                         {"-o"},
                                         {"-MF"},
                                         {"-MT"},
                                         {"-MQ"},
                                         {"-target", "--target"}};
  static const Words none;
  for (const Words& names : all)
    if (std::find(names.begin(), names.end(), option) != names.end()) return names;
  return none;
}

// How many arguments from `n` on the entry removes.
size_t removed(const Words& arguments, size_t n, const std::string& entry) {
  const std::string& argument = arguments[n];
  for (const std::string& name : spellings(entry)) {
    if (argument == name) return 2;
    if (name.starts_with("--") ? argument.starts_with(name + "=") : name.size() == 2 && argument.starts_with(name))
      return 1;
  }
  if (entry.ends_with('*')) return argument.starts_with(entry.substr(0, entry.size() - 1)) ? 1 : 0;
  return argument == entry ? 1 : 0;
}

void remove(Words& arguments, const std::string& entry) {
  for (size_t n = 1; n < arguments.size() && arguments[n] != "--";) {
    const size_t count = std::min(removed(arguments, n, entry), arguments.size() - n);
    const bool forwarded = count > 0 && n > 1 && arguments[n - 1] == "-Xclang";
    const auto from = arguments.begin() + static_cast<std::ptrdiff_t>(n - forwarded);
    arguments.erase(from, arguments.begin() + static_cast<std::ptrdiff_t>(n + count));
    if (count == 0) ++n;
    if (forwarded) --n;
  }
}

void apply(const Fragment& fragment, CompileCommand& command) {
  Words& arguments = command.arguments;
  if (!fragment.compiler.empty() && !arguments.empty()) arguments[0] = fragment.compiler;
  for (const std::string& entry : fragment.remove) remove(arguments, entry);
  arguments.insert(std::find(arguments.begin(), arguments.end(), "--"), fragment.add.begin(), fragment.add.end());
}

}  // namespace

std::optional<ProjectError> apply_clangd_files(Project& project) {
  std::map<std::string, std::optional<ClangdFile>> files;  // by folder
  const auto in = [&](const fs::path& folder) -> const std::optional<ClangdFile>& {
    const auto [at, fresh] = files.try_emplace(folder.string());
    std::error_code error;
    if (fresh && fs::exists(folder / kClangdFile, error) && !fs::is_directory(folder / kClangdFile, error))
      at->second = Reader((folder / kClangdFile).string()).read();
    return at->second;
  };
  for (CompileCommand& command : project.commands) {
    std::vector<fs::path> folders;
    for (fs::path at = fs::path(command.file).parent_path();; at = at.parent_path()) {
      folders.push_back(at);
      if (at == at.parent_path()) break;
    }
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      const std::optional<ClangdFile>& file = in(*folder);
      if (!file) continue;
      if (file->error) return file->error;
      const std::string path = fs::path(command.file).lexically_relative(*folder).string();
      for (const Fragment& fragment : file->fragments)
        if (fragment.is_for(path)) apply(fragment, command);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::frontend
