#include <gtest/gtest.h>

#include "server/program/print.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

using program::Opcode;

const program::Instruction& first_of(const program::Function& function, Opcode op) {
  for (const auto& i : function.code)
    if (i.op == op) return i;
  ADD_FAILURE() << "no such instruction";
  static const program::Instruction none;
  return none;
}

TEST(Lowering, AccessesStayAsWritten) {
  const auto unit = unit_of(R"(
int g, flag, h;
void twice(void) { g = 1; g = 2; }
int reads(void) { int a = g; int b = g; return a != b; }
void spin(void) { while (!flag) { } }
int guarded(int c) { int r = 0; if (c) r = g; return r; }
void branches(int c) { if (c) g = 1; else g = 2; }
void loop(void) { for (int i = 0; i < 1000; i++) g++; }
void self(void) { g = g; }
void unused(void) { (void)*(volatile int *)&g; int x = h; }
)");
  EXPECT_EQ(count_of(function_of(*unit, "twice"), Opcode::Store), 2);
  EXPECT_EQ(count_of(function_of(*unit, "reads"), Opcode::Load), 2);
  EXPECT_EQ(count_of(function_of(*unit, "spin"), Opcode::Load), 1);
  EXPECT_EQ(count_of(function_of(*unit, "spin"), Opcode::Branch), 1);
  EXPECT_EQ(count_of(function_of(*unit, "guarded"), Opcode::Branch), 1);
  EXPECT_EQ(count_of(function_of(*unit, "branches"), Opcode::Store), 2);
  EXPECT_EQ(count_of(function_of(*unit, "loop"), Opcode::Store), 1);
  EXPECT_EQ(count_of(function_of(*unit, "self"), Opcode::Store), 1);
  EXPECT_EQ(count_of(function_of(*unit, "unused"), Opcode::Load), 2);
}

TEST(Lowering, ImmediatesAndFusedAddresses) {
  const auto unit = unit_of(R"(
struct item { int key; long values[8]; };
long get(struct item *p, int i) { return p->values[i] + 5; }
void set(struct item *p) { p->values[2] = 7; p->key = 1; }
struct item table[4];
int key(void) { return table[3].key; }
)");
  const auto& get = function_of(*unit, "get");
  EXPECT_EQ(first_of(get, Opcode::PointerIndex).imm, 8);
  EXPECT_EQ(first_of(get, Opcode::AddI).imm, 5);
  EXPECT_EQ(count_of(get, Opcode::SignExtend), 0);
  EXPECT_EQ(count_of(get, Opcode::PointerAdd), 0);
  EXPECT_EQ(first_of(get, Opcode::Load).imm, 8);
  const auto& set = function_of(*unit, "set");
  EXPECT_EQ(count_of(set, Opcode::PointerAdd), 0);
  EXPECT_EQ(first_of(set, Opcode::Store).imm, 24);
  EXPECT_EQ(first_of(function_of(*unit, "key"), Opcode::SymbolAddress).imm, 3 * 72);
}

TEST(Lowering, LoopsNeedNoMoves) {
  const auto unit = unit_of("int g; int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }");
  const auto& f = function_of(*unit, "f");
  EXPECT_EQ(count_of(f, Opcode::Move), 0) << program::print(*unit, f);
  EXPECT_LE(f.frame_slots, 4u);
}

TEST(Lowering, SwappedPhisKeepTheirValues) {
  const auto unit =
      unit_of("int f(int n) { int a = 1, b = 2; while (n--) { int t = a; a = b; b = t; } return a * 10 + b; }");
  EXPECT_EQ(count_of(function_of(*unit, "f"), Opcode::Move) % 3, 1);  // three for the swap, one for n
}

