// Programs over integers, straight and with loops, from the bytes of the input: what the machine computes is what an
// evaluator of the same steps computes that knows nothing of C, Clang or the machine.
//
// A step is three bytes: what to do, with which variable, with what. Variables have 8 to 64 bits, with and without sign;
// all arithmetic is C's on them, where it is defined.
#include <array>

#include "tests/explore/c_program.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr int kVariables = 8, kStepsMost = 40;
struct Type {
  const char* name;
  int bits;
  bool has_sign;
};
constexpr Type kTypes[kVariables] = {{"uint8_t", 8, false},   {"int8_t", 8, true},     {"uint16_t", 16, false},
                                     {"int16_t", 16, true},   {"uint32_t", 32, false}, {"int32_t", 32, true},
                                     {"uint64_t", 64, false}, {"int64_t", 64, true}};

// As a number: sign or zero extended to 64 bits and more.
using Number = __int128;
Number stored(Number value, const Type& type) {
  const auto bits = static_cast<unsigned __int128>(value) & ((static_cast<unsigned __int128>(1) << type.bits) - 1);
  if (type.has_sign && (bits >> (type.bits - 1)) != 0)
    return static_cast<Number>(bits) - (static_cast<Number>(1) << type.bits);
  return static_cast<Number>(bits);
}

class Steps {
 public:
  Steps(const uint8_t* data, size_t size) {
    for (size_t n = 0; n + 3 <= size && n / 3 < kStepsMost; n += 3)
      step(data[n] % 12, data[n + 1] % kVariables, data[n + 2]);
    while (depth_ > 0) close();
  }

  std::string text() const {
    std::string result = "#include <stdint.h>\n#include <stdlib.h>\nint main(void) {\n";
    for (int v = 0; v < kVariables; ++v)
      result += std::string("  ") + kTypes[v].name + " v" + std::to_string(v) + " = " + std::to_string(v + 1) + ";\n";
    result += body_;
    for (int v = 0; v < kVariables; ++v)
      result += "  if ((uint64_t)v" + std::to_string(v) +
                " != " + std::to_string(static_cast<uint64_t>(values_[static_cast<size_t>(v)])) + "u) abort();\n";
    return result + "  return 0;\n}\n";
  }

 private:
  // Both at once: the text, and what it computes. Loops are run by doing what is in them again.
  struct Done {
    int what, to;
    uint8_t with;
  };

  void step(int what, int to, uint8_t with) {
    if (what == 10) return open(with);
    if (what == 11) return close();
    body_ += statement({what, to, with});
    if (depth_ > 0) loop_.push_back({what, to, with});
    perform({what, to, with});
  }

  void open(uint8_t with) {
    if (depth_ > 0) return;  // one loop within another says no more
    depth_ = 1;
    rounds_ = with % 5;
    body_ += "  for (int i = 0; i <= " + std::to_string(rounds_) + "; i++) {\n";
    loop_.clear();
  }

  void close() {
    if (depth_ == 0) return;
    depth_ = 0;
    body_ += "  }\n";
    for (int n = 0; n < rounds_; ++n)
      for (const Done& done : loop_) perform(done);
  }

  static std::string name(int v) { return "v" + std::to_string(v); }

  // Arithmetic is done in 64 bits without sign, and the result stored in the variable's type.
  static std::string statement(const Done& s) {
    const std::string to = "  " + name(s.to) + " = ", left = "(uint64_t)" + name(s.to),
                      right = "(uint64_t)" + name(s.with % kVariables);
    const auto cast = [&](const std::string& value) { return to + "(" + kTypes[s.to].name + ")(" + value + ");\n"; };
    switch (s.what) {
      case 0: return cast(left + " + " + right);
      case 1: return cast(left + " - " + right);
      case 2: return cast(left + " * " + right);
      case 3: return cast(left + " ^ " + right);
      case 4: return cast(left + " & ~" + right);
      case 5: return cast(left + " << " + std::to_string(s.with % 64));
      case 6:
        return to + "(" + kTypes[s.to].name + ")(" + name(s.to) + " >> " + std::to_string(s.with % kTypes[s.to].bits) +
               ");\n";
      case 7: return cast(left + " / (" + right + " | 1)");
      case 8:
        return cast(name(s.to) + " < " + std::to_string(static_cast<int>(s.with) - 128) + "LL ? " + left +
                    " + 3 : " + right);
      default: return cast(std::to_string(s.with) + "u * 0x9e3779b97f4a7c15u");
    }
  }

  void perform(const Done& s) {
    Number& to = values_[static_cast<size_t>(s.to)];
    const Type& type = kTypes[s.to];
    const auto left = static_cast<uint64_t>(to), right = static_cast<uint64_t>(values_[s.with % kVariables]);
    // `<` compares as long long; a uint64_t with long long as without sign.
    const bool less = s.to == 6 ? left < static_cast<uint64_t>(static_cast<int64_t>(s.with) - 128)
                                : to < static_cast<int>(s.with) - 128;
    uint64_t result = 0;
    switch (s.what) {
      case 0: result = left + right; break;
      case 1: result = left - right; break;
      case 2: result = left * right; break;
      case 3: result = left ^ right; break;
      case 4: result = left & ~right; break;
      case 5: result = left << s.with % 64; break;
      case 6: to = stored(to >> (s.with % type.bits), type); return;
      case 7: result = left / (right | 1); break;
      case 8: result = less ? left + 3 : right; break;
      default: result = s.with * uint64_t{0x9e3779b97f4a7c15u}; break;
    }
    to = stored(static_cast<Number>(result), type);
  }

  std::string body_;
  std::array<Number, kVariables> values_ = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<Done> loop_;
  int depth_ = 0, rounds_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const std::string text = Steps(data, size).text();
  const explore::Explored explored = explore::run_full(explore::CProgram(text));
  if (!explored.findings.empty()) std::fprintf(stderr, "%s%s\n", text.c_str(), explored.findings[0].message.c_str());
  FUZZ_CHECK(explored.findings.empty());
  FUZZ_CHECK(explored.result.completeness == explore::Completeness::Complete);
  return 0;
}
