#include "tests/judge/unseen.h"

#include "tests/judge/phrases.h"

namespace heddle::judge {
namespace {

class Maker {
 public:
  Maker(Random& random, Language language, const Ingredients& with)
      : random_(random), with_(with), cxx_(language == Language::Cxx), phrases_(language) {}

  Statement run() {
    switch (random_.below(10)) {
      case 0: return fence();
      case 1: return message();
      case 2: return pause();
      case 3: return deadline();
      case 4: return bounded();
      case 5: return ends();
      case 6:
      case 7: return file();
      default: return own();
    }
  }

 private:
  std::string small(int low = 0, int high = 2) { return number(random_.between(low, high)); }

  Statement fence() {
    static const std::vector<std::string> kFences = {"publish();", "observe();", "order();"};
    return plain(random_.of(kFences));
  }

  // Data without a lock behind a relaxed flag: only the fences order it.
  Statement message() {
    if (with_.flag.empty() || with_.data.empty()) return fence();
    if (random_.chance(50))
      return plain(with_.data + " = 1; publish(); " + phrases_.store(with_.flag, 3, Phrases::Order::Relaxed));
    return {StatementKind::If,
            phrases_.load(with_.flag, Phrases::Order::Relaxed) + " == 3",
            LockStyle::Mutex,
            {plain("observe();"), plain(with_.local + " = " + with_.data + ";")}};
  }

  Statement pause() {
    switch (random_.below(4)) {
      case 0: return plain("rest();");
      case 1: return plain("sched_yield();");
      case 2:
        return plain(cxx_ ? "std::this_thread::sleep_for(std::chrono::milliseconds( " + small() + " ));"
                          : "usleep( " + small() + " );");
      default: return plain(cxx_ ? "std::this_thread::yield();" : "sleep( " + small() + " );");
    }
  }

  // A loop that ends by what another thread does, or by the clock.
  Statement deadline() {
    if (with_.flag.empty()) return plain(with_.local + " = seconds() > 5;");
    const std::string waits = phrases_.plain_load(with_.flag) + " == " + small(0, 1);
    const std::string pause = random_.chance(70) ? "rest();" : "{}";
    if (random_.chance(50))
      return plain("for (long end = seconds() + " + small(0, 1) + "; " + waits + " && seconds() < end;) " + pause);
    if (cxx_)
      return plain("for (auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds( " + small(0, 1) +
                   " ); " + waits + " && std::chrono::steady_clock::now() < end;) std::this_thread::yield();");
    return plain("for (time_t end = time(0) + " + small(0, 1) + "; " + waits + " && time(0) < end;) sleep(1);");
  }

  // Tries, so many times.
  Statement bounded() {
    const std::string times = "for (int k = 0; k < " + small(1, 2);
    const uint32_t pick = random_.below(3);
    if (pick == 0 && !with_.semaphore.empty())
      return plain(times + " && " + phrases_.timed_out(with_.semaphore) + "; k++) " + with_.local + "++;");
    if (pick == 1 && !with_.event.empty()) {
      Statement s{StatementKind::Locked, with_.event_lock, cxx_ ? LockStyle::Unique : LockStyle::Mutex, {}};
      if (cxx_ && random_.chance(50))
        s.body.push_back(plain("if (!" + with_.event + ".wait_for(hold, std::chrono::milliseconds( " + small(1, 2) +
                               " ), [] { return " + with_.event_flag + " != 0; })) " + with_.local + " = 7;"));
      else
        s.body.push_back(plain(times + " && " + with_.event_flag + " == 0; k++) " +
                               phrases_.wait_on(with_.event, with_.event_lock, true)));
      return s;
    }
    if (with_.lock.empty()) return pause();
    const std::string inside = with_.guarded.empty() ? with_.local + "++;" : with_.guarded + "++;";
    const std::string tried =
        cxx_ ? "if (" + with_.lock + ".try_lock()) { " + inside + " " + with_.lock + ".unlock(); break; }"
             : "if (pthread_mutex_trylock(&" + with_.lock + ") == 0) { " + inside + " pthread_mutex_unlock(&" +
                   with_.lock + "); break; }";
    return plain(times + "; k++) " + tried);
  }

  // Ways to leave, and what runs then.
  Statement ends() {
    if (!with_.data.empty() && random_.chance(35))
      return plain(std::string(random_.chance(70) ? "atexit" : "at_quick_exit") + "(end_" + with_.data + ");");
    static const std::vector<std::string> kEnds = {" exit(0);", " _exit(0);", " quick_exit(0);"};
    const bool leaves = random_.chance(30);
    const std::string end = !leaves ? random_.of(kEnds) : cxx_ ? "throw 1;" : "pthread_exit(0);";
    return {StatementKind::If, with_.condition, LockStyle::Mutex, {plain(end)}};
  }

  Statement file() {
    const std::string name = random_.chance(75) ? "\"/tmp/a\"" : "\"/tmp/b\"";
    switch (random_.below(7)) {
      case 0: return plain(with_.local + " = made(" + name + ");");
      case 1: return plain("keep(" + name + ", " + small() + " );");
      case 2: return plain(with_.local + " = kept(" + name + ");");
      case 3: return plain("keep_stream(" + name + ", " + small() + " );");
      case 4: return plain(with_.local + " = kept_stream(" + name + ");");
      case 5: return plain("unlink(" + name + ");");
      default:
        return {StatementKind::If,
                "made(" + name + ")",
                LockStyle::Mutex,
                {plain(with_.data.empty() ? with_.local + "++;" : with_.data + "++;")}};
    }
  }

