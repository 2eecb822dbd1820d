#include "client/config/config.h"

#include "client/config/origins.h"
#include "client/config/schemas.h"
#include "client/report/harmless_text.h"

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kValueWidth = 60;
constexpr int kNameWidth = 33;

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

const char* word(Origin origin) {
  switch (origin) {
    case Origin::File: return "file";
    case Origin::Git: return "git";
    case Origin::Environment: return "environment";
    case Origin::Default: break;
  }
  return "default";
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "none";
  const std::string text = value.is_string() ? value.get<std::string>() : dump(value);
  return text.size() > kValueWidth ? text.substr(0, kValueWidth) + "..." : text;
}

std::string origin_text(const Setting& setting, const Style& style) {
  if (setting.origin == Origin::File) return style.path(setting.file) + ":" + std::to_string(setting.line);
  return setting.origin == Origin::Git ? "git config" : word(setting.origin);
}

void print_text(const Setting& setting, const Style& style, std::FILE* out) {
  const std::string value = harmless(value_text(setting.value)), origin = origin_text(setting, style);
  const bool plain = setting.origin == Origin::Default;
  std::fprintf(out, "%-*s %s  %s\n", kNameWidth, harmless(setting.name).c_str(),
               plain ? value.c_str() : style.paint(Ink::Bold, value).c_str(),
               style.paint(Ink::Dim, "(" + harmless(origin) + ")").c_str());
  if (!setting.is_known) std::fprintf(out, "  %s\n", style.paint(Ink::Red, harmless(setting.meaning)).c_str());
}

void print_json(const Setting& setting, std::FILE* out) {
  Json object = {{"type", "setting"},
                 {"schemaVersion", 1},
                 {"name", setting.name},
                 {"value", setting.value},
                 {"origin", word(setting.origin)},
                 {"meaning", setting.meaning}};
  if (setting.origin == Origin::File) {
    object["file"] = setting.file;
    object["line"] = setting.line;
  }
  std::fprintf(out, "%s\n", dump(object).c_str());
}

}  // namespace

std::optional<Failure> print_settings(const std::string& root, bool json, const Style& style, std::FILE* out) {
  const auto found = find_settings(root);
  if (const auto* failure = std::get_if<Failure>(&found)) return *failure;
  bool environment = false;
  for (const Setting& setting : std::get<0>(found)) {
    environment |= setting.origin == Origin::Environment;
    json ? print_json(setting, out) : print_text(setting, style, out);
  }
  if (environment && !json)
    std::fprintf(out, "A running daemon has the environment that it was started with: `heddle daemon restart`.\n");
  return std::nullopt;
}

std::optional<Failure> print_schema(const std::string& name, std::FILE* out) {
  const std::string_view text = name == "settings" ? asset::settings_schema_json
                                : name == "jsonl"  ? asset::jsonl_schema_json
                                                   : std::string_view();
  if (text.empty()) return Failure{"there is no schema '" + name + "'", "use `settings` or `jsonl`"};
  std::fwrite(text.data(), 1, text.size(), out);
  return std::nullopt;
}

}  // namespace heddle::client
