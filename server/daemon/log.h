// The daemon's log: a rotating file in the state folder, or standard error.
//
// In:      texts of one line.
// Out:     a file and up to 3 older ones, of 4 MB each; HEDDLE_LOG=debug adds the debug lines.
// Owns:    the process's default spdlog logger.
// Threads: any, after open_log().
// Fails:   never; a log that cannot be opened or written loses its lines.
#pragma once

#include <string>

namespace heddle::daemon {

enum class LogTarget { File, StandardError };
void open_log(LogTarget target, const std::string& path);
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_debug(const std::string& text);  // HEDDLE_LOG=debug

}  // namespace heddle::daemon
