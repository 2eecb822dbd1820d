#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "server/analysis/analysis.h"
#include "tests/support/compile_text.h"

namespace heddle::analysis {
namespace {

FactsPtr facts_of(const std::string& text) {
  return analyse(
      test::program_of("#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include "
                       "<semaphore.h>\n#include <stdatomic.h>\n#include <assert.h>\n" +
                       text));
}

std::set<std::string> shared(const Facts& facts) {
  std::set<std::string> names;
  for (const Object& object : facts.objects)
    if (object.shared) names.insert(object.name.substr(0, object.name.find_first_of("@.")));
  return names;
}

std::string roles(const Facts& facts) {
  std::string text;
  for (const Role& role : facts.roles) text += role.name + (role.multiplicity == Multiplicity::Many ? "* " : " ");
  return text;
}

const std::string kTwo = R"(
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";

using Names = std::set<std::string>;

TEST(Analysis, GlobalsOfTwoRolesAreShared) {
  auto facts = facts_of(R"(
int both, one, none; const int table[2] = {1, 2}; _Thread_local int own;
void *first(void *p) { both++; one++; own = table[1]; return p; }
void *second(void *p) { both++; own = table[0]; return p; })" +
                        kTwo);
  EXPECT_EQ(shared(*facts), (Names{"both"}));
  EXPECT_EQ(roles(*facts), "main first second ");
}

TEST(Analysis, ThreadsOfTheLibraryAreNamedByWhatTheyAreGiven) {
  const auto names = [](const std::string& threads) {
    const auto facts =
        analyse(test::program_of_cxx("#include <thread>\n"
                                     "#include <future>\n"
                                     "int a, b; void first() { ++a; } void second() { ++b; }\n"
                                     "struct Pool { int n = 0; void run() { ++n; } };\n"
                                     "int main() {\n" +
                                     threads + "\n}"));
    return roles(*facts);
  };
  EXPECT_EQ(names("std::thread t(first); t.join();"), "main first ");
  EXPECT_EQ(names("Pool p; std::jthread t(&Pool::run, &p);"), "main Pool::run ");
  EXPECT_EQ(names("std::thread t([] { ++a; }); t.join();"), "main lambda at test.cc:6 ");
  EXPECT_EQ(names("auto f = std::async(std::launch::async, second); f.get();"), "main second ");
  EXPECT_EQ(names("auto f = std::async(std::launch::async, [] { ++b; }); f.get();"), "main lambda at test.cc:6 ");
  EXPECT_EQ(names("std::thread t(first), u(second); t.join(); u.join();"), "main first second ");
}

TEST(Analysis, LoopMakesManyInstances) {
  auto facts = facts_of(R"(
int count;
void *worker(void *p) { count++; return p; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0); })");
  EXPECT_EQ(roles(*facts), "main worker* ");
  EXPECT_EQ(shared(*facts), (Names{"count"}));
}

TEST(Analysis, StartFunctionCalledTwiceMakesManyInstances) {
  auto facts = facts_of(R"(
void *worker(void *p) { return p; }
static void start(void) { pthread_t t; pthread_create(&t, 0, worker, 0); }
int main(void) { start(); start(); })");
  EXPECT_EQ(roles(*facts), "main worker* ");
}

TEST(Analysis, ThreadsOfManyThreadsAreMany) {
  auto facts = facts_of(R"(
void *leaf(void *p) { return p; }
void *node(void *p) { pthread_t t; pthread_create(&t, 0, leaf, p); return p; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, node, 0); })");
  EXPECT_EQ(roles(*facts), "main leaf* node* ");
}

TEST(Analysis, StartRoutinesFromATable) {
  auto facts = facts_of(R"(
int x;
void *red(void *p) { x = 1; return p; }
void *blue(void *p) { x = 2; return p; }
void *(*table[])(void *) = {red, blue};
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, table[i], 0); })");
  EXPECT_EQ(roles(*facts), "main red* blue* ");
}

TEST(Analysis, StackObjectGivenToAThreadIsShared) {
  auto facts = facts_of(R"(
struct job { int done; int other; };
void *worker(void *p) { ((struct job *)p)->done = 1; int own[4]; own[(long)p & 3] = 2; return (void *)(long)own[1]; }
int main(void) { struct job j = {0}, quiet = {0}; int *q = &quiet.done; *q = 3; pthread_t t;
  pthread_create(&t, 0, worker, &j); pthread_join(t, 0); return j.done + *q; })");
  EXPECT_EQ(shared(*facts), (Names{"main::j"}));
}

TEST(Analysis, HeapObjectsEscapeThroughGlobals) {
  auto facts = facts_of(R"(
struct node { struct node *next; int value; } *head;
void *worker(void *p) { struct node *n = malloc(sizeof *n); n->next = head; head = n;
  int *mine = calloc(4, 4); mine[1] = 2; free(mine); return p; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); })");
  EXPECT_EQ(shared(*facts), (Names{"head", "malloc"}));
}

