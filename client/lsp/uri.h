// file: URIs and absolute paths (RFC 3986, as editors write them).
//
// Threads: pure functions. Fails: a URI that names no local file gives an empty path.
#pragma once

#include <string>

namespace heddle::client::lsp {

std::string uri_of(const std::string& path);
std::string path_of(const std::string& uri);  // lexically normal

}  // namespace heddle::client::lsp
