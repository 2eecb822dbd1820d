// What cannot run is named, and what is wrong in the use of synchronisation is said: one small program each.
#include <gtest/gtest.h>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

const std::string kHead =
    "#define _GNU_SOURCE\n#include <linux/futex.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <setjmp.h>\n"
    "#include <stdatomic.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n";

// The message of the fault that ends the program under the schedule that prefers the lowest thread.
std::string fault_of(const std::string& text, FaultKind kind) {
  Machine m(image_of(kHead + text), {});
  run(m, 0);
  const Fault* const fault = find_fault(m, kind);
  return fault == nullptr ? "no such fault" : fault->message;
}

int exit_of(const std::string& text) {
  Machine m(image_of(kHead + text), {});
  run(m, 0);
  return m.outcome() == Outcome::Finished ? m.exit_code() : -1;
}

TEST(Misuse, AsynchronousCancellationIsNamed) {
  EXPECT_EQ(
      fault_of("void *f(void *p) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); return p; }\n"
               "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, 0); }",
               FaultKind::Unsupported),
      "asynchronous cancellation (pthread_setcanceltype)");
}

TEST(Misuse, SystemCallsThatAreNotModelledAreNamed) {
  EXPECT_EQ(fault_of("int main(void) { return (int)syscall(SYS_ptrace, 0, 0, 0, 0); }", FaultKind::Unsupported),
            "system call number 101");
  EXPECT_EQ(fault_of("int w; int main(void) { return (int)syscall(SYS_futex, &w, FUTEX_LOCK_PI, 0, 0, 0, 0); }",
                     FaultKind::Unsupported),
            "futex operation 6");
  EXPECT_EQ(exit_of("int main(void) { return syscall(SYS_getpid) == getpid() ? 5 : 0; }"), 5);
}

TEST(Misuse, JumpsIntoFramesThatHaveEnded) {
  EXPECT_EQ(fault_of("jmp_buf b; int f(void) { return setjmp(b); } int main(void) { if (f() == 0) longjmp(b, 1); }",
                     FaultKind::Trap),
            "longjmp with a buffer of a function that has returned");
  EXPECT_EQ(fault_of("jmp_buf b; int main(void) { longjmp(b, 1); }", FaultKind::Trap),
            "longjmp with a buffer that no setjmp has filled");
}

TEST(Misuse, JumpsBackKeepWhatTheFrameHeld) {
  // 40 of `kept`, which the other branch never uses, and 2 rounds.
  EXPECT_EQ(
      exit_of("jmp_buf b; volatile int n; void g(int d) { if (d > 0) g(d - 1); else longjmp(b, 1); }\n"
              "int main(int c, char **v) { int kept = c * 40; if (setjmp(b) < 1) { int other = c * 7; n = other - 6; "
              "g(3); } if (++n < 3) longjmp(b, 1); return kept + n - 1; }"),
      42);
}

TEST(Misuse, UnalignedAtomics) {
  EXPECT_EQ(fault_of("char bytes[16] __attribute__((aligned(16))); int main(void) { return atomic_load((atomic_int *)"
                     "(bytes + 2)); }",
                     FaultKind::WildPointer),
            "atomic access to bytes+2, which is not aligned to 4 bytes");
  // Of memory that one thread alone reaches.
  EXPECT_EQ(fault_of("int main(void) { _Alignas(16) char bytes[16]; atomic_fetch_add((atomic_int *)(bytes + 2), 1);"
                     " return bytes[0]; }",
                     FaultKind::WildPointer),
            "atomic access to bytes+2, which is not aligned to 4 bytes");
  EXPECT_EQ(fault_of("int main(void) { atomic_long v[2]; int i = 2; atomic_store(&v[i], 1); return 0; }",
                     FaultKind::OutOfBounds),
            "atomically writes 8 bytes, just past the end of 'v' (16 bytes)");
}

TEST(Misuse, AtomicsOfOneThread) {  // each update beside the same one on a plain variable, in every width
  EXPECT_EQ(
      exit_of("#define TRY(T) { _Atomic T a; T p = 0x5a; atomic_store(&a, p); for (int i = 1; i < 40; i++) { \\\n"
              "  T x = (T)(0x1234567890abcdefUL * i), o = p; T g = 0; switch (i % 6) { \\\n"
              "  case 0: g = atomic_fetch_add(&a, x); p += x; break; case 1: g = atomic_fetch_sub(&a, x); p -= x; "
              "break; \\\n"
              "  case 2: g = atomic_fetch_or(&a, x); p |= x; break; case 3: g = atomic_fetch_and(&a, x); p &= x; "
              "break; \\\n"
              "  case 4: g = atomic_fetch_xor(&a, x); p ^= x; break; default: g = atomic_exchange(&a, x); p = x; } "
              "\\\n"
              "  if (g != o || atomic_load(&a) != p) return 1; } }\n"
              "int main(void) { TRY(unsigned char) TRY(unsigned short) TRY(unsigned) TRY(unsigned long) TRY(signed "
              "char) TRY(long) return 7; }"),
      7);
}

TEST(Misuse, AtomicCallsBySize) {
  // Against what libatomic of GCC 12 gives natively.
  EXPECT_EQ(
      exit_of("typedef unsigned __int128 u; u __atomic_load_16(const volatile void *, int);\n"
              "void __atomic_store_16(volatile void *, u, int); u __atomic_fetch_add_16(volatile void *, u, int);\n"
              "_Bool __atomic_compare_exchange_16(volatile void *, void *, u, int, int);\n"
              "unsigned char __atomic_sub_fetch_1(volatile void *, unsigned char, int);\n"
              "u w __attribute__((aligned(16))); unsigned char c = 3;\n"
              "int main(void) { __atomic_store_16(&w, (u)7 << 64 | 9, 5); u e = 3;\n"
              "if (__atomic_compare_exchange_16(&w, &e, 1, 5, 5) || e != ((u)7 << 64 | 9)) return 1;\n"
              "if (__atomic_fetch_add_16(&w, ~(u)0, 5) >> 64 != 7) return 2;\n"
              "if (__atomic_load_16(&w, 2) != ((u)7 << 64 | 8)) return 3;\n"
              "if (!__atomic_compare_exchange_16(&w, &(u){(u)7 << 64 | 8}, 4, 5, 5) || w != 4) return 4;\n"
              "return __atomic_sub_fetch_1(&c, 5, 0); }"),
      254);
}

TEST(Misuse, DestroyedObjects) {
  EXPECT_EQ(fault_of("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_destroy(&m); "
                     "pthread_mutex_lock(&m); }",
                     FaultKind::LockMisuse),
            "uses m after it was destroyed");
  EXPECT_EQ(fault_of("sem_t s; int main(void) { sem_post(&s); }", FaultKind::LockMisuse),
            "uses s, which was never initialised");
}

TEST(Misuse, ThreadHandles) {
  const std::string begin =
      "void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); ";
  EXPECT_EQ(fault_of(begin + "pthread_detach(t); pthread_detach(t); }", FaultKind::ThreadMisuse),
            "detaches worker 1, which was detached before");
  EXPECT_EQ(fault_of(begin + "pthread_join(t, 0); pthread_cancel(t); }", FaultKind::ThreadMisuse),
            "cancels worker 1, which was joined before");
}

}  // namespace
}  // namespace heddle::machine::test
