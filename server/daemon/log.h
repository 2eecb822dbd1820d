// The daemon's log: a rotating file in the state folder. A log that cannot be written is given up, never the daemon.
//
// Threads: callable anywhere after open_log. Fails: never.
#pragma once

#include <string>

namespace heddle::daemon {

enum class LogTarget { File, StandardError };
void open_log(LogTarget target, const std::string& path);
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_debug(const std::string& text);   // HEDDLE_LOG=debug

}  // namespace heddle::daemon
