#include "server/engine/settings/unused_names.h"

#include <yaml-cpp/yaml.h>

#include "server/machine/symbolic/unknown_call.h"

namespace heddle::engine {

void UnusedNames::meet(const machine::Image& image, const machine::UnknownCalls& calls) {
  if (calls.by_name.empty()) return;
  for (const std::string& name : machine::names_that_decide(image, calls)) used_.insert(name);
}

std::vector<v1::Diagnostic> UnusedNames::warnings(const machine::UnknownCalls& calls, const std::string& file,
                                                  const FileReader& read) const {
  constexpr size_t kSettingsMost = 1u << 20;
  std::vector<v1::Diagnostic> out;
  if (calls.by_name.empty()) return out;
  std::string problem;
  const std::optional<std::string> text = read(file, kSettingsMost, problem);
  if (!text) return out;
  YAML::Node externals;
  try {
    const YAML::Node settings = YAML::Load(*text);
    if (settings.IsMap()) externals = settings["unknown-externals"];
  } catch (const YAML::Exception&) {  // it was read without errors before, and saved again meanwhile
    return out;
  }
  if (!externals || !externals.IsMap()) return out;
  for (const auto& entry : externals) {
    if (!entry.first.IsScalar()) continue;
    const std::string& name = entry.first.Scalar();
    if (name == "default" || used_.count(name) != 0) continue;
    v1::Diagnostic diagnostic;
    diagnostic.set_severity("warning");
    diagnostic.set_file(file);
    diagnostic.set_line(static_cast<uint32_t>(entry.first.Mark().line + 1));
    diagnostic.set_column(static_cast<uint32_t>(entry.first.Mark().column + 1));
    diagnostic.set_message("unknown-externals names '" + name +
                           "', and no program of this check calls a function of that name that nothing defines");
    out.push_back(std::move(diagnostic));
  }
  return out;
}

}  // namespace heddle::engine
