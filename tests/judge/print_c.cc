// The C text of a tree: threads and locks of POSIX.
#include "tests/judge/tree_printer.h"

namespace heddle::judge {
namespace {

// One pair of helpers for the boxes of all groups: which box they work on is known by the pointer only.
constexpr const char* kBox = R"(int box_put(struct box *b, int v) {
  pthread_mutex_lock(&b->lock);
  b->value = v;
  int turns = ++b->turns;
  pthread_mutex_unlock(&b->lock);
  return turns;
}
int box_get(struct box *b) {
  pthread_mutex_lock(&b->lock);
  int v = b->value;
  pthread_mutex_unlock(&b->lock);
  return v;
}
)";

class Printer : public TreePrinter {
 public:
  using TreePrinter::TreePrinter;

 private:
  void begin(bool boxes) override {
    text_ =
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
        "#include <stdlib.h>\n#include <time.h>\n";
    if (boxes) {
      line(0, std::string("struct box { ") + (tree_.wide_boxes ? "long more; " : "") +
                  "pthread_mutex_t lock; int value, turns; };");
      text_ += kBox;
    }
    line(0, "const struct timespec later = {1, 0};");
  }

  void declare(const Global& g, const std::string& value) override {
    switch (g.kind) {
      case GlobalKind::Integer: line(0, "int " + g.name + " = " + value + ";"); break;
      case GlobalKind::Atomic: line(0, "_Atomic int " + g.name + " = " + value + ";"); break;
      case GlobalKind::Array: line(0, "int " + g.name + "[" + value + "];"); break;
      case GlobalKind::Mutex: line(0, "pthread_mutex_t " + g.name + " = PTHREAD_MUTEX_INITIALIZER;"); break;
      case GlobalKind::ReadWriteLock: line(0, "pthread_rwlock_t " + g.name + " = PTHREAD_RWLOCK_INITIALIZER;"); break;
      case GlobalKind::Condition: line(0, "pthread_cond_t " + g.name + " = PTHREAD_COND_INITIALIZER;"); break;
      case GlobalKind::Semaphore: line(0, "sem_t " + g.name + ";"); break;
      case GlobalKind::Heap: line(0, "int *" + g.name + ";"); break;
      case GlobalKind::Box:
        line(0, "struct box " + g.name + " = {.lock = PTHREAD_MUTEX_INITIALIZER, .value = " + value + "};");
        break;
      case GlobalKind::Once:
        line(0, "pthread_once_t " + g.name + " = PTHREAD_ONCE_INIT;");
        initialiser(g, value, "void");
        break;
      case GlobalKind::Input: line(0, "int " + g.name + ";"); break;
      case GlobalKind::Barrier: line(0, "pthread_barrier_t " + g.name + ";"); break;
    }
  }

  std::string comment(const std::string& words) const override { return "/* " + words + " */"; }
  void head(const Function& f) override {
    line(0, f.thread ? "void *" + f.name + "(void *arg) {" : "int " + f.name + "(int " + f.parameter + ") {");
    if (f.thread) line(1, "int " + f.parameter + " = (int)(long)arg;");
  }
  std::string result(const Function& f) const override {
    return f.thread ? "0" : f.first_local + " + " + f.second_local;
  }

  void locked(const Statement& s, int depth) override {
    const std::string at = "(&" + s.text + ")";
    switch (s.style) {
      case LockStyle::Mutex:
      case LockStyle::Unique:
      case LockStyle::Scoped: line(depth, "pthread_mutex_lock" + at + ";"); break;
      case LockStyle::TryMutex: line(depth, "if (pthread_mutex_trylock" + at + " == 0) {"); break;
      case LockStyle::TimedMutex: line(depth, "if (pthread_mutex_timedlock(&" + s.text + ", &later) == 0) {"); break;
      case LockStyle::Read: line(depth, "pthread_rwlock_rdlock" + at + ";"); break;
      case LockStyle::Write: line(depth, "pthread_rwlock_wrlock" + at + ";"); break;
    }
    statements(s.body, depth + 1);
    const bool tries = s.style == LockStyle::TryMutex || s.style == LockStyle::TimedMutex;
    const bool mutex = s.style != LockStyle::Read && s.style != LockStyle::Write;
    line(depth, (mutex ? "pthread_mutex_unlock" : "pthread_rwlock_unlock") + at + ";");
    if (tries) line(depth, "}");
  }

  // All threads begin here.
  void dispatcher() {
    line(0, "void *work(void *arg) {");
    line(1, "switch ((long)arg) {");
    for (size_t n = 0; n < tree_.threads.size(); ++n) {
      const Started& t = tree_.threads[n];
      line(2, "case " + std::to_string(n) + ": return " + tree_.functions[t.function].name + "((void *)" +
                  std::to_string(t.argument) + "L);");
    }
    line(1, "}");
    line(1, "return 0;");
    line(0, "}");
  }

  void main() override {
    if (tree_.dispatching) dispatcher();
    line(0, "int main(void) {");
    line(1, "int t0 = 0, t1 = 0, n = 0;");
    take_inputs();
    if (!tree_.threads.empty()) line(1, "pthread_t threads[" + std::to_string(tree_.threads.size()) + "];");
    for (const Global& g : tree_.globals) {
      const std::string count = std::to_string(g.value);
      if (g.kind == GlobalKind::Semaphore) line(1, "sem_init(&" + g.name + ", 0, " + count + ");");
      if (g.kind == GlobalKind::Barrier) line(1, "pthread_barrier_init(&" + g.name + ", 0, " + count + ");");
    }
    statements(tree_.before, 1);
    for (size_t n = 0; n < tree_.threads.size(); ++n) {
      const Started& t = tree_.threads[n];
      const std::string entry = tree_.dispatching ? "work" : tree_.functions[t.function].name;
      const std::string argument = std::to_string(tree_.dispatching ? static_cast<int>(n) : t.argument);
      line(1, "pthread_create(&threads[" + std::to_string(n) + "], 0, " + entry + ", (void *)" + argument + "L);");
    }
    statements(tree_.beside, 1);
    for (size_t n = 0; n < tree_.threads.size(); ++n)
      if (tree_.threads[n].joined) line(1, "pthread_join(threads[" + std::to_string(n) + "], 0);");
    statements(tree_.after, 1);
    line(1, "return 0;");
    line(0, "}");
  }
};

}  // namespace

std::string print_c(const Tree& tree) { return Printer(tree).run(); }
TreePrinter::Parts parts_c(const Tree& tree) { return Printer(tree).parts(); }

}  // namespace heddle::judge
