// Small C programs with two unknown inputs of two to four bits, from a seed.
//
// In:      a seed. Out: the text with inputs, with each of their bits tried both ways, or with two values in their
//          place. The lines are the same in all of them.
// Owns:    its text. Threads: one per generator. Fails: never.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace heddle::explore {

class RandomInputs {
 public:
  explicit RandomInputs(uint32_t seed) : random_(seed) {
    first_bits_ = 2 + below(3);
    second_bits_ = first_bits_ == 4 ? 2 : 2 + below(2);
    for (int thread = 0; thread < 2; ++thread) {
      body_ += "void *worker" + std::to_string(thread) + "(void *p) {\n  int own = " + std::to_string(below(3)) + ";\n";
      const uint32_t count = 1 + below(2);
      for (uint32_t n = 0; n < count; ++n) body_ += statement();
      body_ += "  return 0;\n}\n";
    }
    if (below(4) == 0) assumption_ = "  __VERIFIER_assume" + condition("0") + ";\n";
    ending_ = "  assert(x != " + std::to_string(below(6)) + " || " + condition("0") + ");\n";
    if (below(2) == 0) ending_.clear();
  }

  uint32_t first_bits() const { return first_bits_; }
  uint32_t second_bits() const { return second_bits_; }
  // Locks are all that orders its threads.
  bool only_locks() const { return only_locks_; }

  std::string with_inputs() const {
    return text("unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 1 << bits); return n;",
                "take(" + std::to_string(first_bits_) + ")", "take(" + std::to_string(second_bits_) + ")");
  }
  // Each bit is sampled: of a bit that is every value.
  std::string with_bits() const {
    return text("unsigned n = 0; for (int i = 0; i < bits; i++) n = n * 2 + __VERIFIER_nondet_bool(); return n;",
                "take(" + std::to_string(first_bits_) + ")", "take(" + std::to_string(second_bits_) + ")");
  }
  std::string with_values(uint32_t first, uint32_t second) const {
    return text("return bits;", std::to_string(first), std::to_string(second));
  }

 private:
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  std::string text(const std::string& take, const std::string& first, const std::string& second) const {
    return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n"
           "unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);\n"
           "void __VERIFIER_assume(int);\n"
           "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
           "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
           "int x, y, go, cells[4]; unsigned char first, second; atomic_int z;\n"
           "struct pair { unsigned char one; short other; };\n"
           "int mix(int m, signed char n) { return m > n ? m - n : n * 2 + m; }\n"
           "int sum(struct pair p) { struct pair q = p; return q.one + q.other; }\n"
           "int added(unsigned char m, unsigned char n) {\n"
           "  unsigned char s; return __builtin_add_overflow(m, n, &s) ? -1 : s; }\n"
           "int product(signed char m, signed char n) {\n"
           "  signed char s; return __builtin_mul_overflow(m, n, &s) ? -1 : s; }\n"
           "unsigned char take(int bits) { " +
           take + " }\n" + body_ + "int main(void) {\n  pthread_t t, u;\n  first = " + first + "; second = " + second +
           ";\n" + assumption_ +
           "  pthread_create(&t, 0, worker0, 0); pthread_create(&u, 0, worker1, 0);\n"
           "  pthread_join(t, 0); pthread_join(u, 0);\n" +
           ending_ + "  return 0;\n}\n";
  }

