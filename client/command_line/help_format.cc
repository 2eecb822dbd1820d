#include "client/command_line/help_format.h"

#include <sstream>

namespace heddle::client {
namespace {

constexpr size_t kColumnsMost = 100;

}  // namespace

std::string wrapped(const std::string& text, size_t columns) {
  std::string out;
  size_t used = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (used > 0 && used + word.size() > columns) {
      while (out.ends_with(' ')) out.pop_back();
      out += '\n';
      used = 0;
    }
    out += word;
    used += word.size();
    if (end < text.size()) {
      out += text[end];
      used = text[end] == '\n' ? 0 : used + 1;
    }
    at = end + 1;
  }
  return out;
}

std::string HelpFormat::described(const std::string& text) const {
  return wrapped(text, kColumnsMost - get_column_width());
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), kColumnsMost);
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_footer(app), kColumnsMost);
}

std::string HelpFormat::make_subcommand(const CLI::App* sub) const {
  std::ostringstream out;
  CLI::detail::format_help(out, sub->get_display_name(true), described(sub->get_description()), get_column_width());
  return out.str();
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return described(CLI::Formatter::make_option_desc(option));
}

}  // namespace heddle::client
