// Help texts in lines of at most 100 columns, as terminals and logs show them.
//
// In:      a command of the table.
// Out:     its help as CLI11 lays it out, with long descriptions in several lines.
// Owns:    nothing.
// Threads: any.
// Fails:   never. A word that is longer than a line has a line of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace heddle::client {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::string described(const std::string& text) const;  // in the right column
};

// The text with line feeds between words so that no line is longer. Lines that it has stay.
std::string wrapped(const std::string& text, size_t columns);

}  // namespace heddle::client
