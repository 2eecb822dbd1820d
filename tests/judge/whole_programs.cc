// Programs as a whole: what they declare, their threads and helpers, main. The statements are those of generate.cc.
#include "tests/judge/generate.h"
#include "tests/judge/phrases.h"

namespace heddle::judge {
namespace {

using Kind = GlobalKind;

class Generator {
 public:
  Generator(Random& random, Size size, Language language, bool unseen, bool inputs) : random_(random), size_(size) {
    tree_.language = language;
    tree_.unseen = unseen;
    tree_.inputs = inputs;
    if (language == Language::C) return;
    tree_.thread_style = static_cast<ThreadStyle>(random.below(3));
    tree_.lambdas = random.chance(65);
  }

  Tree run() {
    const uint32_t groups = size_ == Size::Small ? 1 : static_cast<uint32_t>(random_.between(2, 3));
    for (uint32_t g = 0; g < groups; ++g) declare(g);
    for (uint32_t g = 0; g < groups; ++g) helpers(g);
    for (uint32_t g = 0; g < groups; ++g) threads(g);
    main(groups);
    return std::move(tree_);
  }

 private:
  std::string name(const char* kind, uint32_t group) {
    return kind + (size_ == Size::Small ? std::string() : std::string(1, static_cast<char>('a' + group))) +
           number(counter_++);
  }
  void add(Kind kind, std::string name, int value, std::string lock, uint32_t group, int owner = -1) {
    tree_.globals.push_back({kind, std::move(name), value, std::move(lock), group, owner, false});
  }

  void declare(uint32_t group) {
    counter_ = 0;
    std::vector<std::string> locks;
    const int mutexes = random_.chance(60) ? 1 : 2;
    for (int n = 0; n < mutexes; ++n) {
      locks.push_back(name("m", group));
      add(Kind::Mutex, locks.back(), 0, "", group);
    }
    if (random_.chance(20)) {
      locks.push_back(name("r", group));
      add(Kind::ReadWriteLock, locks.back(), 0, "", group);
    }
    for (int n = random_.between(1, 3); n > 0; --n)
      add(Kind::Integer, name("g", group), random_.between(0, 1), random_.of(locks), group);
    for (int n = random_.between(0, 2); n > 0; --n)
      add(Kind::Atomic, name("a", group), random_.between(0, 1), "", group);
    if (random_.chance(30)) add(Kind::Integer, name("k", group), random_.between(0, 3), "", group);
    if (random_.chance(30)) add(Kind::Array, name("v", group), random_.between(2, 3), random_.of(locks), group);
    if (random_.chance(30)) add(Kind::Semaphore, name("s", group), random_.between(0, 2), "", group);
    if (random_.chance(30)) {
      const std::string number = name("", group);
      add(Kind::Condition, "c" + number, 0, locks[0], group);
      add(Kind::Integer, "f" + number, 0, locks[0], group);
    }
    if (random_.chance(25)) add(Kind::Heap, name("h", group), 0, locks[0], group);
    for (int n = random_.chance(35) ? random_.between(1, 2) : 0; n > 0; --n) add_box(group);
    if (random_.chance(15)) add(Kind::Once, name("o", group), random_.between(1, 2), "", group);
    if (random_.chance(10)) add(Kind::Barrier, name("w", group), 2, "", group);
    if (!tree_.inputs) return;
    for (int n = random_.between(1, 2); n > 0; --n)
      add(Kind::Input, name("u", group), 1 << random_.between(2, 4), "", group);
  }

  void add_box(uint32_t group) {
    add(Kind::Box, name("b", group), random_.between(0, 2), "", group);
    if (tree_.language == Language::Cxx) tree_.globals.back().derived = random_.chance(50);
  }

  void body(uint32_t function, int least, int most) {
    const uint32_t group = tree_.functions[function].group;
    const Place place{function, group, {}, false};
    for (int n = random_.between(least, most); n > 0; --n)
      tree_.functions[function].body.push_back(random_statement(random_, tree_, place, 0));
  }

  void helpers(uint32_t group) {
    for (int n = random_.between(0, 2); n > 0; --n) {
      Function f;
      f.name = name("helper_", group);
      f.group = group;
      tree_.functions.push_back(f);
      body(static_cast<uint32_t>(tree_.functions.size() - 1), 1, 2);
    }
  }

  void threads(uint32_t group) {
    const int count = size_ == Size::Small ? (random_.chance(55) ? 2 : random_.chance(75) ? 3 : 4) : 2;
    uint32_t same = 0;
    for (int n = 0; n < count; ++n) {
      if (n > 0 && random_.chance(25)) {  // a function that several threads run
        tree_.threads.push_back({same, n, true});
        continue;
      }
      Function f;
      f.name = name("thread_", group);
      f.thread = true;
      f.group = group;
      tree_.functions.push_back(f);
      same = static_cast<uint32_t>(tree_.functions.size() - 1);
      if (random_.chance(20)) add(Kind::Integer, name("p", group), 0, "", group, static_cast<int>(same));
      body(same, count == 2 ? 2 : 1, count > 3 ? 2 : count == 3 ? 3 : 4);
      tree_.threads.push_back({same, n, true});
    }
  }

  void main(uint32_t groups) {
    const uint32_t main = static_cast<uint32_t>(tree_.functions.size());
    for (uint32_t group = 0; group < groups; ++group) {
      const Place alone{main, group, {}, true}, beside{main, group, {}, false};
      if (random_.chance(20)) tree_.before.push_back(random_statement(random_, tree_, alone, 3));
      if (random_.chance(15)) tree_.beside.push_back(random_statement(random_, tree_, beside, 1));
      if (random_.chance(40)) tree_.after.push_back(plain("assert(" + random_condition(random_, tree_, alone) + ");"));
    }
    for (const Global& g : tree_.globals)
      if (g.kind == Kind::Heap && tree_.language == Language::C) tree_.after.push_back(plain("free(" + g.name + ");"));
  }

  Random& random_;
  Size size_;
  Tree tree_;
  int counter_ = 0;
};

}  // namespace

Tree generate(Random& random, Size size, Language language, bool unseen, bool inputs) {
  return Generator(random, size, language, unseen, inputs).run();
}

}  // namespace heddle::judge
