#include "client/lsp/uri.h"

#include <cctype>
#include <string_view>

#include "server/daemon/paths.h"
#include "server/disk/utf8_name.h"

namespace heddle::client::lsp {

std::string uri_of(const std::string& path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : disk::file_of_name(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

std::string path_of(const std::string& uri) {
  std::string_view rest(uri);
  if (!rest.starts_with("file:")) return "";
  rest.remove_prefix(5);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const size_t slash = rest.find('/');
    const std::string_view host = rest.substr(0, slash);
    if (slash == rest.npos || (!host.empty() && host != "localhost")) return "";
    rest.remove_prefix(slash);
  }
  std::string path;
  for (size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == '%' && at + 2 < rest.size() && std::isxdigit(static_cast<unsigned char>(rest[at + 1])) &&
        std::isxdigit(static_cast<unsigned char>(rest[at + 2]))) {
      path += static_cast<char>(std::stoi(std::string(rest.substr(at + 1, 2)), nullptr, 16));
      at += 2;
    } else {
      path += rest[at];
    }
  }
  if (!path.starts_with('/') || path.find('\0') != path.npos) return "";
  return disk::utf8_name(daemon::absolute_path(path, "/"));
}

}  // namespace heddle::client::lsp
