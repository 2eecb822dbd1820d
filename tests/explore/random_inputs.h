// Small C programs with unknown inputs of two bits, from a seed.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace heddle::explore {

class RandomInputs {
 public:
  explicit RandomInputs(uint32_t seed) : random_(seed) {
    for (int thread = 0; thread < 2; ++thread) {
      body_ += "void *worker" + std::to_string(thread) + "(void *p) {\n  int own = " + std::to_string(below(3)) + ";\n";
      const uint32_t count = 1 + below(2);
      for (uint32_t n = 0; n < count; ++n) body_ += statement();
      body_ += "  return 0;\n}\n";
    }
    ending_ = "  assert(x != " + std::to_string(below(6)) + " || " + condition("0") + ");\n";
    if (below(2) == 0) ending_.clear();
  }

  // With inputs, or with these values in their place, on the same lines.
  std::string with_inputs() const { return text("take()", "take()"); }
  std::string with_values(uint32_t first, uint32_t second) const {
    return text(std::to_string(first), std::to_string(second));
  }

 private:
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  std::string text(const std::string& first, const std::string& second) const {
    return "#include <assert.h>\n#include <pthread.h>\n#include <string.h>\n"
           "unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n"
           "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
           "int x, y, cells[4]; unsigned char first, second;\n"
           "unsigned char take(void) { unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 4); return "
           "n; }\n" +
           body_ + "int main(void) {\n  pthread_t t, u;\n  first = " + first + "; second = " + second +
           ";\n"
           "  pthread_create(&t, 0, worker0, 0); pthread_create(&u, 0, worker1, 0);\n"
           "  pthread_join(t, 0); pthread_join(u, 0);\n" +
           ending_ + "  return 0;\n}\n";
  }

  std::string number() {
    const char* const inputs[] = {"first", "second"};
    const std::string one = inputs[below(2)], other = inputs[below(2)];
    switch (below(12)) {
      case 0: return one;
      case 1: return "(" + one + " + " + other + ")";
      case 2: return "(" + one + " * 3)";
      case 3: return "(" + one + " ^ " + other + ")";
      case 4: return "(" + one + " << 1)";
      case 5: return "(7 / (" + one + " + " + std::to_string(below(2)) + "))";
      case 6: return "(" + one + " % (" + other + " + 1))";
      case 7: return "(short)(-" + one + ")";
      case 8: return "(" + one + " > " + other + " ? " + one + " : 1)";
      case 9: return "((long)" + one + " - " + other + ")";
      case 10: return "(unsigned)(" + one + " - 1)";
      default: return "cells[" + one + (below(4) == 0 ? " + 1]" : "]");
    }
  }

  std::string condition(const std::string& own) {
    const char* const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    return "(" + number() + " + " + own + " " + compare[below(6)] + " " + std::to_string(below(5)) + ")";
  }

  std::string locked(const std::string& mutex, const std::string& what) {
    return "pthread_mutex_lock(&" + mutex + "); " + what + " pthread_mutex_unlock(&" + mutex + ");";
  }

  std::string statement() {
    const std::string mutex = below(2) == 0 ? "a" : "b";
    switch (below(5)) {
      case 0:
        return "  if " + condition("own") + " {\n    " + locked("a", "x++;") + "\n  } else {\n    " +
               locked(mutex, "y++;") + "\n  }\n";
      case 1: return "  own = " + number() + ";\n  if (own > 1) { " + locked("a", "x += own;") + " }\n";
      case 2:
        return "  switch (" + number() + ") {\n    case 0: " + locked("a", "x++;") +
               " break;\n    case 2: " + locked("b", "y++;") +
               " break;\n    case 3: own = 1; break;\n    default: break;\n  }\n";
      case 3:
        return "  { unsigned char copy[2]; memcpy(copy, &first, 1); copy[1] = second; short both; memcpy(&both, copy, "
               "2);\n"
               "    if (both > 512) { " +
               locked("a", "x += 2;") + " } }\n";
      default: return "  " + locked("a", "cells[first & 3] = " + number() + "; if (cells[second & 3] > 2) x++;") + "\n";
    }
  }

  std::mt19937 random_;
  std::string body_, ending_;
};

}  // namespace heddle::explore
