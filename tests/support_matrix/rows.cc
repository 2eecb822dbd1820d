#include "tests/support_matrix/rows.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace heddle::test {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) {
    const size_t begin = part.find_first_not_of(' '), end = part.find_last_not_of(' ');
    parts.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
  }
  return parts;
}

// "group | construct", then any of "finding: RULES", "partly: TEXT", "not: TEXT (MESSAGE)".
Row read_head(const std::string& text, const std::string& where) {
  const std::vector<std::string> parts = split(text, '|');
  if (parts.size() < 2) throw std::runtime_error(where + ": a row needs a group and a construct");
  Row row;
  row.group = parts[0];
  row.construct = parts[1];
  for (size_t n = 2; n < parts.size(); ++n) {
    const std::string& part = parts[n];
    const size_t colon = part.find(": ");
    const std::string key = part.substr(0, colon), value = colon == std::string::npos ? "" : part.substr(colon + 2);
    if (key == "finding") {
      row.rules = split(value, ',');
      std::sort(row.rules.begin(), row.rules.end());
    } else if (key == "partly") {
      row.state = State::Partly;
      row.remark = value;
    } else if (key == "not") {
      row.state = State::Not;
      row.remark = value;
    } else if (key == "limit") {
      row.limit = value;
    } else {
      throw std::runtime_error(where + ": unknown word '" + key + "'");
    }
  }
  if (row.state == State::Not && row.limit.empty() && row.rules.empty())
    throw std::runtime_error(where + ": a construct that is not supported needs `limit:` or `finding:`");
  return row;
}

std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 4) text.replace(at, 1, "&lt;");
  return text;
}

}  // namespace

RowFile read_rows(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  RowFile file;
  file.path = path;
  std::string declarations;
  bool declaring = false;
  uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string where = path + ":" + std::to_string(number);
    if (line.starts_with("//# flags: ")) {
      file.flags = split(line.substr(11), ' ');
    } else if (line == "//# separately") {
      file.separately = true;
    } else if (line == "//# declare") {
      declaring = true;
      declarations.clear();
    } else if (line.starts_with("//# row: ")) {
      file.rows.push_back(read_head(line.substr(9), where));
      file.rows.back().line = number;
      file.rows.back().declarations = std::exchange(declarations, "");
      declaring = false;
    } else if (line.starts_with("//#")) {
      throw std::runtime_error(where + ": unknown line");
    } else if (declaring) {
      declarations += line + "\n";
    } else {
      (file.rows.empty() ? file.head : file.rows.back().body) += line + "\n";
    }
  }
  if (file.rows.empty() || file.flags.empty()) throw std::runtime_error(path + ": no row, or no flags");
  return file;
}

std::string RowFile::program() const {
  std::string text = head;
  for (size_t n = 0; n < rows.size(); ++n) {
    const std::string place = "#line " + std::to_string(rows[n].line + 1) + "\n";
    text += rows[n].declarations + "static void row_" + std::to_string(n) + "(void) {\n" + place + rows[n].body + "}\n";
  }
  text +=
      "int main(int argc, char **argv) {\n  int n = 0;\n  for (const char *p = argv[1]; *p; p++) n = n * 10 + *p - "
      "'0';\n"
      "  switch (n) {\n";
  for (size_t n = 0; n < rows.size(); ++n)
    text += "    case " + std::to_string(n) + ": row_" + std::to_string(n) + "(); return 0;\n";
  return text + "  }\n  return argc;\n}\n";
}

std::string page_of(const std::vector<RowFile>& files) {
  size_t counts[3] = {0, 0, 0}, rows = 0;
  std::vector<std::string> groups;
  for (const RowFile& file : files)
    for (const Row& row : file.rows) {
      ++counts[static_cast<size_t>(row.state)];
      ++rows;
      if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
    }
  std::string page =
      "# What is supported\n\n"
      "Made by `./dev support` from `tests/support_matrix/rows`: each row is a program that is run in every\n"
      "interleaving and fails if the construct is mishandled. A test fails when this page is out of date.\n\n" +
      std::to_string(rows) + " rows: " + std::to_string(counts[0]) + " supported, " + std::to_string(counts[1]) +
      " partly, " + std::to_string(counts[2]) + " not.\n";
  for (const std::string& group : groups) {
    page += "\n## " + group + "\n\n| construct | state |\n|---|---|\n";
    for (const RowFile& file : files)
      for (const Row& row : file.rows) {
        if (row.group != group) continue;
        std::string state = row.state == State::Supported ? "supported"
                            : row.state == State::Partly  ? "partly: " + row.remark
                                                          : "not: " + row.remark;
        if (row.state == State::Supported && !row.rules.empty()) {
          state += ", found as";
          for (const std::string& rule : row.rules) state += " `" + rule + "`";
        }
        page += "| " + escaped(row.construct) + " | " + escaped(state) + " |\n";
      }
  }
  return page;
}

}  // namespace heddle::test
