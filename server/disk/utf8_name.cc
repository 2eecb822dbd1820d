#include "server/disk/utf8_name.h"

#include <sys/stat.h>

#include <cstdint>
#include <cstdio>

namespace heddle::disk {
namespace {

constexpr size_t kSignsMost = 64;

// Bytes of the character at the beginning; 0: none begins there.
size_t character_bytes(std::string_view text) {
  const auto at = [&](size_t n) -> uint32_t { return n < text.size() ? static_cast<unsigned char>(text[n]) : 0; };
  const uint32_t first = at(0);
  const size_t bytes = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (bytes <= 1) return bytes;
  uint32_t value = first & (0x7fu >> bytes);
  for (size_t n = 1; n < bytes; ++n) {
    if (at(n) >> 6 != 2) return 0;
    value = value << 6 | (at(n) & 63);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return value < kLeast[bytes] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : bytes;
}

std::string with_signs(std::string_view text, const std::string& sign) {
  std::string out;
  while (!text.empty()) {
    size_t bytes = character_bytes(text);
    if (bytes > 0) {
      out += text.substr(0, bytes);
    } else {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
      out += sign + digits;
      bytes = 1;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

bool is_there(const std::string& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0;
}

int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

// Bytes that are part of no ASCII only: others were never written so.
std::string without_signs(std::string_view text, const std::string& sign) {
  std::string out;
  while (!text.empty()) {
    const bool begins = text.starts_with(sign) && text.size() >= sign.size() + 2;
    const int high = begins ? digit_of(text[sign.size()]) : -1, low = begins ? digit_of(text[sign.size() + 1]) : -1;
    if (high >= 8 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      text.remove_prefix(sign.size() + 2);
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string utf8_name(const std::string& path) {
  if (is_utf8(path)) return path;
  std::string sign = "%";
  while (sign.size() < kSignsMost && is_there(with_signs(path, sign))) sign += '%';
  return with_signs(path, sign);
}

std::string file_of_name(const std::string& name) {
  if (name.find('%') == name.npos || is_there(name)) return name;
  for (std::string sign = "%"; sign.size() <= kSignsMost && name.find(sign) != name.npos; sign += '%') {
    std::string path = without_signs(name, sign);
    if (path != name && is_there(path) && utf8_name(path) == name) return path;
  }
  return name;
}

}  // namespace heddle::disk