  // What no other thread ever sees.
  Statement own() {
    const std::string n = small();
    switch (random_.below(7)) {
      case 0: return plain("for (unsigned char k = 252; k < 25" + n + "; k++) " + with_.local + "++;");
      case 1: return plain("{ int own[3] = {0}; own[ " + n + " ] = 1; " + with_.local + " += own[1]; }");
      case 2: return plain("{ int own[3] = {0}, *p = own; " + with_.local + " += p[ " + n + " ]; }");
      case 3: return plain(with_.local + " += vary(1, " + with_.value + " + 0);");
      case 4:
        return plain("errno = " + n + "; " + (random_.chance(50) ? "close(-1); " : "") + with_.local +
                     " = errno == 1;");
      case 5: return plain("srand( " + n + " ); " + with_.local + " = rand() % 2;");
      default:
        return plain("{ char *own = (char *)malloc( " + small(1, 3) + " ); own[0] = 1; " + with_.local +
                     " = own[0]; free(own); }");
    }
  }

  Random& random_;
  const Ingredients& with_;
  const bool cxx_;
  const Phrases phrases_;
};

// The includes of C++ stand with the others, which are one preamble.
constexpr const char* kHeadersC = R"(#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
)";

constexpr const char* kFunctions = R"(int vary(int count, ...) {
  va_list list;
  va_start(list, count);
  int result = va_arg(list, int);
  va_end(list);
  return result;
}
int made(const char *name) {
  int f = open(name, O_CREAT | EXCLUSIVE | O_WRONLY, 0600);
  if (f >= 0) close(f);
  return f >= 0;
}
void keep(const char *name, char v) {
  int f = open(name, O_CREAT | TRUNCATE | O_WRONLY, 0600);
  if (f < 0) return;
  if (write(f, &v, 1) != 1) errno = 0;
  close(f);
}
int kept(const char *name) {
  char v = 0;
  int f = open(name, O_RDONLY);
  if (f < 0) return -1;
  if (read(f, &v, 1) != 1) v = 9;
  close(f);
  return v;
}
void keep_stream(const char *name, char v) {
  FILE *f = fopen(name, MODE);
  if (!f) return;
  fputc(v, f);
  fclose(f);
}
int kept_stream(const char *name) {
  FILE *f = fopen(name, "r");
  int v = f ? fgetc(f) : -1;
  if (f) fclose(f);
  return v;
}
long seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK, &t);
  return t.tv_sec;
}
void rest(void) { REST }
)";

void replace(std::string& text, const std::string& word, const std::string& with) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += with.size())
    text.replace(at, word.size(), with);
}

}  // namespace

Statement unseen_statement(Random& random, Language language, const Ingredients& with) {
  return Maker(random, language, with).run();
}

std::string unseen_functions(const Tree& tree) {
  const auto has = [&](uint32_t bit) { return (tree.variants >> bit & 1) != 0; };
  const std::string prefix = tree.language == Language::Cxx ? "std::" : "";
  const auto fence = [&](const std::string& name, const std::string& order, bool gone) {
    return "void " + name + "(void) { " +
           (gone ? "" : prefix + "atomic_thread_fence(" + prefix + "memory_order_" + order + "); ") + "}\n";
  };
  std::string text = tree.language == Language::C ? kHeadersC : "";
  text += fence("publish", has(0) ? "relaxed" : "release", false);
  text += fence("observe", "acquire", has(1));
  text += fence("order", has(2) ? "acq_rel" : "seq_cst", false);
  std::string functions = kFunctions;
  replace(functions, "EXCLUSIVE", has(3) ? "0" : "O_EXCL");
  replace(functions, "TRUNCATE", has(4) ? "O_APPEND" : "O_TRUNC");
  replace(functions, "MODE", has(4) ? "\"a\"" : "\"w\"");
  replace(functions, "CLOCK,", has(5) ? "CLOCK_REALTIME," : "CLOCK_MONOTONIC,");
  replace(functions, "REST", has(6) ? "sched_yield();" : "usleep(1000);");
  return text + functions;
}

std::string unseen_handler(const Global& integer) {
  return "void end_" + integer.name + "(void) { " + integer.name + "++; }";
}

const std::vector<std::pair<std::string, std::string>>& unseen_edits() {
  static const std::vector<std::pair<std::string, std::string>> kEdits = {{"publish();", "observe();"},
                                                                          {"observe();", "publish();"},
                                                                          {"publish();", "order();"},
                                                                          {"rest();", "{}"},
                                                                          {"usleep(", "sleep("},
                                                                          {"sched_yield();", "rest();"},
                                                                          {" exit(0);", " _exit(0);"},
                                                                          {" _exit(0);", " exit(0);"},
                                                                          {" quick_exit(0);", " _exit(0);"},
                                                                          {" _exit(0);", " quick_exit(0);"},
                                                                          {"atexit(", "at_quick_exit("},
                                                                          {"pthread_exit(0);", " _exit(0);"},
                                                                          {"made(", "kept("},
                                                                          {"keep(", "keep_stream("},
                                                                          {"kept(", "kept_stream("},
                                                                          {"kept_stream(", "kept("},
                                                                          {"/tmp/a", "/tmp/b"},
                                                                          {"/tmp/b", "/tmp/a"},
                                                                          {"k < 2", "k < 1"},
                                                                          {"k < 1", "k < 3"},
                                                                          {"seconds() + 1", "seconds() + 0"},
                                                                          {"seconds() + 0", "seconds() + 1"},
                                                                          {" break; }", " }"},
                                                                          {"throw 1;", "return 0;"},
                                                                          {"milliseconds( 1 )", "seconds(0)"},
                                                                          {"srand( 1 )", "srand( 2 )"},
                                                                          {"errno = 1;", "errno = 0;"}};
  return kEdits;
}

}  // namespace heddle::judge
