#include "server/daemon/log.h"

#include <spdlog/sinks/null_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string_view>

namespace heddle::daemon {
namespace {

constexpr size_t kFileBytesMax = 4u << 20, kFilesMax = 3;

spdlog::sink_ptr make_sink(LogTarget target, const std::string& path) {
  if (target == LogTarget::StandardError) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  try {
    return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path, kFileBytesMax, kFilesMax);
  } catch (const spdlog::spdlog_ex&) {
    return std::make_shared<spdlog::sinks::null_sink_mt>();
  }
}

}  // namespace

void open_log(LogTarget target, const std::string& path) {
  auto logger = std::make_shared<spdlog::logger>("heddled", make_sink(target, path));
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %P %L %v");
  logger->set_error_handler([](const std::string&) {});  // a full disk: the line is lost, nothing else
  const char* level = std::getenv("HEDDLE_LOG");
  logger->set_level(level && std::string_view(level) == "debug" ? spdlog::level::debug : spdlog::level::info);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_info(const std::string& text) { spdlog::info("{}", text); }
void log_warning(const std::string& text) { spdlog::warn("{}", text); }
void log_debug(const std::string& text) { spdlog::debug("{}", text); }

}  // namespace heddle::daemon
