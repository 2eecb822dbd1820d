#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

// A program with two kinds of threads, a helper both use, private work, and a lock.
const std::string kBank = R"(
struct account { int balance; int limit; };
struct account account = {100, 10};
int limit = 7;
int total;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int bonus(int amount) { return amount * 2; }
static void add(int amount) {
  pthread_mutex_lock(&a);
  account.balance += amount;
  pthread_mutex_unlock(&a);
}
void *deposit(void *p) {
  int amount = bonus(5);
  int steps[2] = {1, 2};
  steps[amount & 1] += 1;
  if (amount > 3) add(amount);
  printf("deposited %d\n", amount);
  return p;
}
void *audit(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  total = account.balance;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  if (limit > 3) add(1);
  return p;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, deposit, 0);
  pthread_create(&two, 0, audit, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_mutex_lock(&b);
  printf("%d\n", total + limit);
  pthread_mutex_unlock(&b);
  return 0;
}
)";

TEST(Look, AtSome) {
  const std::vector<std::pair<std::string, Replacements>> edits = {
    {"comment", {{"int total;", "int total; /* sum */"}}},
    {"moved line", {{"int total;", "int total;\n\n\n"}}},
    {"rename local", {{"int amount = bonus(5);", "int money = bonus(5);"}, {"steps[amount & 1]", "steps[money & 1]"}, {"if (amount > 3) add(amount);", "if (money > 3) add(money);"}, {"deposited %d\\n\", amount", "deposited %d\\n\", money"}}},
    {"print const", {{"deposited", "paid in"}}},
    {"bonus const", {{"amount * 2", "amount * 3"}}},
    {"drop lock", {{"static void add(int amount) {\n  pthread_mutex_lock(&a);", "static void add(int amount) {\n"}}},
    {"drop unlock", {{"  pthread_mutex_unlock(&a);\n}", "}"}}},
    {"swap locks", {{"pthread_mutex_lock(&a);\n  pthread_mutex_lock(&b);", "pthread_mutex_lock(&b);\n  pthread_mutex_lock(&a);"}}},
    {"insert access", {{"int amount = bonus(5);", "int amount = bonus(5); total++;"}}},
    {"delete access", {{"  total = account.balance;\n", ""}}},
    {"condition", {{"amount > 3", "amount > 4"}}},
    {"init", {{"limit = 7", "limit = 8"}}},
    {"call", {{"return p;\n}\nint main", "add(2); return p;\n}\nint main"}}},
    {"uncall", {{"  if (limit > 3) add(1);\n", ""}}},
    {"many", {{"pthread_join(one, 0);", "pthread_create(&one, 0, audit, 0); pthread_join(one, 0);"}}},
    {"layout", {{"int balance; int limit;", "int limit; int balance;"}}},
    {"assert", {{"total = account.balance;", "total = account.balance; assert(total < 200);"}}},
    {"private", {{"steps[2] = {1, 2}", "steps[2] = {1, 3}"}}},
  };
  for (const auto& [name, replacements] : edits) printf("== %s\n%s", name.c_str(), edit(kBank, replacements).text.c_str());
}

}  // namespace
}  // namespace heddle::edit