TEST(Analysis, FieldsKeepPointersApart) {
  auto facts = facts_of(R"(
struct pair { int *a; int *b; };
int shared_one, private_one;
void *worker(void *p) { struct pair *q = p; *q->a = 1; return p; }
int main(void) { struct pair q = {&shared_one, &private_one}; pthread_t t;
  pthread_create(&t, 0, worker, &q); *q.a = 2; *q.b = 2; })");
  EXPECT_TRUE(shared(*facts).count("shared_one"));
  EXPECT_FALSE(shared(*facts).count("private_one"));
}

TEST(Analysis, ArraysOfStructsInsideStructs) {
  auto facts = facts_of(R"(
struct item { void (*run)(int *); int *data; };
struct queue { pthread_mutex_t lock; int head; char name[8]; struct item items[8]; } queue;
int target;
static void job(int *p) { *p += 1; }
void *worker(void *p) { pthread_mutex_lock(&queue.lock); struct item it = queue.items[queue.head++ % 8];
  pthread_mutex_unlock(&queue.lock); it.run(it.data); return p; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 8; i++) { struct item it = {job, &target}; queue.items[i] = it; }
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); })");
  EXPECT_EQ(shared(*facts), (Names{"queue", "target"}));
  bool calls_job = false;
  for (const auto& [at, callees] : facts->callees)
    for (FunctionId f : callees) calls_job |= facts->program->function(f).display_name == "job";
  EXPECT_TRUE(calls_job);
  auto text = print(*facts);
  EXPECT_NE(text.find("lock queue"), std::string::npos) << text;
}

TEST(Analysis, MemcpyCarriesPointers) {
  auto facts = facts_of(R"(
struct box { long pad; int *p; };
int x;
void *worker(void *p) { struct box b; memcpy(&b, p, sizeof b); *b.p = 1; return p; }
int main(void) { struct box *b = malloc(sizeof *b); b->p = &x; pthread_t t; pthread_create(&t, 0, worker, b); x = 2; })");
  EXPECT_TRUE(shared(*facts).count("x"));
}

TEST(Analysis, ByteLoopCarriesPointers) {
  auto facts = facts_of(R"(
struct box { int *p; };
int x;
static void copy(char *to, const char *from, int n) { while (n-- > 0) *to++ = *from++; }
void *worker(void *p) { struct box b; copy((char *)&b, p, sizeof b); *b.p = 1; return p; }
int main(void) { static struct box b; b.p = &x; pthread_t t; pthread_create(&t, 0, worker, &b); x = 2; })");
  EXPECT_TRUE(shared(*facts).count("x"));
}

TEST(Analysis, ThreadResultsReachJoin) {
  auto facts = facts_of(R"(
void *worker(void *p) { int *r = malloc(sizeof *r); *r = 1; return r; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, worker, 0); pthread_join(t, &r); return *(int *)r; })");
  EXPECT_EQ(shared(*facts), (Names{"malloc"}));
}

TEST(Analysis, ThreadSpecificValuesStayInTheirThread) {
  auto facts = facts_of(R"(
pthread_key_t key;
void *worker(void *p) { int *mine = malloc(sizeof *mine); pthread_setspecific(key, mine);
  *(int *)pthread_getspecific(key) = 1; return p; }
int main(void) { pthread_t t[2]; pthread_key_create(&key, free); for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); })");
  EXPECT_TRUE(shared(*facts).empty());  // the key is made before the threads
}

TEST(Analysis, VariadicArguments) {
  auto facts = facts_of(R"(
#include <stdarg.h>
int x;
static void set(int n, ...) { va_list l; va_start(l, n); *va_arg(l, int *) = n; va_end(l); }
void *first(void *p) { set(1, &x); return p; }
void *second(void *p) { set(2, &x); return p; })" +
                        kTwo);
  EXPECT_TRUE(shared(*facts).count("x"));
}

TEST(Analysis, CallbacksOfLibraryFunctions) {
  auto facts = facts_of(R"(
int compared; pthread_once_t once = PTHREAD_ONCE_INIT; int ready;
static int compare(const void *a, const void *b) { compared++; return *(const int *)a - *(const int *)b; }
static void init(void) { ready = 1; }
void *first(void *p) { int v[3] = {3, 2, 1}; qsort(v, 3, sizeof *v, compare); pthread_once(&once, init); return p; }
void *second(void *p) { pthread_once(&once, init); return first(p); })" +
                        kTwo);
  EXPECT_TRUE(shared(*facts).count("compared"));
  EXPECT_TRUE(shared(*facts).count("ready"));
}

