// What makes a finding the same one in the next version: every rule, over moved lines.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/explore/c_program.h"

namespace heddle::detect {
namespace {

using explore::CProgram;
using explore::run_full;

const std::string kHead = R"(
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
)";

std::set<std::pair<std::string, std::string>> told(const std::string& text) {
  std::set<std::pair<std::string, std::string>> out;
  for (const Finding& finding : run_full(CProgram(text)).findings) out.insert({finding.rule, finding.id});
  return out;
}

// Another function in front that has a literal, a static variable and a block of its own; empty lines behind every line
// that ends a function or a statement.
std::string moved(const std::string& text) {
  std::string out = kHead + R"(
static const char *spare(void) { static int calls; ++calls; return calls > 1 ? "spare" : "more"; }
static void *spare_block(void) { return spare() ? 0 : malloc(3); }

)";
  for (const char c : text) {
    out += c;
    if (c == ';' || c == '}') out += '\n';
  }
  return out + "static void *unused(void) { return spare_block(); }\n";
}

struct Case {
  const char* rule;
  const char* text;
};

class Identity : public testing::TestWithParam<Case> {};

TEST_P(Identity, HoldsOverMovedLines) {
  const auto before = told(kHead + GetParam().text);
  const bool shows =
      std::any_of(before.begin(), before.end(), [](const auto& f) { return f.first == GetParam().rule; });
  EXPECT_TRUE(shows) << GetParam().text;
  EXPECT_EQ(before, told(moved(GetParam().text))) << GetParam().text;
}

const char* const kTwoThreads = R"(
int main(void) {
  pthread_t t, u;
  make();
  pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  return 0;
}
)";

const std::string kWrapped = std::string(R"(
struct account { int *spare; pthread_mutex_t lock; };
static void *get(size_t n) { void *p = malloc(n); if (p == 0) abort(); return p; }
static struct account *account(void) { struct account *a = get(sizeof *a); pthread_mutex_init(&a->lock, 0); return a; }
static struct account *a, *b;
static void make(void) { a = account(); b = account(); }
static void both(struct account *x, struct account *y) {
  pthread_mutex_lock(&x->lock); pthread_mutex_lock(&y->lock); pthread_mutex_unlock(&y->lock); pthread_mutex_unlock(&x->lock); }
static void *one(void *p) { both(a, b); return p; }
static void *two(void *p) { both(b, a); return p; }
)") + kTwoThreads;

TEST(Identity, HoldsWhenOtherBlocksAreMadeBefore) {
  std::string more = kHead + kWrapped;
  const auto before = told(more);
  EXPECT_EQ(std::count_if(before.begin(), before.end(), [](const auto& f) { return f.first == "deadlock"; }), 1);
  more.replace(more.find("a = account();"), 0, "free(get(3)); struct account *c = account(); free(c); ");
  EXPECT_EQ(before, told(more));
}

// Two callers of one wrapper take the locks in the wrong order: two deadlocks, each the same one over moved lines.
TEST(Identity, TellsTheCallersOfAWrapperApart) {
  const std::string wrapped = R"(
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void lock(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void *one(void *p) { lock(&a); lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }
static void *two(void *p) { lock(&a); lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }
static void *three(void *p) { lock(&b); lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0); pthread_create(&v, 0, three, 0);
  pthread_join(t, 0); pthread_join(u, 0); pthread_join(v, 0);
  return 0;
}
)";
  const auto before = told(kHead + wrapped);
  EXPECT_EQ(before.size(), 2u);
  EXPECT_EQ(before, told(moved(wrapped)));
}

const std::string kHeapMutexes = std::string(R"(
static pthread_mutex_t *a, *b;
static void make(void) { a = calloc(1, sizeof *a); b = calloc(1, sizeof *b); pthread_mutex_init(a, 0); pthread_mutex_init(b, 0); }
static void *one(void *p) { pthread_mutex_lock(a); pthread_mutex_lock(b); pthread_mutex_unlock(b); pthread_mutex_unlock(a); return p; }
static void *two(void *p) { pthread_mutex_lock(b); pthread_mutex_lock(a); pthread_mutex_unlock(a); pthread_mutex_unlock(b); return p; }
)") + kTwoThreads;

const std::string kHeapCondition = std::string(R"(
static struct queue { int n; pthread_mutex_t m; pthread_cond_t c; } *q;
static void make(void) { q = calloc(1, sizeof *q); pthread_mutex_init(&q->m, 0); pthread_cond_init(&q->c, 0); }
static void *one(void *p) { pthread_mutex_lock(&q->m); if (q->n == 0) pthread_cond_wait(&q->c, &q->m); pthread_mutex_unlock(&q->m); return p; }
static void *two(void *p) { pthread_cond_signal(&q->c); pthread_mutex_lock(&q->m); q->n = 1; pthread_mutex_unlock(&q->m); return p; }
)") + kTwoThreads;

const std::string kHeapFlag = std::string(R"(
static _Atomic int *flag;
static void make(void) { flag = calloc(1, sizeof *flag); }
static void *one(void *p) { while (*flag == 0); return p; }
static void *two(void *p) { if (*flag) *flag = 2; return p; }
)") + kTwoThreads;

