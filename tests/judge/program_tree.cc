#include "tests/judge/program_tree.h"

#include <algorithm>

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

class Printer {
 public:
  explicit Printer(const Tree& tree) : tree_(tree) {}

  std::string run() {
    text_ =
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
        "#include <stdlib.h>\n#include <time.h>\n";
    const auto box = [](const Global& g) { return g.kind == GlobalKind::Box; };
    if (std::any_of(tree_.globals.begin(), tree_.globals.end(), box)) {
      line(0, std::string("struct box { ") + (tree_.wide_boxes ? "long more; " : "") +
                  "pthread_mutex_t lock; int value, turns; };");
      text_ += kBox;
    }
    line(0, "const struct timespec later = {1, 0};");
    text_ += kThroughAnAddress;
    for (const Global& global : tree_.globals) declare(global);
    for (const Function& function : tree_.functions) define(function);
    main();
    return text_;
  }

 private:
  void line(int depth, const std::string& text) {
    text_ += std::string(static_cast<size_t>(depth) * 2, ' ') + text + "\n";
  }

  void declare(const Global& g) {
    switch (g.kind) {
      case GlobalKind::Integer: line(0, "int " + g.name + " = " + std::to_string(g.value) + ";"); break;
      case GlobalKind::Atomic: line(0, "_Atomic int " + g.name + " = " + std::to_string(g.value) + ";"); break;
      case GlobalKind::Array: line(0, "int " + g.name + "[" + std::to_string(g.value) + "];"); break;
      case GlobalKind::Mutex: line(0, "pthread_mutex_t " + g.name + " = PTHREAD_MUTEX_INITIALIZER;"); break;
      case GlobalKind::ReadWriteLock: line(0, "pthread_rwlock_t " + g.name + " = PTHREAD_RWLOCK_INITIALIZER;"); break;
      case GlobalKind::Condition: line(0, "pthread_cond_t " + g.name + " = PTHREAD_COND_INITIALIZER;"); break;
      case GlobalKind::Semaphore: line(0, "sem_t " + g.name + ";"); break;
      case GlobalKind::Heap: line(0, "int *" + g.name + ";"); break;
      case GlobalKind::Box:
        line(0, "struct box " + g.name + " = {.lock = PTHREAD_MUTEX_INITIALIZER, .value = " + std::to_string(g.value) +
                    "};");
        break;
      case GlobalKind::Once: {
        const std::string value = "q" + g.name.substr(1);
        line(0, "pthread_once_t " + g.name + " = PTHREAD_ONCE_INIT;");
        line(0, "int " + value + ";");
        line(0, "void set_" + g.name + "(void) { " + value + " += " + std::to_string(g.value) + "; }");
        break;
      }
      case GlobalKind::Barrier: line(0, "pthread_barrier_t " + g.name + ";"); break;
    }
  }

  void define(const Function& f) {
    for (int n = 0; n < tree_.blank_lines; ++n) line(0, "");
    for (const std::string& comment : tree_.comments) line(0, "/* " + comment + " */");
    line(0, f.thread ? "void *" + f.name + "(void *arg) {" : "int " + f.name + "(int " + f.parameter + ") {");
    if (f.thread) line(1, "int " + f.parameter + " = (int)(long)arg;");
    line(1, "int " + f.first_local + " = " + f.parameter + ", " + f.second_local + " = 0;");
    statements(f.body, 1);
    line(1, f.thread ? "return 0;" : "return " + f.first_local + " + " + f.second_local + ";");
    line(0, "}");
  }

  void statements(const std::vector<Statement>& list, int depth) {
    for (const Statement& s : list) statement(s, depth);
  }

  void statement(const Statement& s, int depth) {
    if (s.kind == StatementKind::Plain) return line(depth, s.text);
    if (s.kind != StatementKind::Locked) {
      line(depth, (s.kind == StatementKind::If ? "if (" + s.text + ")" : s.text) + " {");
      statements(s.body, depth + 1);
      return line(depth, "}");
    }
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

  void main() {
    line(0, "int main(void) {");
    line(1, "int t0 = 0, t1 = 0, n = 0;");
    if (!tree_.threads.empty()) line(1, "pthread_t threads[" + std::to_string(tree_.threads.size()) + "];");
    for (const Global& g : tree_.globals) {
      const std::string count = std::to_string(g.value);
      if (g.kind == GlobalKind::Semaphore) line(1, "sem_init(&" + g.name + ", 0, " + count + ");");
      if (g.kind == GlobalKind::Barrier) line(1, "pthread_barrier_init(&" + g.name + ", 0, " + count + ");");
    }
    statements(tree_.before, 1);
    for (size_t n = 0; n < tree_.threads.size(); ++n) {
      const Started& t = tree_.threads[n];
      line(1, "pthread_create(&threads[" + std::to_string(n) + "], 0, " + tree_.functions[t.function].name +
                  ", (void *)" + std::to_string(t.argument) + "L);");
    }
    statements(tree_.beside, 1);
    for (size_t n = 0; n < tree_.threads.size(); ++n)
      if (tree_.threads[n].joined) line(1, "pthread_join(threads[" + std::to_string(n) + "], 0);");
    statements(tree_.after, 1);
    line(1, "return 0;");
    line(0, "}");
  }

  const Tree& tree_;
  std::string text_;
};

}  // namespace

std::string print(const Tree& tree) { return tree.language == Language::Cxx ? print_cxx(tree) : Printer(tree).run(); }

std::vector<std::string> locks_of(const Statement& statement) {
  const size_t comma = statement.text.find(", ");
  if (comma == std::string::npos) return {statement.text};
  return {statement.text.substr(0, comma), statement.text.substr(comma + 2)};
}

}  // namespace heddle::judge
