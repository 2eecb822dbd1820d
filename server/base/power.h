// Whether the machine runs on its battery.
//
// In:      a folder as the kernel's /sys/class/power_supply: a folder for each supply, with `type`, `online`, `status`.
// Out:     true if a battery of the machine is being discharged and no mains supply is there.
// Cost:    a few small files.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; what cannot be read is no battery.
// From:    the kernel's Documentation/ABI/testing/sysfs-class-power.
#pragma once

#include <string>

namespace heddle::base {

bool is_on_battery(const std::string& supplies);
std::string power_supplies();  // the kernel's folder, or HEDDLE_POWER_SUPPLY

}  // namespace heddle::base
