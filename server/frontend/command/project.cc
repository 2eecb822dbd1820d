#include <llvm/Support/CommandLine.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "server/disk/project_place.h"
#include "server/disk/read.h"
#include "server/frontend/command/checked_files.h"
#include "server/frontend/command/clangd_file.h"
#include "server/frontend/command/compile_command.h"
#include "server/frontend/command/json_text.h"
#include "server/frontend/command/paths.h"
#include "server/frontend/command/project.h"
#include "server/frontend/command/targets.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kResponseMost = uint64_t{4} << 20;  // bytes of a command's response files
constexpr uint64_t kDatabaseMost = uint64_t{256} << 20;

bool file_exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !error;
}

std::vector<std::string> split_command(const std::string& text) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

// Replaces @file by the arguments in it; one that cannot be read stays, and is said by the compiler.
void expand_response_files(CompileCommand& command) {
  if (std::none_of(command.arguments.begin(), command.arguments.end(),
                   [](const std::string& argument) { return argument.starts_with('@'); }))
    return;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  for (const std::string& argument : command.arguments) words.push_back(argument.c_str());
  llvm::cl::ExpansionContext context(memory, llvm::cl::TokenizeGNUCommandLine);
  context.setCurrentDir(command.directory);
  // Files that name each other twice would grow without end.
  const auto files = checked_files(llvm::vfs::getRealFileSystem(), {kResponseMost, kResponseMost});
  context.setVFS(files.get());
  if (llvm::Error error = context.expandResponseFiles(words)) return llvm::consumeError(std::move(error));
  command.arguments = {words.begin(), words.end()};
}

// The deepest directory that contains all files.
std::string common_directory(const std::vector<CompileCommand>& commands) {
  if (commands.empty()) return {};
  fs::path common = fs::path(commands[0].file).parent_path();
  for (const CompileCommand& command : commands) {
    fs::path shared;
    const fs::path other = fs::path(command.file).parent_path();
    for (auto a = common.begin(), b = other.begin(); a != common.end() && b != other.end() && *a == *b; ++a, ++b)
      shared /= *a;
    common = shared;
  }
  return common.string();
}

