// Changes compile commands as the `.clangd` files above the sources say: `CompileFlags` with `Add`, `Remove` and
// `Compiler`, under `If` with `PathMatch` and `PathExclude`.
//
// In:      commands; the files `.clangd` in the folders of their sources and in all that contain these.
// Out:     the commands changed, by outer files first. The rest of such a file is clangd's alone; CompilationDatabase,
//          too, is not followed.
// Owns:    nothing; each file is read once a call.
// Threads: any.
// Fails:   with file, line and column: no YAML, a value of the wrong kind, a regular expression that is none. The flags
//          get no more trust than those of a database (`server/frontend/reuse/harmless.h`).
// From:    clangd's documentation of its configuration.
#pragma once

#include <optional>

#include "server/frontend/command/project.h"

namespace heddle::frontend {

inline constexpr const char* kClangdFile = ".clangd";

std::optional<ProjectError> apply_clangd_files(Project& project);

}  // namespace heddle::frontend
