// Which indices of arrays that are a part of their object get a check, which cost nothing, and which functions are given
// the length of such an array.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

// Calls of `__heddle_outside` in the function.
int checks_in(const program::Unit& unit, const std::string& name) {
  const program::Function& function = function_of(unit, name);
  return static_cast<int>(std::count_if(function.code.begin(), function.code.end(), [&](const auto& i) {
    return i.op == program::Opcode::Call && unit.symbols[i.a].name == "__heddle_outside";
  }));
}

TEST(ArrayBounds, MembersAndRowsAreChecked) {
  const auto unit = unit_of(R"(
struct S { int a[4]; int b; } s;
int m[3][4];
void member(int i) { s.a[i] = 1; }
void pointer(struct S *p, int i) { p->a[i] = 1; }
void local(int i) { struct S own = {0}; own.a[i] = 1; s = own; }
int row(int i, int k) { return m[i][k]; }
void constant(struct S *p) { p->a[4] = s.a[5]; }
void negative(int i) { s.a[i - 5]++; }
void update(int i) { __atomic_fetch_add(&s.a[i], 1, __ATOMIC_RELAXED); }
)");
  for (const char* name : {"member", "pointer", "local", "row", "negative", "update"})
    EXPECT_EQ(checks_in(*unit, name), 1) << name;
  EXPECT_GE(checks_in(*unit, "constant"), 1);
}

TEST(ArrayBounds, WhatIsSurelyInsideCostsNothing) {
  const auto unit = unit_of(R"(
struct S { int a[4]; char c[256]; int b; } s;
void constant(void) { s.a[3] = 1; }
void masked(int i) { s.a[i & 3] = 1; }
void rest(unsigned i) { s.a[i % 4] = 1; }
void narrow(unsigned char i) { s.c[i] = 1; }
int *end(void) { return &s.a[4]; }
)");
  for (const char* name : {"constant", "masked", "rest", "narrow", "end"}) EXPECT_EQ(checks_in(*unit, name), 0) << name;
}

TEST(ArrayBounds, WholeObjectsOpenEndsAndUnionsAreNot) {
  const auto unit = unit_of(R"(
int whole[4];
struct Tail { int n; char text[1]; };
union View { int few[2]; int many[8]; };
struct Boxed { union View view; int after; } boxed;
void global(int i) { whole[i] = 1; }
int local(int i) { int own[4] = {0}; own[i] = 1; return own[0]; }
void tail(struct Tail *p, int i) { p->text[i] = 1; }
void view(union View *u, int i) { u->few[i] = 1; boxed.view.few[i] = 2; }
void walk(int *p, int i) { p[i] = 1; *(boxed.view.many + i) = 2; }
)");
  for (const char* name : {"global", "local", "tail", "view", "walk"}) EXPECT_EQ(checks_in(*unit, name), 0) << name;
}

// The comparison is of the index as it is; the element's address is made of the same slot.
TEST(ArrayBounds, ACheckIsOneComparison) {
  const auto unit = unit_of("struct { int a[4]; int b; } s; void set(int i) { s.a[i] = 1; }\n");
  const program::Function& set = function_of(*unit, "set");
  EXPECT_EQ(count_of(set, program::Opcode::CmpULtI), 1);
  EXPECT_EQ(count_of(set, program::Opcode::SignExtend), 1);  // for the message only
  EXPECT_EQ(count_of(set, program::Opcode::Branch), 1);
}

TEST(ArrayBounds, LargeLocalsStayAsTheyAre) {
  const auto unit = unit_of(R"(
int large(int n) { char values[4096]; values[5] = n; return values[5]; }
int small(int n) { char values[64]; values[5] = n; return values[5]; }
)");
  const program::Function& large = function_of(*unit, "large");
  ASSERT_EQ(large.stack_objects.size(), 1u);
  EXPECT_EQ(large.stack_objects[0].size, 4096u);
  EXPECT_TRUE(function_of(*unit, "small").stack_objects.empty());
}

std::vector<std::string> called_in(const program::Unit& unit, const std::string& name) {
  std::vector<std::string> calls;
  for (const program::Instruction& i : function_of(unit, name).code)
    if (i.op == program::Opcode::Call) calls.push_back(unit.symbols[i.a].name);
  return calls;
}