TEST(Lowering, OddWidths) {
  const auto unit = unit_of(R"(
struct bits24 { unsigned a : 20; char z; unsigned char q; } b24;
struct bits { unsigned a : 3, b : 13; signed d : 7; long e : 37; } bits;
int read24(void) { return b24.a; }
void write(int x) { bits.d = x; bits.e += x; b24.a = x; }
__int128 wide(__int128 a, long b) { return a * b + (a >> 3) - a / 7; }
int compare(__int128 a, __int128 b) { return a < b; }
long double extended(long double a, double b, int i) { return a * b - i; }
_BitInt(100) odd(_BitInt(100) a) { return a * a + 1; }
_Bool flag; int toggle(void) { flag = !flag; return flag; }
)");
  EXPECT_FALSE(has_unsupported(*unit));
  EXPECT_EQ(function_of(*unit, "wide").parameter_slots, 3u);
  EXPECT_EQ(function_of(*unit, "wide").result_slots, 2u);
  EXPECT_EQ(count_of(function_of(*unit, "compare"), Opcode::WideCompare), 1);
  for (const auto& f : unit->functions)
    for (const auto& i : f.code)
      if (i.op == Opcode::Load || i.op == Opcode::Store) {
        EXPECT_TRUE(i.width % 8 == 0);
      }
}

TEST(Lowering, AggregatesByValue) {
  const auto unit = unit_of(R"(
struct big { int a[10]; };
struct pair { double d; long l; };
struct floats { float x, y; };
int take(struct big b) { return b.a[3]; }
int call(struct big *p) { int s = 0; for (int i = 0; i < 3; i++) s += take(*p); return s; }
struct big give(int x) { struct big b = {{x}}; return b; }
struct pair both(double d, long l) { struct pair p = {d, l}; return p; }
float sum(struct floats f) { return f.x + f.y; }
float call2(void) { struct floats f = {1, 2}; return sum(f); }
int sumv(int n, ...); int call3(struct big b) { return sumv(1, b, 2.0f, 'c'); }
)");
  EXPECT_FALSE(has_unsupported(*unit));
  const auto& call = function_of(*unit, "call");
  EXPECT_EQ(count_of(call, Opcode::StackSave), 1);
  EXPECT_EQ(count_of(call, Opcode::StackRestore), 1);
  EXPECT_EQ(call.calls.at(0).arguments.at(0).by_value, 40u);
  EXPECT_EQ(function_of(*unit, "both").result_slots, 2u);
  EXPECT_EQ(function_of(*unit, "sum").parameter_slots, 2u);
  const auto& site = function_of(*unit, "call3").calls.at(0);
  EXPECT_TRUE(site.variadic);
  EXPECT_EQ(site.fixed, 1u);
  EXPECT_EQ(site.arguments.at(1).by_value, 40u);
  EXPECT_TRUE(site.arguments.at(2).is_float);
  EXPECT_EQ(site.arguments.at(2).bytes, 8);
  EXPECT_EQ(site.arguments.at(3).bytes, 4);
}

TEST(Lowering, ControlFlow) {
  const auto unit = unit_of(R"(
int choose(int x) { switch (x) { case 1: return 10; case 2: case 3: x += 5; case 100: return x; } return -1; }
int labels(int x) {
  static void *table[] = {&&a, &&b};
  goto *table[x & 1];
a: return 1;
b: return 2;
}
int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }
_Noreturn void die(void); int end(int x) { if (x) die(); return 0; }
)");
  EXPECT_FALSE(has_unsupported(*unit));
  const auto& choose = function_of(*unit, "choose");
  ASSERT_EQ(choose.switches.size(), 1u);
  EXPECT_EQ(choose.switches[0].values.size(), 4u);
  const auto& labels = function_of(*unit, "labels");
  ASSERT_EQ(labels.switches.size(), 1u);
  EXPECT_EQ(labels.switches[0].targets.size(), 3u);  // the first stands for a null address
  const auto& table = global_of(*unit, "labels.table");
  EXPECT_EQ(table.initialiser[0] + table.initialiser[8], 3);  // their numbers, 1 and 2
  EXPECT_EQ(count_of(function_of(*unit, "vla"), Opcode::StackAllocateDynamic), 1);
  EXPECT_TRUE(function_of(*unit, "end").calls.at(0).no_return);
}