const std::string kHeapSemaphore = std::string(R"(
static sem_t *s;
static void make(void) { s = malloc(sizeof *s); sem_init(s, 0, 0); }
static void *one(void *p) { sem_wait(s); return p; }
static void *two(void *p) { return p; }
)") + kTwoThreads;

const std::string kHeldTwice = std::string(R"(
static pthread_rwlock_t *l;
static void make(void) { l = malloc(sizeof *l); pthread_rwlock_init(l, 0); }
static void *one(void *p) { pthread_rwlock_rdlock(l); pthread_rwlock_wrlock(l); return p; }
static void *two(void *p) { return p; }
)") + kTwoThreads;

const std::string kLiveRounds = std::string(R"(
static pthread_mutex_t *a, *b;
static void make(void) { a = malloc(sizeof *a); b = malloc(sizeof *b); pthread_mutex_init(a, 0); pthread_mutex_init(b, 0); }
static void *one(void *p) {
  for (;;) { pthread_mutex_lock(a); if (pthread_mutex_trylock(b) == 0) break; pthread_mutex_unlock(a); }
  for (;;) { pthread_mutex_unlock(a); pthread_mutex_lock(a); }
  return p; }
static void *two(void *p) { return p; }
)") + kTwoThreads;

const std::string kUnlocks = std::string(R"(
static pthread_mutex_t *a;
static void make(void) { a = malloc(sizeof *a); pthread_mutex_init(a, 0); }
static void *one(void *p) { pthread_mutex_unlock(a); return p; }
static void *two(void *p) { return p; }
)") + kTwoThreads;

const std::string kHeapRace = std::string(R"(
static int *shared;
static void make(void) { shared = malloc(2 * sizeof *shared); shared[0] = shared[1] = 0; }
static void *one(void *p) { shared[1] = 1; return p; }
static void *two(void *p) { shared[1] = 2; return p; }
)") + kTwoThreads;

const std::string kStaticRace = std::string(R"(
static void make(void) { }
static int *counter(void) { static int n; return &n; }
static void *one(void *p) { ++*counter(); return p; }
static void *two(void *p) { ++*counter(); return p; }
)") + kTwoThreads;

const std::string kLiteral = R"(
static const char *names[] = {"first", "second"};
int main(void) { char *p = (char *)names[1]; p[0] = 'x'; return "third"[0] == p[1]; }
)";

const std::string kAssertion = R"(
static int n;
int main(void) { char *p = malloc(4); assert(p != 0 && "none: 3:4" && n == 1); free(p); return 0; }
)";

INSTANTIATE_TEST_SUITE_P(
    Rules, Identity,
    testing::Values(
        Case{"deadlock", kHeapMutexes.c_str()}, Case{"lost-signal", kHeapCondition.c_str()},
        Case{"livelock", kHeapFlag.c_str()}, Case{"deadlock", kHeapSemaphore.c_str()},
        Case{"deadlock", kHeldTwice.c_str()}, Case{"livelock", kLiveRounds.c_str()},
        Case{"lock-misuse", kUnlocks.c_str()}, Case{"data-race", kHeapRace.c_str()},
        Case{"data-race", kStaticRace.c_str()}, Case{"assertion", kAssertion.c_str()},
        Case{"leak", "int main(void) { char *p = malloc(4); p[0] = 1; p = 0; return p != 0; }"},
        Case{"abort", "int main(void) { if (getpid() != 1) abort(); return 0; }"},
        Case{"use-after-free", "int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }"},
        Case{"double-free", "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }"},
        Case{"invalid-free", "int main(void) { char *p = malloc(4); free(p + 1); return 0; }"},
        Case{"out-of-bounds", "int main(void) { char *p = malloc(4); p[4] = 1; free(p); return 0; }"},
        Case{"null-dereference", "static int *p; int main(void) { return *p; }"},
        Case{"uninitialised-read", "int main(void) { int *p = malloc(4); int n = *p; free(p); return n > 0 ? 1 : 2; }"},
        Case{"division-by-zero", "static int n; int main(void) { return 3 / n; }"},
        Case{"stack-overflow",
             "static int f(int n) { char c[999]; c[0] = n; return f(n + 1) + c[0]; } int main(void) { return f(0); }"},
        Case{"thread-leak",
             "static void *w(void *p) { for (;;) sleep(1); return p; } int main(void) { pthread_t t; "
             "pthread_create(&t, 0, w, 0); "
             "return 0; }"},
        Case{"thread-misuse",
             "static void *w(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); "
             "pthread_join(t, 0); "
             "pthread_join(t, 0); return 0; }"}));

// What is written to two blocks that one function makes, or waited for in them, are two findings.
TEST(IdentityOfBlocks, TellsThoseOfOneFunctionApart) {
  const std::string text = kHead + R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *full, *empty;
static void *one(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(p ? full : empty, &m); pthread_mutex_unlock(&m); return p; }
int main(int argc, char **argv) {
  pthread_t t;
  full = malloc(sizeof *full);
  empty = malloc(sizeof *empty);
  pthread_cond_init(full, 0); pthread_cond_init(empty, 0);
  pthread_create(&t, 0, one, WHICH); pthread_join(t, 0);
  return argc;
}
)";
  const auto with = [&](const std::string& which) {
    std::string out = text;
    return told(out.replace(out.find("WHICH"), 5, which));
  };
  EXPECT_NE(with("0"), with("full"));
}

}  // namespace
}  // namespace heddle::detect
