// Reads `unknown-externals` of `.heddle.yaml`: what calls of functions do that nothing defines.
//
// In:      the node of the key.
// Out:     policies, added to those of outer files.
// Owns:    nothing.
// Threads: one.
// Fails:   a SettingsError with the place, thrown by the reader.
// From:    docs/SETTINGS.md, "Unknown functions".
#pragma once

#include "server/engine/settings/yaml_reader.h"
#include "server/machine/symbolic/inputs.h"

namespace heddle::engine {

void read_unknown_externals(const YamlReader& yaml, const YAML::Node& node, machine::UnknownCalls& out);

}  // namespace heddle::engine