TEST(Lowering, Atomics) {
  const auto unit = unit_of(R"(
#include <stdatomic.h>
atomic_int a; _Atomic float f; atomic_bool b; atomic_flag flag;
int all(int *p) {
  int e = 3;
  atomic_fetch_add_explicit(&a, 2, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(&a, &e, 5, memory_order_acq_rel, memory_order_acquire);
  atomic_store_explicit(&b, 1, memory_order_release);
  f += 1.5f;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  while (atomic_flag_test_and_set(&flag)) __builtin_ia32_pause();
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
)");
  EXPECT_FALSE(has_unsupported(*unit));
  const auto& all = function_of(*unit, "all");
  EXPECT_EQ(order_of(first_of(all, Opcode::AtomicUpdate)), program::MemoryOrder::Relaxed);
  const auto& exchange = first_of(all, Opcode::CompareExchange);
  EXPECT_EQ(order_of(exchange), program::MemoryOrder::AcquireRelease);
  EXPECT_EQ(failure_order_of(exchange), program::MemoryOrder::Acquire);
  EXPECT_TRUE(exchange.flags & program::kAtomicWeak);
  EXPECT_EQ(order_of(first_of(all, Opcode::AtomicStore)), program::MemoryOrder::Release);
  EXPECT_EQ(first_of(all, Opcode::AtomicStore).width, 8);
  EXPECT_EQ(count_of(all, Opcode::Fence), 2);
  EXPECT_EQ(count_of(all, Opcode::Pause), 1);
}

TEST(Lowering, Assembly) {
  const auto unit = unit_of(R"(
int known(int x) {
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("rep; nop" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
  __asm__("" : "+r"(x));
  return x;
}
int unknown(int x) { int y; __asm__("cpuid" : "=a"(y) : "a"(x) : "ebx", "ecx", "edx"); return y; }
)");
  const auto& known = function_of(*unit, "known");
  EXPECT_TRUE(known.unsupported.empty());
  EXPECT_EQ(count_of(known, Opcode::Pause), 1);
  EXPECT_EQ(count_of(known, Opcode::Fence), 1);
  ASSERT_EQ(function_of(*unit, "unknown").unsupported.size(), 1u);
  EXPECT_NE(function_of(*unit, "unknown").unsupported[0].find("cpuid"), std::string::npos);
}

TEST(Lowering, GlobalsAndSymbols) {
  const auto unit = unit_of(R"(
int g = 4, zero; extern int elsewhere; static const char *names[] = {"a", "b"};
void *table[] = {&g, (char *)&zero + 2, &elsewhere, (void *)16};
int second(int) __attribute__((alias("first"))); int first(int x) { return x; }
__attribute__((weak)) int w(void) { return 1; }
__attribute__((constructor(200))) static void start(void) { zero = 1; }
__attribute__((destructor)) static void stop(void) { zero = 2; }
_Thread_local int tls = 5; int *where(void) { return &tls; }
inline int header(int x) { return x + 1; } int use(void) { return header(2) + names[zero][0] + second(1); }
__int128 wide = ((__int128)5 << 70) + 3; long double ld = 3.5L;
)");
  EXPECT_FALSE(has_unsupported(*unit));
  EXPECT_TRUE(global_of(*unit, "zero").initialiser.empty());
  const auto& table = global_of(*unit, "table");
  ASSERT_EQ(table.relocations.size(), 3u);
  EXPECT_EQ(table.relocations[1].addend, 2);
  EXPECT_EQ(table.initialiser[24], 16);
  ASSERT_EQ(unit->aliases.size(), 1u);
  EXPECT_EQ(unit->symbols[unit->aliases[0].symbol.value].name, "second");
  EXPECT_TRUE(unit->symbols[function_of(*unit, "w").symbol.value].weak);
  EXPECT_TRUE(unit->symbols[function_of(*unit, "header").symbol.value].weak);
  ASSERT_EQ(unit->initialisers.size(), 2u);
  EXPECT_EQ(unit->initialisers[0].priority, 200u);
  EXPECT_TRUE(unit->initialisers[1].destructor);
  EXPECT_TRUE(global_of(*unit, "tls").thread_local_storage);
  EXPECT_EQ(count_of(function_of(*unit, "where"), Opcode::SymbolAddress), 1);
  EXPECT_EQ(global_of(*unit, "wide").initialiser[8], 64 + 256 * 0 + 0 * 5);
  int literals = 0;
  for (const auto& global : unit->globals) literals += global.string_literal;
  EXPECT_EQ(literals, 2);
}

// What only an alias names: Clang initialises thread-local variables by one.
TEST(Lowering, WhatAnAliasStandsForIsThere) {
  const std::string text = R"(
struct Own { Own(); ~Own(); int x; };
thread_local Own own;
int use() { return own.x; }
static int kept(int x) { return x + 1; }
extern "C" int other(int) __attribute__((alias("_ZL4kepti")));
)";
  const program::UnitPtr unit = from_scratch(command_for("/test/main.cc"), {{"/test/main.cc", text}}).unit;
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->aliases.size(), 2u);
  EXPECT_EQ(count_of(function_of(*unit, "_ZL4kepti"), Opcode::Return), 1);
  EXPECT_GT(count_of(function_of(*unit, "__tls_init"), Opcode::Call), 0);
}

TEST(Lowering, Builtins) {
  const auto unit = unit_of(R"(
#include <math.h>
#include <stdarg.h>
#include <string.h>
int bits(int a, unsigned long c) { return __builtin_popcount(a) + __builtin_clz(a) + __builtin_ctzl(c) + __builtin_bswap32(a) + __builtin_parity(a) + __builtin_ffs(a); }
int overflow(int a, int b) { int r; return __builtin_mul_overflow(a, b, &r) ? 0 : r; }
int classes(double d, float f, long double l) { return isnan(d) + isinf(f) + isnormal(d) + signbit(f) + isfinite(l) + isnormal(l) + fpclassify(d); }
double fused(double a, double b) { return a * b + fabs(a) + sqrt(b) + floor(a); }
int sum(int n, ...) { va_list ap, q; va_start(ap, n); va_copy(q, ap); int s = va_arg(ap, int) + (int)va_arg(q, double); va_end(q); va_end(ap); return s; }
void memory(char *a, char *b) { struct { char c[100]; } x, *p = (void *)a, *q = (void *)b; *p = *q; x = *p; *q = x; }
int known(int x) { if (__builtin_expect(x, 0)) __builtin_unreachable(); __builtin_assume(x < 5); __builtin_prefetch(&x); return __builtin_constant_p(x) + (int)__builtin_object_size(&x, 0); }
void stop(void) { __builtin_trap(); }
)");
  EXPECT_FALSE(has_unsupported(*unit)) << program::print(*unit);
  EXPECT_EQ(count_of(function_of(*unit, "sum"), Opcode::VariadicStart), 1);
  EXPECT_EQ(count_of(function_of(*unit, "memory"), Opcode::MemoryCopy), 3);
  EXPECT_EQ(count_of(function_of(*unit, "stop"), Opcode::Trap), 1);
}

TEST(Lowering, UnknownThingsAreSaid) {
  const auto unit = unit_of(
      "_Float16 half(_Float16 a) { return a + 1; } unsigned long long t(void) { return __builtin_ia32_rdpmc(0); }");
  EXPECT_FALSE(function_of(*unit, "half").unsupported.empty());
  EXPECT_FALSE(function_of(*unit, "t").unsupported.empty());
}

}  // namespace
}  // namespace heddle::frontend
