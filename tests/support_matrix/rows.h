// The rows of docs/SUPPORT.md: what Heddle makes of a construct or library function, each with a program that proves
// it.
//
// In:      files of rows (README.md has the notation).
// Out:     per file one program whose argument selects the row; the page.
// Owns:    values. Threads: any.
// Fails:   throws std::runtime_error with file and line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test {

enum class State : uint8_t { Supported, Partly, Not };

struct Row {
  std::string group, construct;
  State state = State::Supported;
  std::string remark;              // Partly: what is missing; Not: what happens
  std::vector<std::string> rules;  // findings that must be reported, no other; sorted
  std::string limit;               // Not: part of the message
  std::string declarations, body;
  uint32_t line = 0;
};

struct RowFile {
  std::string path;
  std::vector<std::string> flags;  // of the compiler; the language is that of the first, -xc or -xc++
  std::string head;
  bool separately = false;  // each row is a program of its own
  std::vector<Row> rows;
  std::string program() const;  // main(argc, argv) runs the row of number argv[1]
};

RowFile read_rows(const std::string& path);
std::string page_of(const std::vector<RowFile>& files);

}  // namespace heddle::test