  std::string number() {
    const char* const inputs[] = {"first", "second"};
    const std::string one = inputs[below(2)], other = inputs[below(2)], small = std::to_string(below(4));
    switch (below(24)) {
      case 0: return one;
      case 1: return "(" + one + " + " + other + ")";
      case 2: return "(" + one + " * 3)";
      case 3: return "(" + one + " ^ " + other + ")";
      case 4: return "(" + one + " << 1)";
      case 5: return "(7 / (" + one + " + " + std::to_string(below(2)) + "))";
      case 6: return "(" + one + " % (" + other + " + 1))";
      case 7: return "(short)(-" + one + ")";
      case 8: return "(" + one + " > " + other + " ? " + one + " : 1)";
      case 9: return "(int)((long)" + one + " - " + other + ")";
      case 10: return "(int)((unsigned)(" + one + " - 1) >> 30)";
      case 11: return "(signed char)(" + one + " * 43)";
      case 12: return "(unsigned short)(~" + one + " & 7)";
      case 13: return "(int)(1u << " + one + " >> " + small + ")";
      case 14: return "mix(" + one + ", (signed char)(" + other + " - " + small + "))";
      case 15: return "sum((struct pair){" + one + ", (short)(" + small + " - " + other + ")})";
      case 16: return "added((unsigned char)(" + one + " * 60), (unsigned char)(" + other + " * 30))";
      case 17: return "product((signed char)(" + one + " * 9), (signed char)(" + other + " * 7 - 10))";
      case 18: return "((" + one + " - " + small + ") / (" + other + " - " + std::to_string(below(4)) + "))";
      case 19: return "(int)((unsigned long)" + one + " << 33 >> (30 + " + other + "))";
      case 20: return "((" + one + " | " + small + ") % 4 - (" + one + " == " + other + "))";
      case 21: return "cells[(" + one + " ^ " + other + ") & 3]";
      case 22: return "(_Bool)" + one;
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
    switch (below(12)) {
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
      case 4: return "  " + locked("a", "cells[first & 3] = " + number() + "; if (cells[second & 3] > 2) x++;") + "\n";
      case 5:
        return "  for (int i = 0; i < (second & 3); i++) {\n    own += " + number() + ";\n  }\n  if (own == 5) { " +
               locked("a", "x++;") + " }\n";
      case 6:
        return "  if " + condition("own") + " {\n    " +
               locked("a", "\n    pthread_mutex_lock(&b); y++; pthread_mutex_unlock(&b);") + "\n  } else {\n    " +
               locked("b", "\n    pthread_mutex_lock(&a); y--; pthread_mutex_unlock(&a);") + "\n  }\n";
      case 7:
        return "  { struct pair p = {first, (short)" + number() +
               "}, q = p; q.one ^= second;\n    if (q.one == q.other) { " + locked("a", "x++;") + " } }\n";
      case 8:
        only_locks_ = false;  // what ends by an assumption is no execution
        return "  __VERIFIER_assume" + condition("own") + ";\n  " + locked(mutex, "y += own;") + "\n";
      default: return ordered();
    }
  }

  // Statements whose order more than locks decide.
  std::string ordered() {
    only_locks_ = false;
    const char* const operations[] = {"add", "sub", "xor", "or", "and"};
    switch (below(6)) {
      case 4:
        return "  { int e = " + number() + "; if (atomic_compare_exchange_strong(&z, &e, own + " + number() +
               ")) own += e; else own -= e; }\n  if (own == 2) { " + locked("a", "x++;") + " }\n";
      case 5: return "  if (atomic_exchange(&z, " + number() + ") == 1) {\n    " + locked("a", "y++;") + "\n  }\n";
      case 0: return "  own = atomic_fetch_" + std::string(operations[below(5)]) + "(&z, " + number() + ");\n";
      case 1: return "  if (atomic_load(&z) == " + number() + ") {\n    " + locked("a", "x++;") + "\n  }\n";
      case 2:
        return "  pthread_mutex_lock(&a);\n  if " + condition("own") +
               " { go = 1; pthread_cond_signal(&c); }\n  pthread_mutex_unlock(&a);\n";
      default:
        return "  pthread_mutex_lock(&a);\n  if (" + number() +
               " == 2) {\n    while (!go) pthread_cond_wait(&c, &a);\n    x++;\n  }\n  pthread_mutex_unlock(&a);\n";
    }
  }

  std::mt19937 random_;
  uint32_t first_bits_ = 2, second_bits_ = 2;
  bool only_locks_ = true;
  std::string body_, assumption_, ending_;
};

}  // namespace heddle::explore
