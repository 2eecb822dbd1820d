#include "server/engine/settings/unfitting_values.h"

#include <yaml-cpp/yaml.h>

#include "server/machine/symbolic/unknown_call.h"

namespace heddle::engine {

namespace {

std::string type_of(const program::Instruction& call) {
  if (call.width == 1) return "a boolean";
  return (machine::returns_signed(call) ? "a signed integer of " : "an unsigned integer of ") +
         std::to_string(call.width) + " bits";
}

// Where the values stand: in the innermost file that has them.
SettingsError error_at(const std::string& setting, const std::string& key, const std::vector<std::string>& files,
                       const FileReader& read) {
  constexpr size_t kSettingsMost = 1u << 20;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (!file->ends_with(kSettingsFile) && *file != user_settings_file()) continue;
    std::string problem;
    const std::optional<std::string> text = read(*file, kSettingsMost, problem);
    if (!text) continue;
    const YAML::Node externals = YAML::Load(*text)["unknown-externals"];  // it was read before
    const YAML::Node entry =
        externals && externals.IsMap() ? externals[setting.empty() ? "default" : setting] : externals;
    if (!entry || !entry.IsMap() || !entry[key]) continue;
    const YAML::Mark at = entry[key].Mark();
    return {*file, static_cast<uint32_t>(at.line + 1), static_cast<uint32_t>(at.column + 1), "", "", {}};
  }
  return {files.empty() ? "" : files.front(), 0, 0, "", "", {}};
}

}  // namespace

std::optional<SettingsError> unfitting_values(const machine::ImagePtr& image, const machine::UnknownCalls& calls,
                                              const std::vector<std::string>& files, const FileReader& read) {
  const std::vector<machine::UnfittingCall> all = machine::unfitting_calls(*image, calls);
  if (all.empty()) return std::nullopt;
  const machine::UnfittingCall& found = all.front();
  SettingsError error = error_at(found.setting, found.fills ? "fills" : "fresh", files, read);
  if (found.fills) {
    error.message = "fills of '" + found.function + "' names an argument that is not there, or neither a pointer nor " +
                    "its size: a call has " + std::to_string(found.arguments) +
                    (found.arguments == 1 ? " argument" : " arguments");
    error.remedy = "count the arguments from 1";
  } else if (machine::returns_integer(found.call)) {
    error.message = "no value of fresh fits the result of '" + found.function + "', " + type_of(found.call);
    error.remedy = found.setting.empty() ? "give values of that type, or an entry for '" + found.function + "'"
                                         : "give values of that type";
  } else {
    error.message = "'" + found.function + "' returns no integer of up to 64 bits, and fresh of it has values";
    error.remedy = "write the word fresh alone";
  }
  return error;
}

}  // namespace heddle::engine
