// What the guest does wrong is a fault of the right kind at the right line, and nothing else.
#include <gtest/gtest.h>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

struct Case {
  const char* name;
  FaultKind kind;
  const char* text;  // the faulty line is marked with /*!*/
};

#define WITH_MAIN(body)                                                                              \
  "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n#include " \
  "<stdlib.h>\n#include <string.h>\n" body

const Case kCases[] = {
    {"null", FaultKind::NullDereference, WITH_MAIN("int *p;\nint main(void) {\n return /*!*/ *p; }")},
    {"null_field", FaultKind::NullDereference,
     WITH_MAIN("struct { int a, b; } *p;\nint main(void) {\n p->b = 1; /*!*/\n return 0; }")},
    {"wild", FaultKind::WildPointer, WITH_MAIN("int main(void) {\n return *(int *)0x123456; /*!*/\n}")},
    {"past_the_end", FaultKind::OutOfBounds,
     WITH_MAIN("int a[4]; int main(int c, char **v) {\n return a[c + 3]; /*!*/\n}")},
    {"before_the_start", FaultKind::OutOfBounds,
     WITH_MAIN("int a[4]; int main(int c, char **v) {\n return a[-c]; /*!*/\n}")},
    {"heap_overflow", FaultKind::OutOfBounds,
     WITH_MAIN("int main(void) { char *p = malloc(3);\n p[3] = 0; /*!*/\n free(p); return 0; }")},
    {"string_overflow", FaultKind::OutOfBounds,
     WITH_MAIN("int main(void) { char t[4];\n strcpy(t, \"four\"); /*!*/\n return t[0]; }")},
    {"unterminated", FaultKind::OutOfBounds,
     WITH_MAIN("int main(void) { char t[2] = {1, 2};\n return (int)strlen(t); /*!*/\n}")},
    {"constant", FaultKind::OutOfBounds,
     WITH_MAIN("int main(void) { char *t = \"text\";\n t[0] = 'T'; /*!*/\n return 0; }")},
    {"copy_overlap", FaultKind::OutOfBounds,
     WITH_MAIN("char t[20]; int main(void) {\n memcpy(t, t + 2, 10); /*!*/\n return 0; }")},
    {"after_free", FaultKind::UseAfterFree,
     WITH_MAIN("int main(void) { int *p = calloc(1, 4); free(p);\n return *p; /*!*/\n}")},
    {"after_return", FaultKind::UseAfterFree,
     WITH_MAIN("int *f(void) { int x = 1; int *volatile p = &x; return p; }\nint main(void) { int *p = f();\n return "
               "*p; /*!*/\n}")},
    {"after_scope", FaultKind::UseAfterFree,
     WITH_MAIN("int *volatile p; int main(void) { { int x = 1; p = &x; }\n return *p; /*!*/\n}")},
    {"after_realloc", FaultKind::UseAfterFree,
     WITH_MAIN("int main(void) { int *p = malloc(4), *q = realloc(p, 4000);\n *p = 1; /*!*/\n free(q); return 0; }")},
    {"double_free", FaultKind::DoubleFree,
     WITH_MAIN("int main(void) { int *p = malloc(4); free(p);\n free(p); /*!*/\n return 0; }")},
    {"free_inside", FaultKind::InvalidFree,
     WITH_MAIN("int main(void) { int *p = malloc(8);\n free(p + 1); /*!*/\n return 0; }")},
    {"free_local", FaultKind::InvalidFree, WITH_MAIN("int main(void) { int x;\n free(&x); /*!*/\n return 0; }")},
    {"uninitialised_heap", FaultKind::UninitialisedRead,
     WITH_MAIN("int main(void) { int *p = malloc(4);\n if (*p) /*!*/\n puts(\"x\"); free(p); return 0; }")},
    {"uninitialised_array", FaultKind::UninitialisedRead,
     WITH_MAIN("int main(int c, char **v) { int a[4]; a[c] = 1;\n if (a[c + 1] > 2) /*!*/\n puts(\"x\"); return 0; }")},
    {"leak", FaultKind::Leak, WITH_MAIN("int main(void) { void *volatile p =\n malloc(4); /*!*/\n p = 0; return 0; }")},
    {"assertion", FaultKind::Assertion, WITH_MAIN("int x; int main(void) {\n assert(x == 1); /*!*/\n return 0; }")},
    {"abort", FaultKind::Abort, WITH_MAIN("int main(void) {\n abort(); /*!*/\n}")},
    {"division", FaultKind::DivisionByZero, WITH_MAIN("int x; int main(void) {\n return 5 / x; /*!*/\n}")},
    {"remainder", FaultKind::DivisionByZero, WITH_MAIN("long x; int main(void) {\n return (int)(5 % x); /*!*/\n}")},
    {"trap", FaultKind::Trap, WITH_MAIN("int main(void) {\n __builtin_trap(); /*!*/\n}")},
    {"recursion", FaultKind::StackOverflow,
     WITH_MAIN("int f(int n) {\n return f(n + 1) + 1; /*!*/\n}\nint main(void) { return f(0); }")},
    {"unlock_free", FaultKind::LockMisuse,
     WITH_MAIN("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) {\n pthread_mutex_unlock(&m); /*!*/\n "
               "return 0; }")},
    {"destroy_locked", FaultKind::LockMisuse,
     WITH_MAIN("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_lock(&m);\n "
               "pthread_mutex_destroy(&m); /*!*/\n return 0; }")},
    {"use_destroyed", FaultKind::LockMisuse,
     WITH_MAIN("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_destroy(&m);\n "
               "pthread_mutex_lock(&m); /*!*/\n return 0; }")},
    {"wait_unlocked", FaultKind::LockMisuse,
     WITH_MAIN("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int "
               "main(void) {\n pthread_cond_wait(&c, &m); /*!*/\n return 0; }")},
    {"uninitialised_mutex", FaultKind::LockMisuse,
     WITH_MAIN("int main(void) { pthread_mutex_t *m = malloc(sizeof *m);\n pthread_mutex_lock(m); /*!*/\n free(m); "
               "return 0; }")},
    {"lock_in_freed", FaultKind::UseAfterFree,
     WITH_MAIN("int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0); free(m);\n "
               "pthread_mutex_lock(m); /*!*/\n return 0; }")},
    {"rwlock_not_held", FaultKind::LockMisuse,
     WITH_MAIN("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int main(void) {\n pthread_rwlock_unlock(&l); /*!*/\n "
               "return 0; }")},
    {"join_self", FaultKind::ThreadMisuse,
     WITH_MAIN("int main(void) {\n pthread_join(pthread_self(), 0); /*!*/\n return 0; }")},
    {"join_twice", FaultKind::ThreadMisuse,
     WITH_MAIN("void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "
               "pthread_join(t, 0);\n pthread_join(t, 0); /*!*/\n return 0; }")},
    {"unknown_external", FaultKind::UnknownExternal,
     WITH_MAIN("int no_such_function(int); int main(void) {\n return no_such_function(1); /*!*/\n}")},
    {"endless", FaultKind::EndlessLoop, WITH_MAIN("int main(void) { int x = 0;\n for (;;) x &= 3; /*!*/\n}")},
    {"null_call", FaultKind::NullDereference,
     WITH_MAIN("void (*f)(void); int main(void) {\n f(); /*!*/\n return 0; }")},
    {"data_call", FaultKind::WildPointer,
     WITH_MAIN("int x; int main(void) { void (*f)(void) = (void (*)(void))&x;\n f(); /*!*/\n return 0; }")},
};

