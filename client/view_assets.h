// The files of client/view, inside the binary. view_assets.cc is made from them by the build.
#pragma once

#include <string_view>

namespace heddle::client::asset {

extern const std::string_view interleaving_model_js, interleaving_view_js, interleaving_css, report_js, report_css;

}  // namespace heddle::client::asset
