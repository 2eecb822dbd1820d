// The C++ text of a tree: threads, locks and owners as the standard library has them.
#include <algorithm>

#include "tests/judge/tree_printer.h"

namespace heddle::judge {
namespace {

// All of them always, so that every program shares one precompiled preamble.
constexpr const char* kHeaders = R"(#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <atomic>
#include <barrier>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>
)";

// Which box is meant and which class it is of is known by the reference only.
constexpr const char* kBox = R"( {
 public:
  explicit Box(int first) : value(first) {}
  virtual ~Box() = default;
  virtual int put(int v) {
    std::lock_guard<std::mutex> hold(lock);
    value = v;
    return ++turns;
  }
  int get() {
    std::lock_guard<std::mutex> hold(lock);
    return value;
  }
)";
constexpr const char* kBoxEnd = R"(  std::mutex lock;
  int value, turns = 0;
};
class Doubling : public Box {
 public:
  using Box::Box;
  int put(int v) override {
    const int before = Box::put(2 * v);
    return before + 1;
  }
};
Box& at(Box& box) { return box; }
)";

class Printer : public TreePrinter {
 public:
  using TreePrinter::TreePrinter;

 private:
  void begin(bool boxes) override {
    text_ = kHeaders;
    if (boxes) text_ += std::string("class Box") + kBox + (tree_.wide_boxes ? "  long more = 0;\n" : "") + kBoxEnd;
  }

  void declare(const Global& g, const std::string& value) override {
    switch (g.kind) {
      case GlobalKind::Integer: line(0, "int " + g.name + " = " + value + ";"); break;
      case GlobalKind::Atomic: line(0, "std::atomic<int> " + g.name + "{" + value + "};"); break;
      case GlobalKind::Array: line(0, "int " + g.name + "[" + value + "];"); break;
      case GlobalKind::Mutex: line(0, "std::mutex " + g.name + ";"); break;
      case GlobalKind::ReadWriteLock: line(0, "std::shared_mutex " + g.name + ";"); break;
      case GlobalKind::Condition: line(0, "std::condition_variable " + g.name + ";"); break;
      case GlobalKind::Semaphore: line(0, "std::counting_semaphore<64> " + g.name + "{" + value + "};"); break;
      case GlobalKind::Heap: line(0, "std::shared_ptr<int> " + g.name + ";"); break;
      case GlobalKind::Box: line(0, (g.derived ? "Doubling " : "Box ") + g.name + "{" + value + "};"); break;
      case GlobalKind::Input: line(0, "int " + g.name + ";"); break;
      case GlobalKind::Barrier: line(0, "std::barrier<> " + g.name + "{" + value + "};"); break;
      case GlobalKind::Once:
        line(0, "std::once_flag " + g.name + ";");
        initialiser(g, value, "");
        break;
    }
  }

  std::string comment(const std::string& words) const override { return "// " + words; }
  void head(const Function& f) override { line(0, "int " + f.name + "(int " + f.parameter + ") {"); }
  std::string result(const Function& f) const override { return f.first_local + " + " + f.second_local; }

  void locked(const Statement& s, int depth) override {
    if (s.style == LockStyle::TryMutex) {
      line(depth, "if (std::unique_lock<std::mutex> hold(" + s.text + ", std::try_to_lock); hold) {");
    } else {
      line(depth, "{");
      line(depth + 1, holder(s));
      if (s.style == LockStyle::TimedMutex) line(depth + 1, "hold.lock();");
    }
    statements(s.body, depth + 1);
    if (s.style == LockStyle::TimedMutex) line(depth + 1, "hold.unlock();");
    line(depth, "}");
  }

  static std::string holder(const Statement& s) {
    switch (s.style) {
      case LockStyle::Mutex: return "std::lock_guard<std::mutex> hold(" + s.text + ");";
      case LockStyle::Unique: return "std::unique_lock<std::mutex> hold(" + s.text + ");";
      case LockStyle::TimedMutex: return "std::unique_lock<std::mutex> hold(" + s.text + ", std::defer_lock);";
      case LockStyle::Read: return "std::shared_lock<std::shared_mutex> hold(" + s.text + ");";
      case LockStyle::Write: return "std::unique_lock<std::shared_mutex> hold(" + s.text + ");";
      case LockStyle::Scoped:
      case LockStyle::TryMutex: break;
    }
    return "std::scoped_lock hold(" + s.text + ");";
  }

  static std::string name(size_t n) { return "runner" + std::to_string(n); }

  // All threads begin here.
  void dispatcher() {
    line(0, "void work(int which) {");
    line(1, "switch (which) {");
    for (size_t n = 0; n < tree_.threads.size(); ++n)
      line(2, "case " + std::to_string(n) + ": return " + tree_.functions[tree_.threads[n].function].name + "(" +
                  std::to_string(tree_.threads[n].argument) + ");");
    line(1, "}");
    line(0, "}");
  }

  void main() override {
    if (tree_.dispatching) dispatcher();
    line(0, "int main() {");
    line(1, "int t0 = 0, t1 = 0, n = 0;");
    take_inputs();
    statements(tree_.before, 1);
    switch (tree_.thread_style) {
      case ThreadStyle::Separate: separate("thread", 1); break;
      case ThreadStyle::Joining:
        line(1, "{");
        separate("jthread", 2);
        line(1, "}");
        break;
      case ThreadStyle::Vector: vector(); break;
    }
    statements(tree_.after, 1);
    line(1, "return 0;");
    line(0, "}");
  }

  std::string arguments(const Started& t) const {
    if (tree_.dispatching) return "(work, " + std::to_string(&t - tree_.threads.data()) + ");";
    const std::string name = tree_.functions[t.function].name, argument = std::to_string(t.argument);
    return tree_.lambdas ? "([] { " + name + "(" + argument + "); });" : "(" + name + ", " + argument + ");";
  }

  // A std::thread that is not joined is let go; a jthread joins by itself otherwise.
  void separate(const std::string& type, int depth) {
    const auto& threads = tree_.threads;
    for (size_t n = 0; n < threads.size(); ++n) {
      line(depth, "std::" + type + " " + name(n) + arguments(threads[n]));
      if (!threads[n].joined) line(depth, name(n) + ".detach();");
    }
    statements(tree_.beside, depth);
    if (type == "jthread") return;
    for (size_t n = 0; n < threads.size(); ++n)
      if (threads[n].joined) line(depth, name(n) + ".join();");
  }

  // One that is not joined is forgotten, and ends the process.
  void vector() {
    line(1, "std::vector<std::thread> runners;");
    for (const Started& t : tree_.threads) line(1, "runners.emplace_back" + arguments(t));
    statements(tree_.beside, 1);
    const auto& threads = tree_.threads;
    if (std::all_of(threads.begin(), threads.end(), [](const Started& t) { return t.joined; }))
      return line(1, "for (std::thread& runner : runners) runner.join();");
    for (size_t n = 0; n < threads.size(); ++n)
      if (threads[n].joined) line(1, "runners[" + std::to_string(n) + "].join();");
  }
};

}  // namespace

std::string print_cxx(const Tree& tree) { return Printer(tree).run(); }
TreePrinter::Parts parts_cxx(const Tree& tree) { return Printer(tree).parts(); }

}  // namespace heddle::judge