uint32_t marked_line(const std::string& text) {
  return 1 +
         static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(text.find("/*!*/")), '\n'));
}

class Faults : public testing::TestWithParam<Case> {};

TEST_P(Faults, AreFoundAtTheirLine) {
  const Case& c = GetParam();
  Options options;
  options.instruction_limit = 5'000'000;
  for (const bool facts : {true, false}) {
    Machine m(image_of(c.text, facts), options);
    run(m, 0);
    const Fault* fault = find_fault(m, c.kind);
    ASSERT_NE(fault, nullptr) << (m.faults().empty() ? "no fault" : m.faults()[0].message) << "\n" << c.text;
    EXPECT_EQ(m.faults().size(), 1u) << m.faults()[0].message << " / " << m.faults()[1].message;
    EXPECT_EQ(line_of(m, fault->places.at(0).at), marked_line(c.text)) << fault->message;
    EXPECT_FALSE(fault->message.empty());
    EXPECT_EQ(m.outcome(), c.kind == FaultKind::Leak ? Outcome::Finished : Outcome::Faulted);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Faults, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Fault, OfFreedMemoryNamesAllThreePlaces) {
  Machine m(image_of("#include <stdlib.h>\nint main(void) {\n  int *p = malloc(8);\n  free(p);\n  return p[1];\n}\n"),
            {});
  run(m, 0);
  const Fault* fault = find_fault(m, FaultKind::UseAfterFree);
  ASSERT_NE(fault, nullptr);
  ASSERT_EQ(fault->places.size(), 3u);
  EXPECT_EQ(line_of(m, fault->places[0].at), 5u);
  EXPECT_EQ(line_of(m, fault->places[1].at), 4u);
  EXPECT_EQ(line_of(m, fault->places[2].at), 3u);
  EXPECT_EQ(fault->message, "reads 4 bytes of heap block malloc@test.c:3 (8 bytes) after it was freed");
}

struct Block {
  const char* name;
  const char* text;  // main's last line reads freed memory
  const char* says;  // of the block
  bool cxx = false;
};

const char* const kMalloc = "void *malloc(unsigned long); void free(void *);\n";
const char* const kRecord = "struct conn { int fd; struct conn *next; };\n";

class Blocks : public testing::TestWithParam<Block> {};

TEST_P(Blocks, AreNamedByTheirTypeAndByWhoAskedForThem) {
  const std::string text = std::string(GetParam().cxx ? "" : kMalloc) + kRecord + GetParam().text;
  Machine m(GetParam().cxx ? cxx_image_of(text) : image_of(text), {});
  run(m, 0);
  const Fault* fault = find_fault(m, FaultKind::UseAfterFree);
  ASSERT_NE(fault, nullptr) << text;
  EXPECT_EQ(fault->message, std::string("reads 4 bytes of heap block ") + GetParam().says + " after it was freed");
}

const Block kBlocks[] = {
    {"local", "int main(void) { struct conn *c = malloc(sizeof *c); free(c); return c->fd; }",
     "malloc@test.c:3{conn} (16 bytes)"},
    {"global", "struct conn *g;\nint main(void) { g = malloc(16); free(g); return g->fd; }",
     "malloc@test.c:4{conn} (16 bytes)"},
    {"field",
     "void set(struct conn *c) { c->next = malloc(16); }\nstruct conn g;\n"
     "int main(void) { set(&g); free(g.next); return g.next->fd; }",
     "malloc@test.c:3{conn} (16 bytes)"},
    {"array", "int main(void) { struct conn *c = malloc(32); free(c); return c[1].fd; }",
     "malloc@test.c:3{conn} (32 bytes)"},
    {"number", "int main(void) { int *c = malloc(16); free(c); return *c; }", "malloc@test.c:3 (16 bytes)"},
    {"wrapper",
     "void *get(unsigned long n) { void *p = malloc(n); if (!p) for (;;); return p; }\n"
     "int main(void) {\n  struct conn *c = get(16); free(c); return c->fd; }",
     "malloc@test.c:5{conn} (16 bytes)"},
    {"two_wrappers",
     "void *get(unsigned long n) { return malloc(n); }\nvoid *zero(unsigned long n) {\n  char *p = get(n); *p = 0; "
     "return p; }\n"
     "int main(void) {\n  struct conn *c = zero(16); free(c); return c->fd; }",
     "malloc@test.c:7{conn} (16 bytes)"},
    {"maker_is_no_wrapper",
     "struct conn *make(void) { struct conn *c = malloc(16); c->fd = 3; return c; }\n"
     "int main(void) { struct conn *c = make(); free(c); return c->fd; }",
     "malloc@test.c:3{conn} (16 bytes)"},
    {"kept_by_a_pool",
     "static char *pool;\nvoid *get(unsigned long n) { if (!pool) pool = malloc(99); return pool; }\n"
     "int main(void) { struct conn *c = get(16); free(c); return c->fd; }",
     "malloc@test.c:4 (99 bytes)"},
    {"filled_by_a_function",
     "void fill(struct conn *c) { c->fd = 1; }\nvoid *kept;\n"
     "int main(void) { kept = malloc(16); fill(kept); free(kept); return ((struct conn *)kept)->fd; }",
     "malloc@test.c:5 (16 bytes)"},
    {"constructed",
     "struct Peer { Peer() : id(1) {} int id; };\nint main() { Peer *p = new Peer; delete p; return p->id; }",
     "new@test.cc:3{Peer} (4 bytes)", true},
    {"in_a_namespace",
     "namespace net { struct Peer { int id; }; }\nint main() { auto *p = new net::Peer(); delete p; return p->id; }",
     "new@test.cc:3{Peer} (4 bytes)", true},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Blocks, testing::ValuesIn(kBlocks),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Fault, ThreadThatStillRunsIsReported) {
  const ImagePtr image = image_of(
      "#include <pthread.h>\nvoid *f(void *p) { return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, "
      "0); return 0; }\n");
  Machine m(image, {});
  run(m, 0);
  EXPECT_EQ(m.outcome(), Outcome::Finished);
  EXPECT_TRUE(has_fault(m, FaultKind::ThreadLeak));
}

TEST(Fault, MemoryLimit) {
  Options options;
  options.memory_limit = 1 << 20;
  Machine m(image_of("#include <stdlib.h>\nint main(void) { for (;;) { char *p = malloc(1000); p[0] = 1; } }\n"),
            options);
  run(m, 0);
  EXPECT_TRUE(has_fault(m, FaultKind::MemoryLimit));
}

TEST(Fault, InstructionLimit) {
  Options options;
  options.instruction_limit = 1'000'000;
  Machine m(image_of("unsigned x; int main(void) { for (;;) x++; }\n"), options);
  run(m, 0);
  EXPECT_TRUE(has_fault(m, FaultKind::InstructionLimit));
  EXPECT_LT(m.instructions(), 1'200'000u);
}

TEST(Fault, PaddingAndCopiesAreNoUninitialisedReads) {
  Machine m(image_of("#include <stdlib.h>\n#include <string.h>\nstruct s { char c; long l; int b : 3; };\n"
                     "int main(void) { struct s a, *p = malloc(sizeof *p), q; a.c = 1; a.l = 2; a.b = 3; *p = a; "
                     "memcpy(&q, p, sizeof q); free(p); return q.c + q.l + q.b == 6 ? 0 : 1; }\n"),
            {});
  run(m, 0);
  EXPECT_TRUE(m.faults().empty()) << m.faults()[0].message;
  EXPECT_EQ(m.exit_code(), 0);
}

}  // namespace
}  // namespace heddle::machine::test
