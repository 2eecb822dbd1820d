// What the terminal can show: width, colour, characters; and how paths are shown.
//
// In:      environment, file descriptors, the current folder.
// Out:     plain values; widths in columns, at least 40.
// Owns:    values.
// Threads: any; reads the environment.
// Fails:   never; what cannot be found out is plain: no colour, ASCII, 100 columns.
#pragma once

#include <string>
#include <string_view>

namespace heddle::client {

enum class ColourChoice : unsigned char { Auto, Always, Never };

enum class Ink : unsigned char { Plain, Bold, Dim, Red, Green, Yellow, Cyan, Magenta };

struct Style {
  bool colour = false;
  bool unicode = false;
  unsigned width = 100;
  std::string current_directory;  // paths below it are shown relative to it

  std::string paint(Ink ink, std::string_view text) const;
  std::string path(const std::string& absolute) const;
  std::string paths(std::string text) const;  // all that it names
};

Style detect_style(int fd, ColourChoice choice);  // COLUMNS, NO_COLOR, TERM, the locale
bool is_terminal(int fd);

// Columns a text takes: code points, escape sequences not counted.
unsigned display_width(std::string_view text);

}  // namespace heddle::client
