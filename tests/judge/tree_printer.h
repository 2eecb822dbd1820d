// The text of a tree, as far as C and C++ write it alike: order, indentation, statements.
//
// In:      a tree. Out: run(): one statement a line; parts(): the same in pieces, in order, for several files.
//          Derived: what each language writes its own way.
// Owns:    the text. Threads: one. Fails: never.
#pragma once

#include <string>
#include <vector>

#include "tests/judge/program_tree.h"

namespace heddle::judge {

class TreePrinter {
 public:
  explicit TreePrinter(const Tree& tree) : tree_(tree) {}
  virtual ~TreePrinter() = default;
  TreePrinter(const TreePrinter&) = delete;
  TreePrinter& operator=(const TreePrinter&) = delete;

  struct Parts {
    std::string shared;  // headers, types, functions that every program has
    std::vector<std::string> globals, functions;
    std::string main;
  };
  Parts parts();
  std::string run();

 protected:
  virtual void begin(bool boxes) = 0;  // headers and what every program has; `boxes`: some global is one
  virtual void declare(const Global& global, const std::string& value) = 0;
  virtual std::string comment(const std::string& words) const = 0;
  virtual void head(const Function& function) = 0;  // up to its locals
  virtual std::string result(const Function& function) const = 0;
  virtual void locked(const Statement& statement, int depth) = 0;
  virtual void main() = 0;

  void take_inputs();  // the first thing that main does
  void line(int depth, const std::string& text);
  void statements(const std::vector<Statement>& list, int depth);
  void initialiser(const Global& once, const std::string& value, const std::string& parameters);

  const Tree& tree_;
  std::string text_;

 private:
  void define(const Function& function);
  void statement(const Statement& statement, int depth);
};

TreePrinter::Parts parts_c(const Tree& tree);
TreePrinter::Parts parts_cxx(const Tree& tree);

}  // namespace heddle::judge
