#include "server/base/power.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace heddle::base {
namespace {

namespace fs = std::filesystem;

std::string word_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

}  // namespace

bool is_on_battery(const std::string& supplies) {
  std::error_code error;
  bool discharging = false;
  for (fs::directory_iterator entry(supplies, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& supply = entry->path();
    const std::string type = word_in(supply / "type");
    if (type == "Mains" || type == "USB") {
      if (word_in(supply / "online") == "1") return false;
    } else if (type == "Battery" && word_in(supply / "scope") != "Device") {  // not that of a mouse
      discharging |= word_in(supply / "status") == "Discharging";
    }
  }
  return discharging;
}

std::string power_supplies() {
  const char* const other = std::getenv("HEDDLE_POWER_SUPPLY");
  return other ? other : "/sys/class/power_supply";
}

}  // namespace heddle::base
