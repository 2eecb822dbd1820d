// The files of client/view, inside the binary. The build makes view_assets.cc from them.
//
// In:      nothing.
// Out:     their text.
// Owns:    constant text.
// Threads: any.
// Fails:   never.
#pragma once

#include <string_view>

namespace heddle::client::asset {

extern const std::string_view interleaving_model_js, interleaving_parts_js, interleaving_view_js, interleaving_css,
    report_js, report_css;

}  // namespace heddle::client::asset
