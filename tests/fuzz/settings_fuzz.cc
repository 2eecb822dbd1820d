// `.heddle.yaml` as any text: settings, or an error that names the file.
#include "server/engine/settings/project_settings.h"
#include "server/engine/settings/settings.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const std::string text = fuzz::text_of(data, size);
  const auto read = [&](const std::string& path, uint64_t, std::string&) -> std::optional<std::string> {
    return path == "/project/.heddle.yaml" ? std::optional(text) : std::nullopt;
  };
  const auto result = engine::read_project_settings("/project", read);
  if (const auto* error = std::get_if<engine::SettingsError>(&result)) {
    FUZZ_CHECK(!error->message.empty() && error->text().find('\n') == std::string::npos);
    return 0;
  }
  engine::Settings settings;
  settings.apply(std::get<engine::ProjectSettings>(result));
  FUZZ_CHECK(settings.hash() == settings.hash());
  return 0;
}
