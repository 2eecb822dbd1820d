// Puts Heddle's models of test frameworks in the place of the frameworks' headers and sources.
//
// In:      a view of the file system; the path and text of a file.
// Out:     a view in which the main headers of GoogleTest, Catch2 (2 and 3), doctest (2) and Boost.Test are models, their
//          sources empty, and the models are there where a framework is not installed. Clang's stdatomic.h takes what
//          GCC's does (gcc_atomics.h). A model makes each test case a
//          function that is found by its name (command/test_cases.h), and each failed check the end of a path.
// Cost:    files with a framework's name are read once.
// Owns:    shares the view; a table of the files that were looked at, for the process.
// Threads: any.
// Fails:   never. A version that is not known stays as it is; unknown_version() says so.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::frontend {

using FileView = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

// Name and text of each model; made at build time from the files in server/frontend/frameworks.
const std::vector<std::pair<std::string, std::string>>& framework_texts();

// What stands in the file's place; nothing: the file itself.
std::optional<std::string> model_of(std::string_view path, std::string_view text);
// A sentence about a file that is a framework's, of a version without a model.
std::optional<std::string> unknown_version(std::string_view path, std::string_view text);
bool may_be_of_framework(std::string_view path);   // by its name
bool is_framework_model(const std::string& path);  // it is on no disk
bool is_absent_framework(std::string_view error);  // Clang's words for a framework's header that is not installed
FileView with_framework_models(FileView below);

}  // namespace heddle::frontend
