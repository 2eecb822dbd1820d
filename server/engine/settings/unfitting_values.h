// Values of `unknown-externals` that no result of their function can have: known only once the program is.
//
// In:      the image of a program; the policies of its settings; the files that they were read from, outer ones first.
// Out:     an error at the values in the settings file; nothing: each call has a value.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
// From:    docs/SETTINGS.md, "Unknown functions".
#pragma once

#include <optional>

#include "server/engine/settings/project_settings.h"

namespace heddle::engine {

std::optional<SettingsError> unfitting_values(const machine::ImagePtr& image, const machine::UnknownCalls& calls,
                                              const std::vector<std::string>& files, const FileReader& read);

}  // namespace heddle::engine
