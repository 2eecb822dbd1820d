#include "server/frontend/typing/typing.h"

#include <clang-c/Index.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "server/frontend/command/compile_command.h"
#include "server/frontend/command/project.h"
#include "server/frontend/reuse/harmless.h"
#include "server/program/hash.h"

namespace heddle::frontend {
namespace {

constexpr size_t kUnitsMax = 8;

struct TextOf {
  explicit TextOf(CXString string) : string_(string) {}
  ~TextOf() { clang_disposeString(string_); }
  TextOf(const TextOf&) = delete;
  TextOf& operator=(const TextOf&) = delete;
  std::string_view view() const {
    const char* text = clang_getCString(string_);
    return text ? text : "";
  }

 private:
  const CXString string_;
};

bool has_errors(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    clang_disposeDiagnostic(diagnostic);
    if (severity >= CXDiagnostic_Error) return true;
  }
  return false;
}

// A variable or parameter that only its function sees: its name is free.
bool names_a_local(CXCursor cursor) {
  const CXCursor target = clang_getCursorReferenced(cursor);
  const CXCursorKind kind = clang_getCursorKind(target);
  return (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
         clang_getCursorLinkage(target) == CXLinkage_NoLinkage;
}

std::string hash_tokens(CXTranslationUnit unit, CXFile file, size_t size) {
  const CXSourceRange all = clang_getRange(clang_getLocationForOffset(unit, file, 0),
                                           clang_getLocationForOffset(unit, file, static_cast<unsigned>(size)));
  CXToken* tokens = nullptr;
  unsigned count = 0;
  clang_tokenize(unit, all, &tokens, &count);
  std::vector<CXCursor> cursors(count);
  clang_annotateTokens(unit, tokens, count, cursors.data());
  program::Hasher hasher;
  // A local is the place of its first mention among the locals of the file.
  std::unordered_map<unsigned, std::vector<std::pair<CXCursor, uint64_t>>> locals;
  uint64_t next = 0;
  for (unsigned i = 0; i < count; ++i) {
    const CXTokenKind kind = clang_getTokenKind(tokens[i]);
    if (kind == CXToken_Comment) continue;
    if (kind == CXToken_Identifier && names_a_local(cursors[i])) {
      const CXCursor target = clang_getCursorReferenced(cursors[i]);
      auto& same_hash = locals[clang_hashCursor(target)];
      const auto known = std::find_if(same_hash.begin(), same_hash.end(),
                                      [&](const auto& entry) { return clang_equalCursors(entry.first, target) != 0; });
      const uint64_t number = known == same_hash.end() ? next : known->second;
      if (number == next) same_hash.emplace_back(target, next++);  // `known` is not valid any more
      hasher.text("\x01local").number(number);
      continue;
    }
    const TextOf spelling(clang_getTokenSpelling(unit, tokens[i]));
    hasher.number(static_cast<uint64_t>(kind)).text(spelling.view());
  }
  clang_disposeTokens(unit, tokens, count);
  return hasher.finish().hex();
}

CXChildVisitResult collect_function(CXCursor cursor, CXCursor, CXClientData data) {
  if (clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) == 0) return CXChildVisit_Continue;
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_Namespace || kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
      kind == CXCursor_LinkageSpec || kind == CXCursor_ClassTemplate) {
    return CXChildVisit_Recurse;
  }
  const bool function = kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                        kind == CXCursor_Destructor || kind == CXCursor_FunctionTemplate;
  if (!function || clang_isCursorDefinition(cursor) == 0) return CXChildVisit_Continue;
  FunctionExtent extent;
  extent.name = TextOf(clang_getCursorSpelling(cursor)).view();
  const CXSourceRange range = clang_getCursorExtent(cursor);
  clang_getExpansionLocation(clang_getCursorLocation(cursor), nullptr, &extent.line, nullptr, nullptr);
  clang_getExpansionLocation(clang_getRangeStart(range), nullptr, &extent.begin_line, nullptr, nullptr);
  clang_getExpansionLocation(clang_getRangeEnd(range), nullptr, &extent.end_line, nullptr, nullptr);
  static_cast<std::vector<FunctionExtent>*>(data)->push_back(std::move(extent));
  return CXChildVisit_Continue;
}

}  // namespace

CXIndex new_index() {
  CXIndexOptions options{};
  options.Size = sizeof options;
  options.StorePreamblesInMemory = 1;
  return clang_createIndexWithOptions(&options);
}

