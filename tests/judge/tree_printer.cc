#include "tests/judge/tree_printer.h"

#include <algorithm>
#include <utility>

#include "tests/judge/unseen.h"

namespace heddle::judge {

TreePrinter::Parts TreePrinter::parts() {
  Parts parts;
  begin(std::any_of(tree_.globals.begin(), tree_.globals.end(),
                    [](const Global& g) { return g.kind == GlobalKind::Box; }));
  text_ += kThroughAnAddress;
  if (tree_.unseen) text_ += unseen_functions(tree_);
  if (tree_.inputs) {
    const std::string linkage = tree_.language == Language::Cxx ? "extern \"C\" " : "";
    line(0, linkage + "unsigned char __VERIFIER_nondet_uchar(void);");
    line(0, linkage + "void __VERIFIER_assume(int);");
    text_ += kTake;
  }
  parts.shared = std::exchange(text_, {});
  for (const Global& global : tree_.globals) {
    declare(global, std::to_string(global.value));
    if (tree_.unseen && global.kind == GlobalKind::Integer) line(0, unseen_handler(global));
    parts.globals.push_back(std::exchange(text_, {}));
  }
  for (const Function& function : tree_.functions) {
    define(function);
    parts.functions.push_back(std::exchange(text_, {}));
  }
  main();
  parts.main = std::exchange(text_, {});
  return parts;
}

std::string TreePrinter::run() {
  const Parts pieces = parts();
  std::string text = pieces.shared;
  for (const std::string& global : pieces.globals) text += global;
  for (const std::string& function : pieces.functions) text += function;
  return text + pieces.main;
}

void TreePrinter::take_inputs() {
  for (const Global& g : tree_.globals)
    if (g.kind == GlobalKind::Input) line(1, g.name + " = take( " + std::to_string(g.value) + " );");
}

void TreePrinter::line(int depth, const std::string& text) {
  text_ += std::string(static_cast<size_t>(depth) * 2, ' ') + text + "\n";
}

// What a once object runs, and the number it sets.
void TreePrinter::initialiser(const Global& once, const std::string& value, const std::string& parameters) {
  const std::string counter = "q" + once.name.substr(1);
  line(0, "int " + counter + ";");
  line(0, "void set_" + once.name + "(" + parameters + ") { " + counter + " += " + value + "; }");
}

void TreePrinter::define(const Function& f) {
  for (int n = 0; n < tree_.blank_lines; ++n) line(0, "");
  for (const std::string& words : tree_.comments) line(0, comment(words));
  head(f);
  line(1, "int " + f.first_local + " = " + f.parameter + ", " + f.second_local + " = 0;");
  statements(f.body, 1);
  line(1, "return " + result(f) + ";");
  line(0, "}");
}

void TreePrinter::statements(const std::vector<Statement>& list, int depth) {
  for (const Statement& s : list) statement(s, depth);
}

void TreePrinter::statement(const Statement& s, int depth) {
  if (s.kind == StatementKind::Plain) return line(depth, s.text);
  if (s.kind == StatementKind::Locked) return locked(s, depth);
  line(depth, (s.kind == StatementKind::If ? "if (" + s.text + ")" : s.text) + " {");
  statements(s.body, depth + 1);
  line(depth, "}");
}

}  // namespace heddle::judge
