// The JSON schemas, inside the binary. The build makes schemas.cc from the files next to this one.
//
// In:      nothing.
// Out:     their text.
// Owns:    constant text.
// Threads: any.
// Fails:   never.
// From:    JSON Schema, draft 7.
#pragma once

#include <string_view>

namespace heddle::client::asset {

extern const std::string_view settings_schema_json, jsonl_schema_json;

}  // namespace heddle::client::asset
