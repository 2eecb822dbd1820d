#include "client/report/numbers.h"

#include <cstdio>

#include "server/text/grouped.h"

namespace heddle::client {
namespace {

std::string formatted(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::string duration_text(double ms) {
  if (ms < 0) return "-";
  if (ms < 9.95) return formatted("%.1f ms", ms);
  if (ms < 999.5) return formatted("%.0f ms", ms);
  if (ms < 99'950) return formatted("%.2f s", ms / 1000);
  const auto seconds = static_cast<uint64_t>(ms / 1000);
  return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1u << 20) return std::to_string(bytes >> 10) + " kB";
  return text::grouped(bytes >> 20) + " MB";
}

}  // namespace heddle::client
