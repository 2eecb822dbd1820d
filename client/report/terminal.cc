#include "client/report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle::client {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos || value.find("UTF8") != value.npos;
  }
  return false;
}

constexpr std::string_view kInkCodes[] = {"", "1", "2", "1;31", "32", "33", "36", "35"};

}  // namespace

bool is_terminal(int fd) { return isatty(fd) == 1; }

Style detect_style(int fd, ColourChoice choice) {
  Style style;
  const bool terminal = is_terminal(fd);
  const bool dumb = environment("TERM") == "dumb" || environment("TERM").empty();
  style.colour = choice == ColourChoice::Always ||
                 (choice == ColourChoice::Auto && terminal && !dumb && environment("NO_COLOR").empty());
  style.unicode = utf8_locale();
  winsize size{};
  if (const int columns = std::atoi(std::string(environment("COLUMNS")).c_str()); columns > 0) {
    style.width = static_cast<unsigned>(columns);
  } else if (terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  if (style.width < 40) style.width = 40;
  if (char* directory = getcwd(nullptr, 0)) {
    style.current_directory = directory;
    std::free(directory);
  }
  return style;
}

std::string Style::paint(Ink ink, std::string_view text) const {
  if (!colour || ink == Ink::Plain || text.find_first_not_of(' ') == text.npos) return std::string(text);
  std::string result = "\x1b[";
  result += kInkCodes[static_cast<size_t>(ink)];
  result += 'm';
  result += text;
  return result + "\x1b[0m";
}

std::string Style::path(const std::string& absolute) const {
  const size_t size = current_directory.size();
  if (size > 1 && absolute.size() > size + 1 && absolute.starts_with(current_directory) && absolute[size] == '/') {
    return absolute.substr(size + 1);
  }
  return absolute;
}

std::string Style::paths(std::string text) const {
  const std::string prefix = current_directory + "/";
  if (prefix.size() < 3) return text;
  for (size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(')
      text.erase(at, prefix.size());
    else
      ++at;
  }
  return text;
}

unsigned display_width(std::string_view text) {
  unsigned width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

}  // namespace heddle::client