// Of what goes to the compiler proper past the driver, nothing; of the rest, no name of a file to be written or loaded.
// The sandbox holds without this.
std::vector<std::string> meaningful_arguments(const std::vector<std::string>& arguments) {
  constexpr std::string_view kWithValue[] = {
      "-Xclang",      "-Xpreprocessor",     "-Xassembler",      "-Xlinker", "-Xanalyzer",
      "-include-pch", "-working-directory", "-ccc-install-dir", "-dumpdir", "--output",
      "-specs",       "--plugin",           "-ivfsoverlay"};
  constexpr std::string_view kBeginnings[] = {"-Wp,",
                                              "@",
                                              "-fmodule",
                                              "-fimplicit-module",
                                              "-ivfsoverlay",
                                              "-fcrash-diagnostics",
                                              "-gen-reproducer",
                                              "-foptimization-record",
                                              "-fsave-optimization-record",
                                              "-fcs-profile",
                                              "-fstack-usage",
                                              "--output=",
                                              "-no-integrated",
                                              "-ccc-",
                                              "--symbol-graph",
                                              "-specs=",
                                              "--user-dependencies",
                                              "-save-stats",
                                              "--save-temps",
                                              "--autocomplete"};
  std::vector<std::string> out;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const std::string& argument = arguments[n];
    if (argument == "--") {  // the file follows
      out.insert(out.end(), arguments.begin() + static_cast<std::ptrdiff_t>(n), arguments.end());
      break;
    }
    const bool with_value = std::find(std::begin(kWithValue), std::end(kWithValue), argument) != std::end(kWithValue);
    const bool begins = std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                                    [&](std::string_view beginning) { return argument.starts_with(beginning); });
    if (with_value)
      ++n;
    else if (!begins || argument.starts_with("-Wp,-D") || argument.starts_with("-Wp,-U"))
      out.push_back(argument);
  }
  return out;
}

struct Typing::State {
  std::string database_directory;
  CXIndex index = new_index();
  std::map<std::string, std::vector<std::string>> arguments;     // by file; empty: it has no command
  std::vector<std::pair<std::string, CXTranslationUnit>> units;  // most recently used last

  ~State() {
    for (auto& [path, unit] : units) clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
  }

  const std::vector<std::string>& arguments_of(const std::string& path) {
    const auto [entry, fresh] = arguments.try_emplace(path);
    if (!fresh) return entry->second;
    const auto found = find_project({{path}, database_directory, {}, {}, {path}});
    const auto* project = std::get_if<Project>(&found);
    if (!project) return entry->second;
    const auto command = std::find_if(project->commands.begin(), project->commands.end(),
                                      [&](const CompileCommand& known) { return known.file == path; });
    if (command == project->commands.end()) return entry->second;
    if (!configuration_objection(command->arguments).empty()) return entry->second;
    entry->second = meaningful_arguments(effective_arguments(*command));
    entry->second.insert(entry->second.begin() + 1, {"-working-directory", command->directory});
    return entry->second;
  }

  CXTranslationUnit parse(const std::string& path, std::vector<CXUnsavedFile>& unsaved) {
    const auto known = std::find_if(units.begin(), units.end(), [&](const auto& entry) { return entry.first == path; });
    if (known != units.end()) {
      std::rotate(known, known + 1, units.end());
      CXTranslationUnit unit = units.back().second;
      if (clang_reparseTranslationUnit(unit, static_cast<unsigned>(unsaved.size()), unsaved.data(),
                                       clang_defaultReparseOptions(unit)) == 0) {
        return unit;
      }
      clang_disposeTranslationUnit(unit);  // all that may be done with it then
      units.pop_back();
    }
    const std::vector<std::string>& words = arguments_of(path);
    if (words.empty()) return nullptr;
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    CXTranslationUnit unit = nullptr;
    const unsigned options = CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CreatePreambleOnFirstParse |
                             CXTranslationUnit_KeepGoing | CXTranslationUnit_DetailedPreprocessingRecord;
    if (clang_parseTranslationUnit2FullArgv(index, nullptr, pointers.data(), static_cast<int>(pointers.size()),
                                            unsaved.data(), static_cast<unsigned>(unsaved.size()), options,
                                            &unit) != CXError_Success) {
      return nullptr;
    }
    units.emplace_back(path, unit);
    if (units.size() > kUnitsMax) {
      clang_disposeTranslationUnit(units.front().second);
      units.erase(units.begin());
    }
    return unit;
  }
};

Typing::Typing(std::string database_directory) : state_(std::make_unique<State>()) {
  state_->database_directory = std::move(database_directory);
}

Typing::~Typing() = default;

void Typing::forget_commands() {
  for (auto& [path, unit] : state_->units) clang_disposeTranslationUnit(unit);
  state_->units.clear();
  state_->arguments.clear();
}

Meaning Typing::meaning(const std::string& path, const std::vector<Overlay>& overlays) {
  std::vector<CXUnsavedFile> unsaved;
  for (const Overlay& overlay : overlays) {
    unsaved.push_back({overlay.path.c_str(), overlay.text.data(), overlay.text.size()});
  }
  Meaning out;
  CXTranslationUnit unit = state_->parse(path, unsaved);
  if (!unit || has_errors(unit)) return out;
  CXFile file = clang_getFile(unit, path.c_str());
  size_t size = 0;
  if (!file || !clang_getFileContents(unit, file, &size)) return out;
  out.hash = hash_tokens(unit, file, size);
  clang_visitChildren(clang_getTranslationUnitCursor(unit), collect_function, &out.functions);
  return out;
}

}  // namespace heddle::frontend