constexpr const char* kText = R"(
typedef __builtin_va_list va_list;
char *strcpy(char *, const char *);
char *strncat(char *, const char *, unsigned long);
int snprintf(char *, unsigned long, const char *, ...);
int vsprintf(char *, const char *, va_list);
struct S { char a[8]; int b; } s;
union View { char few[2]; char many[8]; };
struct Boxed { union View view; int after; } boxed;
struct Tail { int n; char text[1]; };
char rows[3][4], whole[8];
)";

TEST(TextBounds, MembersAndRowsAreGiven) {
  const auto unit = unit_of(std::string(kText) + R"(
void member(struct S *p) { strcpy(p->a, "x"); }
void part(void) { strncat(&s.a[3], "x", 1); }
void row(int i) { strcpy(rows[i], "x"); }
void cast(void) { strcpy((char *)(void *)s.a, "x"); }
void printed(int i) { snprintf(s.a, 8, "%d", i); }
void listed(va_list list) { vsprintf(s.a, "%d", list); }
)");
  using Names = std::vector<std::string>;
  EXPECT_EQ(called_in(*unit, "member"), Names{"__strcpy_chk"});
  EXPECT_EQ(called_in(*unit, "part"), Names{"__strncat_chk"});
  EXPECT_EQ(called_in(*unit, "row"), Names{"__strcpy_chk"});
  EXPECT_EQ(called_in(*unit, "cast"), Names{"__strcpy_chk"});
  EXPECT_EQ(called_in(*unit, "printed"), Names{"__snprintf_chk"});
  EXPECT_EQ(called_in(*unit, "listed"), Names{"__vsprintf_chk"});
}

TEST(TextBounds, CopiesAreGivenWhereTheyMayLeaveTheArray) {
  const auto unit = unit_of(std::string(kText) + R"(
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
void any(const char *from, unsigned long n) { memcpy(s.a, from, n); }
void more(const char *from) { memcpy(s.a, from, 9); }
void fits(const char *from) { memcpy(s.a, from, 8); }
void whole_one(const struct S *from) { memcpy(&s, from, sizeof s); }
void assigned(const struct S *from) { s = *from; }
void filled(void) { memset(s.a, 0, 12); }
)");
  const auto checked = [&](const std::string& name) {
    const std::vector<std::string> calls = called_in(*unit, name);
    return std::find(calls.begin(), calls.end(), "__memcpy_chk") != calls.end();
  };
  for (const char* name : {"any", "more"}) EXPECT_TRUE(checked(name)) << name;
  for (const char* name : {"fits", "whole_one", "assigned", "filled"}) EXPECT_FALSE(checked(name)) << name;
}

TEST(TextBounds, WholeObjectsOpenEndsPointersAndOwnFunctionsAreNot) {
  const auto unit = unit_of(std::string(kText) + R"(
static char *strcat(char *to, const char *from) { to[0] = from[0]; return to; }
void global(void) { strcpy(whole, "x"); }
void local(void) { char own[4]; strcpy(own, "x"); }
void pointer(char *p) { strcpy(p, "x"); }
void tail(struct Tail *p) { strcpy(p->text, "x"); }
void view(void) { strcpy(boxed.view.few, "x"); }
void moved(int i) { strcpy(s.a + i, "x"); }
void own(void) { strcat(s.a, "x"); }
)");
  for (const char* name : {"global", "local", "pointer", "tail", "view", "moved"})
    EXPECT_EQ(called_in(*unit, name), std::vector<std::string>{"strcpy"}) << name;
  EXPECT_EQ(called_in(*unit, "own"), std::vector<std::string>{"strcat"});
}

// Two calls at one place in the text: a macro.
TEST(TextBounds, CallsOfOneMacroAreGivenWhatIsSureOfBoth) {
  const auto unit = unit_of(std::string(kText) + R"(
#define BOTH(x, y) (strcpy(x, "x"), strcpy(y, "y"))
struct S t;
void same(void) { BOTH(s.a, t.a); }
void different(void) { BOTH(s.a, rows[1]); }
)");
  using Names = std::vector<std::string>;
  EXPECT_EQ(called_in(*unit, "same"), (Names{"__strcpy_chk", "__strcpy_chk"}));
  EXPECT_EQ(called_in(*unit, "different"), (Names{"strcpy", "strcpy"}));
}

}  // namespace
}  // namespace heddle::frontend