TEST(Analysis, InteractionsAndTheirKinds) {
  auto facts = facts_of(R"(
int x; atomic_int a; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; sem_t s; char text[8];
void *first(void *p) {
  pthread_mutex_lock(&m); x = 1; while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
  a++; sem_wait(&s); strcpy(text, "x"); puts(text); return p; }
void *second(void *p) { pthread_cond_signal(&c); sem_post(&s); atomic_store(&a, 1); puts(text); return (void *)(long)x; })" +
                        kTwo);
  const std::string text = print(*facts);
  for (const char* part :
       {"lock m", "write x", "read x", "wait c with m", "unlock m", "atomic update a", "semaphore wait s",
        "update text", "read text", "signal c", "semaphore post s", "atomic write a", "thread creation", "join"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Analysis, LocalAccessesAreKnownToBeLocal) {
  auto facts = facts_of(R"(
int x;
void *first(void *p) { int v[4] = {0}; int *q = v; for (int i = 0; i < 4; i++) q[i] = i; x = v[1]; return p; }
void *second(void *p) { x = 2; return p; })" +
                        kTwo);
  const FunctionId first = facts->program->find_function("first");
  const auto& code = facts->program->function(first).code;
  int shared_accesses = 0;
  for (uint32_t i = 0; i < code.size(); ++i)
    if (code[i].op == program::Opcode::Load || code[i].op == program::Opcode::Store)
      shared_accesses += facts->may_touch_shared({first, i});
  EXPECT_EQ(shared_accesses, 1);
}

TEST(Analysis, FieldsAreObjectsOfTheirOwn) {
  auto facts = facts_of(R"(
struct item { int key; int value; };
struct table { pthread_mutex_t lock; int size; struct item items[4]; int private; } table;
void *first(void *p) { struct table *t = p; pthread_mutex_lock(&t->lock); t->size++; t->items[t->size & 3].value = 1; t->private++;
  pthread_mutex_unlock(&t->lock); return p; }
void *second(void *p) { struct table *t = p; t->size++; return (void *)(long)t->items[(long)p & 3].value; }
int main(void) { table.items[1].key = 5; pthread_t a, b; pthread_create(&a, 0, first, &table); pthread_create(&b, 0, second, &table); })");
  Names names;
  for (const Object& object : facts->objects)
    if (object.shared) names.insert(object.name);
  EXPECT_EQ(names, (Names{"table.size", "table.items[].value"}));
  const ObjectId whole = facts->object_of(facts->program->find_global("table"));
  EXPECT_EQ(facts->objects[facts->sub_object_at(whole, 40).value].name, "table.size");
  EXPECT_EQ(facts->sub_object_at(whole, 48), facts->sub_object_at(whole, 48 + 2 * 8));  // elements of one array
  EXPECT_NE(facts->sub_object_at(whole, 44), facts->sub_object_at(whole, 48));
}

TEST(Analysis, HeapFieldsByOffset) {
  auto facts = facts_of(R"(
struct node { struct node *next; int value, other; } *head;
void *worker(void *p) { struct node *n = malloc(sizeof *n); n->other = 1; n->next = head; head = n; for (n = head; n; n = n->next) n->value++; return p; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); })");
  int parts = 0;
  for (const Object& object : facts->objects) parts += object.kind == ObjectKind::Heap && object.whole.valid();
  EXPECT_EQ(parts, 3);
}

TEST(Analysis, WhatMainSetsBeforeTheThreadsIsNotShared) {
  auto facts = facts_of(R"(
int setting, counter, late;
static void configure(void) { setting = 3; }
void *worker(void *p) { if (setting) counter++; return (void *)(long)late; }
int main(void) { configure(); pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); late = 1; })");
  EXPECT_EQ(shared(*facts), (Names{"counter", "late"}));
}

// Each global is used by one thread only, but main put the same block behind both before the threads began.
TEST(Analysis, WhatMainHandsOverBeforeTheThreadsIsShared) {
  const FactsPtr facts = facts_of(R"(
#include <pthread.h>
#include <stdlib.h>
int *north, *south;
void *a(void *p) { ++*north; return p; }
void *b(void *p) { ++*south; return p; }
int main(void) { pthread_t t, u; north = south = malloc(sizeof(int)); *north = 0;
  pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
)");
  EXPECT_EQ(shared(*facts), (Names{"malloc"}));
}

TEST(Analysis, UnknownExternalsAreNoted) {
  auto facts = facts_of("void mystery(int *); int main(void) { int x; mystery(&x); return x; }");
  ASSERT_EQ(facts->notes.size(), 1u);
  EXPECT_NE(facts->notes[0].find("mystery"), std::string::npos);
}

TEST(Analysis, SameResultEveryTime) {
  const std::string text =
      "int x; void *first(void *p) { x++; return malloc(4); } void *second(void *p) { x++; return p; }" + kTwo;
  EXPECT_EQ(print(*facts_of(text)), print(*facts_of(text)));
  EXPECT_EQ(print_points_to(*facts_of(text)), print_points_to(*facts_of(text)));
}

}  // namespace
}  // namespace heddle::analysis
