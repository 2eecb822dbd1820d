// Chooses the targets of a check, and their order.
//
// In:      a request, and the units and targets of its project.
// Out:     the targets that the request names, or those that its files are part of. What the user works on comes first:
//          a program that a named file or an unsaved text belongs to alone, then by the newest text of what the others
//          do not share, then by name. A message names what is near a target that is not there.
// Cost:    linear in units and their dependencies, and one look at the disk for each text.
// Owns:    nothing; the pointers are into what was loaded.
// Threads: any.
// Fails:   never. A text whose time is not known counts as the oldest.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/project/project.h"
#include "server/engine/settings/ignored_paths.h"

namespace heddle::engine {

// `touched_before`: names of targets that an edit touches because of what they were before it.
std::vector<const frontend::Target*> wanted_targets(const v1::CheckRequest& request, const Loaded& loaded,
                                                    const std::set<std::string>& touched_before,
                                                    const std::function<bool(const frontend::Target&)>& also);

// Takes the programs that the settings ignore out of what was loaded, and says so there. A target that the request
// names stays.
void leave_out_ignored(const std::vector<IgnoredPath>& ignored, const std::string& root,
                       const v1::CheckRequest& request, Loaded& loaded);

// By one of its names.
bool is_called(const frontend::Target& target, const std::string& name);

std::string no_such_target(const std::string& name, const std::vector<frontend::Target>& targets);

// "a, b and 3 more"
std::string shown_names(const std::vector<frontend::Target>& targets);

}  // namespace heddle::engine
