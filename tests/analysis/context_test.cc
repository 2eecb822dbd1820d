// What callers of one function, and objects behind one call, are told apart by. Each test fails without its rule: the
// thread of `second` would touch `kept`, too, or the memory of the other.
#include <gtest/gtest.h>

#include <set>

#include "server/analysis/analysis.h"
#include "tests/support/compile_text.h"

namespace heddle::analysis {
namespace {

using Names = std::set<std::string>;

Names shared(const Facts& facts) {
  Names names;
  for (const Object& object : facts.objects)
    if (object.shared && object.kind == ObjectKind::Global) names.insert(object.name);
  return names;
}

Names shared_in_c(const std::string& text) {
  return shared(*analyse(test::program_of("#include <pthread.h>\n" + text + R"(
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)")));
}

Names shared_in_cxx(const std::string& text) {
  return shared(*analyse(test::program_of_cxx("#include <functional>\n#include <thread>\n" + text + R"(
int main() { std::thread a(first), b(second); a.join(); b.join(); }
)")));
}

TEST(Distinguished, WhatAFunctionReturnsOfItsParameter) {
  EXPECT_EQ(shared_in_c(R"(
struct pair { long head, tail; } kept, used;
__attribute__((noinline)) long *tail_of(struct pair *p) { return &p->tail; }
__attribute__((noinline)) long *same(struct pair *p) { return tail_of(p); }
void *first(void *p) { *same(&kept) = 1; return p; }
void *second(void *p) { *same(&used) = 2; return p; })"),
            Names{});
}

TEST(Distinguished, AParameterThatIsOneOfTwoIsBoth) {
  EXPECT_EQ(shared_in_c(R"(
long kept, used;
__attribute__((noinline)) long *one_of(long *p, long *q, int n) { if (n) return p; __asm__ volatile(""); return q; }
void *first(void *p) { *one_of(&kept, &used, p != 0) = 1; return p; }
void *second(void *p) { used = 2; return p; })"),
            (Names{"used"}));
}

TEST(Distinguished, WhatASwitchOverAConstantDoes) {
  const std::string text = R"(
long kept, used, other;
__attribute__((noinline)) void inner(int what) {
  switch (what) {
    case 1: kept = 1; break;
    case 2: used = 2; break;
    case 5: __asm__ volatile(""); break;
    default: other = 3;
  }
}
__attribute__((noinline)) void outer(int what) { __asm__ volatile(""); inner(what); __asm__ volatile(""); }
)";
  const std::string second = "void *second(void *p) { kept = 3; other = 4; used = 5; return p; }";
  EXPECT_EQ(shared_in_c(text + "void *first(void *p) { outer(2); outer(5); return p; }" + second), (Names{"used"}));
  EXPECT_EQ(shared_in_c(text + "void *first(void *p) { outer(2); outer(9); return p; }" + second),
            (Names{"other", "used"}));
  EXPECT_EQ(shared_in_c(text + "void *first(void *p) { outer(p != 0); return p; }" + second),
            (Names{"kept", "other", "used"}));
  EXPECT_EQ(shared_in_c(text +
                        "void (*volatile known)(int) = inner; "
                        "void *first(void *p) { known((int)(long)p); return p; }" +
                        second),
            (Names{"kept", "other", "used"}));
}

TEST(Distinguished, AThreadStartsWithAnyValue) {
  EXPECT_EQ(shared_in_c(R"(
long kept, used, other;
__attribute__((noinline)) void *first(void *p) {
  switch ((long)p) {
    case 1: kept = 1; break;
    case 2: used = 2; break;
    case 5: __asm__ volatile(""); break;
    default: other = 3;
  }
  return p;
}
void *second(void *p) { first((void *)2); kept = 3; other = 4; return p; })"),
            (Names{"kept", "other", "used"}));
}

const std::string kClasses = R"(
long kept, used;
struct Base { virtual ~Base() {} virtual void run() {} };
struct Writer : Base { long *where; explicit Writer(long *p) : where(p) {} void run() override { *where = 1; } };
struct Other : Base { long *where; explicit Other(long *p) : where(p) {} };
struct Special : Writer { using Writer::Writer; };
)";

TEST(Distinguished, WhatADynamicCastLetsThrough) {
  const auto text = [](const std::string& type) {
    return kClasses + R"(
Special writer(&used);
Other other(&kept);
Base *all[2] = {&writer, &other};
void first() { for (Base *b : all) if (auto *w = dynamic_cast<)" +
           type + R"( *>(b)) *w->where = 2; }
void second() { kept = 3; used = 4; })";
  };
  EXPECT_EQ(shared_in_cxx(text("Writer")), (Names{"used"}));
  EXPECT_EQ(shared_in_cxx(text("Special")), (Names{"used"}));
  EXPECT_EQ(shared_in_cxx(text("Other")), (Names{"kept"}));
}

TEST(Distinguished, TheObjectOfAMemberPointer) {
  EXPECT_EQ(shared_in_cxx(kClasses + R"(
struct Holder { long *other = &kept; char between[40]; Writer writer{&used}; };
void first() { Holder holder; auto run = &Writer::run; std::invoke(run, holder.writer); }
void second() { kept = 3; used = 4; })"),
            (Names{"used"}));
}

TEST(Distinguished, TheBaseThatAMemberPointerIsAdjustedTo) {
  EXPECT_EQ(shared_in_cxx(kClasses + R"(
struct Front { virtual ~Front() {} long *where = &kept; virtual void front() { *where = 1; } };
struct Both : Front, Writer { Both() : Writer(&used) {} };
void (Both::*volatile member)() = &Both::run;
void first() { Both both; void (Both::*run)() = member; std::invoke(run, both); }
void second() { used = 4; })"),
            (Names{"used"}));
}

}  // namespace
}  // namespace heddle::analysis
