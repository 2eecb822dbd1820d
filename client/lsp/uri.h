// File URIs and absolute paths, as editors write them.
//
// In:      an absolute path, or a URI.
// Out:     the other.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; a URI that names no local file gives an empty path.
// From:    RFC 3986.
#pragma once

#include <string>

namespace heddle::client::lsp {

std::string uri_of(const std::string& path);
std::string path_of(const std::string& uri);  // lexically normal

}  // namespace heddle::client::lsp
