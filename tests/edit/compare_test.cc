// Small edits of a small program: which statements count as changed.
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

// A program with two kinds of threads, a helper both use, private work, and locks.
const std::string kBank = R"(
struct account { int balance; int limit; };
struct account account = {100, 10};
int limit = 7;
int total;
static int used_by_one = 3;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int bonus(int amount) { return amount * 2; }
static int unused(int amount) { return amount * 2; }
static void fill(int *to, int value) { for (int i = 0; i < 4; i++) to[i] = value; }
static void add(int amount) {
  pthread_mutex_lock(&a);
  account.balance += amount;
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&a);
}
void *deposit(void *p) {
  int amount = bonus(5);
  int steps[4];
  fill(steps, 3);
  if (amount > 3) add(amount);
  printf("deposited %d after %d\n", amount, used_by_one);
  return p;
}
void *audit(void *p) {
  int steps[4];
  fill(steps, 4);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  while (account.balance < limit)
    pthread_cond_wait(&full, &a);
  total = account.balance + steps[1];
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, deposit, 0);
  pthread_create(&two, 0, audit, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  printf("%d\n", total + limit + unused(1));
  return 0;
}
)";

struct Case {
  std::string name;
  Replacements edit;
  std::vector<std::string> fragments;  // "function: description"
  std::vector<std::string> widened;    // beginnings of sentences
};

const std::vector<Case> kCases = {
#include "tests/edit/cases.inc"
};

class Edits : public testing::TestWithParam<Case> {};

TEST_P(Edits, GiveTheExpectedFragments) {
  const TwoVersions result = edit(kBank, GetParam().edit);
  std::vector<std::string> fragments;
  for (const Fragment& fragment : result.impact.fragments)
    fragments.push_back(result.after->program->function(fragment.function).display_name + ": " + fragment.description);
  EXPECT_EQ(fragments, GetParam().fragments) << result.text;
  ASSERT_EQ(result.impact.widened.size(), GetParam().widened.size()) << result.text;
  for (size_t k = 0; k < result.impact.widened.size(); ++k)
    EXPECT_TRUE(result.impact.widened[k].starts_with(GetParam().widened[k])) << result.impact.widened[k];
  for (const Fragment& fragment : result.impact.fragments) {
    EXPECT_FALSE(fragment.code.empty());
    EXPECT_TRUE(!fragment.statements.empty() || fragment.kind == ChangeKind::Deleted);
    EXPECT_GT(fragment.range.begin_line, 0u);
    EXPECT_TRUE(std::is_sorted(fragment.code.begin(), fragment.code.end()));
    for (uint32_t statement : fragment.statements)
      EXPECT_TRUE(std::binary_search(fragment.code.begin(), fragment.code.end(), statement));
  }
  EXPECT_EQ(result.impact.fragments.empty(), result.impact.pairs.empty());
  // The way back must be seen, too.
  if (GetParam().name == "GlobalToThreadLocal") return;  // what is no longer shared affects nobody
  if (GetParam().name == "LoopAtTheEnd" || GetParam().name == "InsertCallThatMayFail")
    return;  // without it nothing new can happen
  const Impact back = compare(result.after, result.before);
  EXPECT_EQ(back.nothing(), result.impact.nothing()) << print(*result.before, back);
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Table, Edits, testing::ValuesIn(kCases), name_of);

}  // namespace
}  // namespace heddle::edit
