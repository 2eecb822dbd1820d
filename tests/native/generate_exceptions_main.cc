// Random C++ programs about exceptions: native_generate_exceptions SEED > program.cc. They print every constructor,
// destructor and handler, so that the output says in which order things happened.
//
// In:      a seed. Out: a program without undefined behaviour that ends by itself.
// Covers:  try blocks in each other and in handlers, function-try blocks, rethrowing, catching by value and reference,
//          bases and pointers, objects with destructors that throw and catch inside, exception_ptr, loops that leave
//          try blocks by break and continue, arrays of objects, noexcept functions that catch everything.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string run() {
    text_ =
        "#include <cstdio>\n#include <exception>\n"
        "static int steps;\n"
        "struct Log { int id; explicit Log(int n) : id(n) { std::printf(\"+%d\\n\", id); }\n"
        "  Log(const Log& o) : id(o.id + 1000) { std::printf(\"copy %d\\n\", id); }\n"
        "  ~Log() { std::printf(\"-%d %d\\n\", id, std::uncaught_exceptions()); } };\n"
        "struct Root { int v; explicit Root(int x) : v(x) {} Root(const Root&) = default; virtual ~Root() {}\n"
        "  virtual int id() const { return v; } };\n"
        "struct Side { int s = 3; virtual ~Side() {} };\n"
        "struct Leaf : Side, Root { Log log; explicit Leaf(int x) : Root(x), log(x + 500) {}\n"
        "  int id() const override { return v * 2 + s; } };\n"
        "struct Deep : virtual Root { explicit Deep(int x) : Root(x) {} };\n"
        "struct Busy { int id; ~Busy() { try { throw id; } catch (int k) { std::printf(\"busy %d %d\\n\", k,\n"
        "  std::uncaught_exceptions()); } } };\n"
        "static std::exception_ptr kept;\n"
        "static const int numbers[] = {1, 2, 3};\n";
    const int functions = 4 + pick(4);
    for (function_ = functions; function_-- > 0;) function();
    text_ += "int main() {\n";
    for (int k = 0; k < 4; ++k) {
      text_ += "  try { std::printf(\"result %d\\n\", f0(" + std::to_string(k) + ")); }\n" + handlers(2, true);
    }
    text_ += "  kept = nullptr;\n  std::printf(\"end\\n\");\n}\n";
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string number() { return std::to_string(++count_); }
  std::string pad(int depth) { return std::string(static_cast<size_t>(depth) * 2, ' '); }

  void function() {
    const std::string name = "f" + std::to_string(function_);
    const bool whole = pick(4) == 0;
    limit_ = 14;
    functions_above_ = calls_;
    text_ += "int " + name + "(int x) " + (whole ? "try " : "") + "{\n  Log own(" + number() + ");\n";
    text_ += block(1) + "  return x + " + number() + ";\n}\n";
    if (whole) text_ += "catch (Side& s) { std::printf(\"whole %d\\n\", s.s); if (x > 1) throw; return -1; }\n";
    ++calls_;
  }

  std::string block(int depth) {
    std::string text;
    for (int n = 1 + pick(3); n > 0; --n) text += statement(depth);
    return text;
  }

  std::string condition() {
    const char* const kinds[] = {"x % 2 == ", "x > ", "(x + steps) % 3 == ", "x != "};
    return kinds[pick(4)] + std::to_string(pick(3));
  }

  std::string thrown() {
    switch (pick(8)) {
      case 0: return "throw " + number() + ";";
      case 1: return "throw Root(" + number() + ");";
      case 2: return "throw Leaf(" + number() + ");";
      case 3: return "throw Deep(" + number() + ");";
      case 4: return "throw &numbers[" + std::to_string(pick(3)) + "];";
      case 5: return "throw \"t" + number() + "\";";
      case 6: return "throw " + number() + ".5;";
      default: return "throw Log(" + number() + ");";
    }
  }

  std::string call() {
    const int above = functions_above_;
    if (above == 0) return "++steps;";
    return "x += f" + std::to_string(function_ + 1 + pick(above)) + "(x % 3);";
  }

  std::string statement(int depth) {
    const std::string p = pad(depth);
    if (depth > 4 || --limit_ < 0) return p + "if (" + condition() + ") " + thrown() + "\n";
    switch (pick(10)) {
      case 0: return p + "if (" + condition() + ") " + thrown() + "\n";
      case 1: return p + "Log l" + number() + "(" + number() + ");\n";
      case 2: return p + call() + "\n";
      case 3: return p + "Busy b" + number() + "{" + number() + "};\n";
      case 4:
        return p + "for (int i = 0; i < 3; ++i) {\n" + p + "  Log l(" + number() + ");\n" + loop(depth) + p + "}\n";
      case 5: return p + "{ Log two[2] = {Log(" + number() + "), Log(" + number() + ")}; " + call() + " }\n";
      case 6: return p + "if (kept && " + condition() + ") std::rethrow_exception(kept);\n";
      case 7: return p + "++steps; std::printf(\"at %d %d\\n\", x, steps);\n";
      default: return p + "try {\n" + block(depth + 1) + p + "}\n" + handlers(depth + 1, pick(2) == 0);
    }
  }

  std::string loop(int depth) {
    const std::string p = pad(depth + 1);
    const char* const leave[] = {"break", "continue", "return i"};
    return p + "try { if (" + condition() + ") " + leave[pick(3)] + "; if (i == " + std::to_string(pick(3)) + ") " +
           thrown() + " }\n" + handlers(depth + 1, true);
  }

  std::string handler_body(int depth) {
    const std::string p = pad(depth);
    switch (depth > 5 ? 0 : pick(6)) {
      case 0: return "";
      case 1: return p + "if (" + (depth > 2 ? condition() : "false") + ") throw;\n";
      case 2: return p + "kept = std::current_exception();\n";
      case 3: return p + "try { throw; } catch (Root& r) { std::printf(\"again %d\\n\", r.id()); } catch (...) { }\n";
      case 4: return depth > 2 ? p + "if (" + condition() + ") " + thrown() + "\n" : "";
      default:
        return p + "try {\n" + (depth > 2 ? statement(depth + 1) : "") + p +
               "} catch (int k) { std::printf(\"h %d\\n\", k); }" + (depth > 2 ? "" : " catch (...) {}") + "\n";
    }
  }

  std::string handlers(int depth, bool everything) {
    const std::string p = pad(depth - 1);
    std::string text;
    const int first = pick(3);
    // Bases behind what derives from them, else the compiler would warn; by value and by reference.
    if (first == 0)
      text += p + "catch (Leaf l) {\n" + p + "  std::printf(\"leaf %d\\n\", l.id());\n" +
              variable(handler_body(depth)) + p + "}\n";
    if (pick(2))
      text += p + "catch (const Root& r) {\n" + p + "  std::printf(\"root %d\\n\", r.id());\n" +
              variable(handler_body(depth)) + p + "}\n";
    if (pick(2))
      text += p + "catch (int e) {\n" + p + "  std::printf(\"int %d\\n\", e);\n" + variable(handler_body(depth)) + p +
              "}\n";
    if (pick(3) == 0)
      text += p + "catch (const int* e) {\n" + p + "  std::printf(\"pointer %d\\n\", *e);\n" + p + "}\n";
    if (pick(3) == 0) text += p + "catch (const char* e) {\n" + p + "  std::printf(\"text %s\\n\", e);\n" + p + "}\n";
    if (pick(3) == 0)
      text += p + "catch (const void* e) {\n" + p + "  std::printf(\"void %d\\n\", e != nullptr);\n" + p + "}\n";
    if (pick(3) == 0) text += p + "catch (Log& e) {\n" + p + "  std::printf(\"log %d\\n\", e.id);\n" + p + "}\n";
    if (everything || text.empty())
      text += p + "catch (...) {\n" + p + "  std::printf(\"any %d\\n\", std::uncaught_exceptions());\n" +
              variable(handler_body(depth)) + p + "}\n";
    return text;
  }

  // main has no x.
  std::string variable(std::string body) {
    if (function_ >= 0) return body;
    for (size_t at; (at = body.find("x ")) != std::string::npos;) body.replace(at, 2, "0 ");
    for (size_t at; (at = body.find("(x ")) != std::string::npos;) body.replace(at, 3, "(0 ");
    return body;
  }

  std::mt19937_64 random_;
  std::string text_;
  int count_ = 0, function_ = 0, limit_ = 0, calls_ = 0, functions_above_ = 0;
};

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: native_generate_exceptions SEED\n");
    return 2;
  }
  std::fputs(Generator(std::strtoull(words[1], nullptr, 10)).run().c_str(), stdout);
}
