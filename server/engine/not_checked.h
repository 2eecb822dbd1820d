// What a check cannot look at, and says so: projects without a program, files that do not compile, what is left out.
//
// In:      the loaded project; the request; sentences.
// Out:     verdicts of kind ERROR with a remedy; limits of a verdict, which is then no longer clear.
// Owns:    nothing; values.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/project/project.h"

namespace heddle::engine {

v1::Verdict error_verdict(v1::ErrorClass kind, const std::string& message);

// A commit, all of whose files the settings leave out.
bool is_all_ignored(const Loaded& loaded, const v1::CheckRequest& request);
// Why no target is checked: errors in all files, an unknown name, nothing with main() ...
v1::Verdict no_target(const Loaded& loaded, const v1::CheckRequest& request, const Project& project);

// Usage if all errors are annotations of ours that are wrong: other compilers build the text.
v1::ErrorClass error_class(const std::vector<CompiledUnitPtr>& failed);
std::string build_message(const std::vector<CompiledUnitPtr>& failed, const v1::CheckRequest& request,
                          const Project& project);
void add_diagnostics(v1::Verdict& verdict, const std::vector<CompiledUnitPtr>& failed);

// True if no version of the file ever compiled: it may define anything.
bool never_compiled(const CompiledUnit& unit, const Loaded& loaded);
// Units that the target needs and that do not compile. A file that never compiled may define what the target lacks,
// unless the build says that the target does not link it.
std::vector<CompiledUnitPtr> broken_units(const frontend::Target& target, const Loaded& loaded, Version& version,
                                          const v1::CheckRequest& request, const Project& project);

// Texts that a user gave for files (Overlay::asked), and that none of the checked targets has: sentences.
std::vector<std::string> unused_texts(const v1::CheckRequest& request, const std::vector<std::string>& settings_files,
                                      const std::vector<const frontend::Target*>& targets, const Loaded& loaded);

// Nothing is clear that was not looked at: the sentences are limits, and a clear verdict becomes inconclusive.
void report_left_out(const std::vector<std::string>& sentences, v1::Verdict& verdict);

}  // namespace heddle::engine