bool is_source(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  for (const char* known : {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii"})
    if (extension == known) return true;
  return false;
}

// Where the command puts the object.
std::string output_of(const CompileCommand& command, llvm::StringRef named) {
  std::string output = named.str();
  for (size_t n = 1; output.empty() && n < command.arguments.size(); ++n) {
    const std::string& argument = command.arguments[n];
    if (argument == "-o" && n + 1 < command.arguments.size()) output = command.arguments[n + 1];
    const bool joined = argument.size() > 2 && argument.starts_with("-o") && !argument.starts_with("-openmp");
    if (joined) output = argument.substr(2);
  }
  return output.empty() ? output : absolute_path(output, command.directory);
}

std::optional<CompileCommand> read_entry(const llvm::json::Value& value, const std::string& database_directory) {
  const llvm::json::Object* object = value.getAsObject();
  if (!object) return std::nullopt;
  const auto file = object->getString("file");
  if (!file) return std::nullopt;
  CompileCommand made;
  made.directory = absolute_path(object->getString("directory").value_or("").str(), database_directory);
  if (made.directory.size() > 1 && made.directory.back() == '/') made.directory.pop_back();
  made.file = absolute_path(file->str(), made.directory);
  if (const llvm::json::Array* arguments = object->getArray("arguments")) {
    for (const llvm::json::Value& argument : *arguments)
      if (const auto text = argument.getAsString()) made.arguments.push_back(text->str());
  } else if (const auto command = object->getString("command")) {
    made.arguments = split_command(command->str());
  }
  if (made.arguments.empty()) return std::nullopt;
  expand_response_files(made);
  if (std::string output = output_of(made, object->getString("output").value_or("")); !output.empty())
    made.outputs.push_back(std::move(output));
  return made;
}

// What of a command changes the program. A file of a static and of a shared library is compiled twice with one meaning.
std::vector<std::string> meaning_of(const CompileCommand& command) {
  std::vector<std::string> kept;
  bool relative = false;
  for (const std::string& argument : effective_arguments(command)) {
    const bool exports = argument.starts_with("-D") && argument.ends_with("_EXPORTS");
    const bool of_shared_library =
        exports || argument == "-fPIC" || argument == "-fpic" || argument == "-fPIE" || argument == "-fpie";
    const bool of_build = argument.starts_with("-O") || argument.starts_with("-g") || argument.starts_with("-W");
    if (of_shared_library || of_build) continue;
    relative |= argument.starts_with("-I") ? argument.size() > 2 && argument[2] != '/'
                                           : argument[0] != '-' && argument[0] != '/';
    kept.push_back(argument);
  }
  kept.erase(kept.begin());        // Clang's name
  std::erase(kept, command.file);  // one file may have two names
  if (relative) kept.push_back("(in the folder " + command.directory + ")");
  return kept;
}

// "with -DSECOND", "without -DFIRST"; empty: the two mean the same.
std::string difference(const CompileCommand& first, const CompileCommand& other) {
  const std::vector<std::string> here = meaning_of(first), there = meaning_of(other);
  const auto missing = [](const std::vector<std::string>& from, const std::vector<std::string>& in) {
    constexpr size_t kShown = 4;
    std::string text;
    size_t count = 0;
    for (const std::string& argument : from)
      if (std::find(in.begin(), in.end(), argument) == in.end() && ++count <= kShown) text += " " + argument;
    return text + (count > kShown ? " ..." : "");
  };
  if (here == there) return "";
  if (const std::string more = missing(there, here); !more.empty()) return "with" + more;
  if (const std::string fewer = missing(here, there); !fewer.empty()) return "without" + fewer;
  return "with its flags in another order";
}

// The files that names lead to. A link to a file of another folder stays a file of its own: headers are searched next
// to the link.
class FilesOfNames {
 public:
  std::string file_of(const std::string& name) {
    std::error_code error;
    const fs::path path = name, folder = real_folder(path.parent_path());
    if (folder.empty()) return name;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return (folder / path.filename()).string();
    const fs::path file = fs::canonical(path, error);
    return error || file.parent_path() != folder ? (folder / path.filename()).string() : file.string();
  }

 private:
  const fs::path& real_folder(const fs::path& name) {
    const auto [at, fresh] = folders_.try_emplace(name.string());
    std::error_code error;
    if (fresh) at->second = fs::canonical(name, error);
    return at->second;
  }
  std::map<std::string, fs::path> folders_;
};

// As the daemon and the clients find it (disk::root_of_database), if any of the sources is below it. A database that is
// kept apart from its sources says nothing about where they belong.
std::string root_of(const std::vector<CompileCommand>& commands, const std::string& directory) {
  const std::string root = disk::root_of_database(directory);
  const bool any = std::any_of(commands.begin(), commands.end(), [&](const CompileCommand& command) {
    return !fs::path(command.file).lexically_relative(root).string().starts_with("..");
  });
  return any ? root : common_directory(commands);
}

void sort_by_file(Project& project) {
  std::sort(project.commands.begin(), project.commands.end(),
            [](const auto& a, const auto& b) { return a.file < b.file; });
}

// The commands of one file. A program is checked with the one whose object it is linked from, where the outputs say so.
void keep_variants(Project& project, std::vector<CompileCommand> commands) {
  const CompileCommand& first = commands.front();
  std::vector<std::string> others;
  for (const CompileCommand& command : commands)
    if (std::string other = difference(first, command); !other.empty()) others.push_back(std::move(other));
  if (others.empty()) return;
  const bool known = std::all_of(commands.begin(), commands.end(),
                                 [](const CompileCommand& command) { return !groups_of(command).empty(); });
  if (!known)
    for (const std::string& other : others)
      project.notes.push_back(first.file + " has several compile commands; the first one is checked, not the one " +
                              other);
  const std::string file = first.file;
  if (known) project.variants.emplace(file, std::move(commands));
}

std::variant<Project, ProjectError> read_database(const std::string& path) {
  std::string problem;
  const auto text = disk::read_regular(path, kDatabaseMost, &problem);
  if (!text) return ProjectError{path + " " + problem, "Make the file readable, or name another directory with -p."};
  if (is_nested_deeper(*text, kNestedMost))
    return ProjectError{path + " is not a compilation database: it is nested too deeply",
                        "Generate it again (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)."};
  auto parsed = llvm::json::parse(*text);
  if (!parsed)
    return ProjectError{path + " is not a compilation database: " + llvm::toString(parsed.takeError()),
                        "Generate it again (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)."};
  const llvm::json::Array* entries = parsed->getAsArray();
  if (!entries)
    return ProjectError{path + " is not a compilation database: it holds no list of commands",
                        "Generate it again (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)."};
  if (entries->empty())
    return ProjectError{path + " is empty: nothing was compiled while it was made",
                        "Build everything anew under the tool that records it: make clean, then bear -- make."};
  Project project;
  project.database = path;
  project.source = CommandSource::Database;
  const std::string directory = fs::path(path).parent_path().string();
  std::map<std::string, CompileCommand> by_file;
  std::map<std::string, std::vector<CompileCommand>> all;
  FilesOfNames names;
  size_t broken = 0;
  for (const llvm::json::Value& entry : *entries) {
    std::optional<CompileCommand> command = read_entry(entry, directory);
    if (!command) {
      ++broken;
      continue;
    }
    if (!is_source(command->file)) continue;
    if (!file_exists(command->file)) {
      project.notes.push_back(command->file + " is in the database but does not exist");
      continue;
    }
    const std::string file = names.file_of(command->file);
    all[file].push_back(*command);
    const auto known = by_file.find(file);
    if (known == by_file.end()) {
      by_file.emplace(file, std::move(*command));
      continue;
    }
    known->second.outputs.insert(known->second.outputs.end(), command->outputs.begin(), command->outputs.end());
  }
  for (auto& [file, commands] : all) keep_variants(project, std::move(commands));
  if (broken) project.notes.push_back(std::to_string(broken) + " entries of " + path + " have no file or no command");
  if (by_file.empty())
    return ProjectError{path + " names no source file that exists",
                        "Generate it again after the last files were moved."};
  for (auto& [file, command] : by_file) project.commands.push_back(std::move(command));
  sort_by_file(project);
  std::sort(project.notes.begin(), project.notes.end());
  project.notes.erase(std::unique(project.notes.begin(), project.notes.end()), project.notes.end());
  project.root = root_of(project.commands, directory);
  project.build = build_targets(path, project.commands);
  return project;
}

CompileCommand plain_command(const std::string& file, const std::vector<std::string>& flags) {
  CompileCommand made;
  made.file = file;
  made.directory = fs::path(file).parent_path().string();
  const auto of_cxx = [](const std::string& flag) {
    return flag.starts_with("-std=c++") || flag.starts_with("-std=gnu++");
  };
  const bool cxx_header = file.ends_with(".h") && std::any_of(flags.begin(), flags.end(), of_cxx);
  made.arguments = cxx_header ? std::vector<std::string>{"c++", "-x", "c++"} : std::vector<std::string>{"cc"};
  made.arguments.insert(made.arguments.end(), flags.begin(), flags.end());
  made.arguments.push_back(file);
  return made;
}

std::variant<std::vector<std::string>, ProjectError> read_flags_file(const std::string& path) {
  std::string problem;
  const auto text = disk::read_regular(path, kResponseMost, &problem);
  if (!text) return ProjectError{path + " " + problem, "Make the file readable, or give the flags after `--`."};
  std::vector<std::string> flags;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  llvm::StringRef(*text).split(lines, '\n');
  for (const llvm::StringRef line : lines)
    if (!line.trim().empty()) flags.push_back(line.trim().str());
  return flags;
}

// The named files, all with the flags that were given.
Project given_project(const ProjectRequest& request) {
  Project project;
  project.source = CommandSource::Given;
  for (const std::string& file : request.files) {
    project.commands.push_back(plain_command(file, request.flags));
    std::error_code error;
    const std::string here =
        request.flags_directory.empty() ? fs::current_path(error).string() : request.flags_directory;
    if (!error) project.commands.back().directory = here;
  }
  sort_by_file(project);
  project.root = common_directory(project.commands);
  return project;
}

// Where the commands come from.
std::variant<disk::ProjectPlace, ProjectError> find_place(const ProjectRequest& request) {
  if (request.files.empty() && request.database_directory.empty())
    return ProjectError{"no file and no project is given",
                        "name a file, or the directory of compile_commands.json with -p."};
  disk::ProjectPlace place = disk::find_project_place(request.files, request.database_directory, "", false);
  if (!place.database.empty() || request.database_directory.empty()) return place;
  return ProjectError{
      "no compile_commands.json in " + request.database_directory,
      "generate one (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; make: bear -- make), or give flags after `--`."};
}

// A file that the database knows by another name is asked for: its command has this name from here on.
void adopt_name(Project& project, const std::string& wanted) {
  const auto is_named = [&](const CompileCommand& command) { return command.file == wanted; };
  if (!is_source(wanted) || std::any_of(project.commands.begin(), project.commands.end(), is_named)) return;
  FilesOfNames names;
  const std::string file = names.file_of(wanted);
  for (CompileCommand& command : project.commands) {
    if (names.file_of(command.file) != file) continue;
    for (std::string& argument : command.arguments)
      if (!argument.starts_with('-') && absolute_path(argument, command.directory) == command.file) argument = wanted;
    command.file = wanted;
    return sort_by_file(project);
  }
}

std::vector<std::string> missing_files(const Project& project, const std::vector<std::string>& files) {
  std::vector<std::string> missing;
  for (const std::string& file : files)
    if (is_source(file) &&
        std::none_of(project.commands.begin(), project.commands.end(), [&](const auto& c) { return c.file == file; }))
      missing.push_back(file);
  return missing;
}

// The named files, with the flags of a flags file if there is one.
std::variant<Project, ProjectError> guessed_project(const ProjectRequest& request, const std::string& flags_file) {
  Project project;
  std::vector<std::string> flags;
  if (!flags_file.empty()) {
    auto read = read_flags_file(flags_file);
    if (auto* error = std::get_if<ProjectError>(&read)) return std::move(*error);
    flags = std::get<std::vector<std::string>>(std::move(read));
  }
  project.source = flags_file.empty() ? CommandSource::Guessed : CommandSource::FlagsFile;
  for (const std::string& file : request.files) {
    project.commands.push_back(plain_command(file, flags));
    if (!flags_file.empty()) project.commands.back().directory = fs::path(flags_file).parent_path().string();
  }
  sort_by_file(project);
  project.root = common_directory(project.commands);
  return project;
}

}  // namespace

static std::variant<Project, ProjectError> project_of_database(const ProjectRequest& request,
                                                               const disk::ProjectPlace& place) {
  auto read = read_database(place.database);
  // A database further up that has nothing to do with the file is not ours to complain about.
  if (std::holds_alternative<ProjectError>(read)) return read;
  Project& project = std::get<Project>(read);
  for (const std::string& file : request.files) adopt_name(project, file);
  const std::vector<std::string> missing = missing_files(project, request.files);
  if (missing.empty()) return read;
  const bool alone = missing.size() == request.files.size() && request.database_directory.empty();
  if (alone) {
    auto guessed = guessed_project(request, place.flags_file);
    if (auto* made = std::get_if<Project>(&guessed))
      made->notes.push_back("the named files are not in " + place.database + "; it is not used");
    return guessed;
  }
  for (const std::string& file : missing) {
    project.notes.push_back(file + " is not in the database; its command is guessed");
    project.commands.push_back(plain_command(file, {}));
  }
  sort_by_file(project);
  return read;
}

std::variant<Project, ProjectError> find_project(const ProjectRequest& request) {
  const auto is_given = [&](const std::string& file) {
    return std::find(request.texts.begin(), request.texts.end(), file) != request.texts.end();
  };
  for (const std::string& file : request.files)
    if (!is_given(file) && !file_exists(file)) return ProjectError{file + " does not exist", "Check the path."};
  if (!request.flags.empty()) {
    if (request.files.empty()) return ProjectError{"flags are given but no file", "Name the files before `--`."};
    return given_project(request);
  }
  const auto found = find_place(request);
  if (const auto* error = std::get_if<ProjectError>(&found)) return *error;
  const auto& place = std::get<disk::ProjectPlace>(found);
  auto made = place.database.empty() ? guessed_project(request, place.flags_file) : project_of_database(request, place);
  if (auto* project = std::get_if<Project>(&made))
    if (auto error = apply_clangd_files(*project)) return *std::move(error);
  return made;
}

}  // namespace heddle::frontend
