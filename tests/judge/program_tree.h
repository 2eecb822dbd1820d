// A C or C++ program as the generators and the edits see it: functions of statements, globals, threads.
//
// In:      built by generate() and changed by apply_edit(). Out: print() gives the text, one statement a line.
// Owns:    values. Threads: values. Fails: never.
#pragma once

#include <string>
#include <vector>

namespace heddle::judge {

enum class Language { C, Cxx };

enum class StatementKind {
  Plain,   // text is the statement
  Locked,  // text is the lock; style says how it is taken; body
  If,      // text is the condition; body
  Loop,    // text is the header "for (...)" or "while (...)"; body
};

// C++ only: Unique, a unique_lock, which condition variables need; Scoped, of one or two ("m0, m1"). TimedMutex is
// taken and given back by hand there.
enum class LockStyle { Mutex, TryMutex, TimedMutex, Read, Write, Unique, Scoped };

struct Statement {
  StatementKind kind = StatementKind::Plain;
  std::string text;
  LockStyle style = LockStyle::Mutex;
  std::vector<Statement> body;
};

struct Function {
  std::string name;
  bool thread = false;  // void *name(void *arg) with n = (int)(long)arg; else int name(int n)
  uint32_t group = 0;
  std::vector<Statement> body;
  std::string parameter = "n", first_local = "t0", second_local = "t1";
};

enum class GlobalKind {
  Integer,
  Atomic,
  Array,
  Mutex,
  ReadWriteLock,
  Condition,
  Semaphore,
  Heap,
  Box,
  Barrier,
  Once,
  Input
};

struct Global {
  GlobalKind kind = GlobalKind::Integer;
  std::string name;
  int value = 0;     // initial value; of a semaphore its count; of an array its length; of an input how many it can be
  std::string lock;  // that guards it; empty: by another rule
  uint32_t group = 0;
  int owner = -1;        // Integer: only this function uses it
  bool derived = false;  // Box in C++: of the derived class
};

struct Started {  // a thread that main starts
  uint32_t function = 0;
  int argument = 0;
  bool joined = true;
};

enum class ThreadStyle { Separate, Joining, Vector };  // C++: std::thread, std::jthread, a vector of threads

struct Tree {
  Language language = Language::C;
  ThreadStyle thread_style = ThreadStyle::Separate;
  bool lambdas = false;  // C++: threads run a lambda that calls the function
  std::vector<Global> globals;
  std::vector<Function> functions;  // helpers before threads
  std::vector<Started> threads;
  std::vector<Statement> before, beside, after;  // of main: before the threads, while they run, after they were joined
  int blank_lines = 0;                           // layout only
  std::vector<std::string> comments;
  bool unseen = false;       // statements that touch nothing that others see, and still decide what they do
  uint32_t variants = 0;     // of what `unseen` programs have: a bit per change to one of their functions
  bool wide_boxes = false;   // struct box has one more field, in front
  bool inputs = false;       // numbers that stand for every value below a bound
  bool dispatching = false;  // all threads have one entry, which calls a function by the thread's number
};

// Functions of every program: what they set they know by its address only.
inline constexpr const char* kThroughAnAddress = R"(void give(int *to, int v) { *to = v; }
void pass(int *to, int v) {
  if (v < 3) give(to, v + 1);
}
)";

// Of programs with inputs.
inline constexpr const char* kTake = R"(int take(int most) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value < most);
  return value;
}
)";

std::string print(const Tree& tree);
std::string print_c(const Tree& tree);
std::string print_cxx(const Tree& tree);

// The locks that a statement takes.
std::vector<std::string> locks_of(const Statement& statement);

}  // namespace heddle::judge
