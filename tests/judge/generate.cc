#include "tests/judge/generate.h"

#include <algorithm>

#include "tests/judge/phrases.h"
#include "tests/judge/unseen.h"

namespace heddle::judge {
namespace {

using Kind = GlobalKind;

bool holds(const Place& place, const std::string& lock) {
  return std::find(place.held.begin(), place.held.end(), lock) != place.held.end();
}

// Names of one group's globals of a kind.
std::vector<const Global*> globals(const Tree& tree, uint32_t group, Kind kind) {
  std::vector<const Global*> result;
  for (const Global& g : tree.globals)
    if (g.group == group && g.kind == kind) result.push_back(&g);
  return result;
}

class Writer {
 public:
  Writer(Random& random, const Tree& tree, const Place& place)
      : random_(random), tree_(tree), place_(place), phrases_(tree.language) {
    const bool main = place.function >= tree.functions.size();
    first_ = main ? "t0" : tree.functions[place.function].first_local;
    second_ = main ? "t1" : tree.functions[place.function].second_local;
    parameter_ = main ? "n" : tree.functions[place.function].parameter;
  }

  Statement statement(int depth) {
    if (tree_.unseen && random_.chance(25)) return unseen();
    const uint32_t pick = random_.below(100);
    if (pick < 4 || (pick < 7 && any(Kind::Once))) return rare();
    if (pick < 12) return box();
    if (pick < 36 || depth >= 3) return access();
    if (pick < 60) return locked(depth);
    if (pick < 66) return branch(depth);
    if (pick < 70) return loop(depth);
    if (pick < 78) return call();
    if (pick < 84) return semaphore();
    if (pick < 90) return condition_variable(depth);
    if (pick < 95) return plain("assert(" + condition() + ");");
    return heap();
  }

  std::string condition() {
    static const std::vector<std::string> kOperators = {"<", "<=", "==", "!=", ">", ">="};
    if (random_.chance(25))
      return value() + " " + random_.of(kOperators) + " " + value() + " + " + number(random_.between(0, 2));
    return value() + " " + (random_.chance(50) ? "<" : random_.of(kOperators)) + " " + number(random_.between(0, 6));
  }

 private:
  std::string local() { return random_.chance(70) ? first_ : second_; }

  // Integers that may be used here without a race.
  const Global* integer() {
    std::vector<const Global*> usable;
    for (const Global* g : globals(tree_, place_.group, Kind::Integer)) {
      const bool own = g->owner < 0 || static_cast<uint32_t>(g->owner) == place_.function;
      if (place_.alone || (own && (g->lock.empty() || holds(place_, g->lock)))) usable.push_back(g);
    }
    const auto all = globals(tree_, place_.group, Kind::Integer);
    if (!all.empty() && random_.chance(2)) return random_.of(all);  // a mistake
    return usable.empty() ? nullptr : random_.of(usable);
  }

  const Global* any(Kind kind) {
    const auto list = globals(tree_, place_.group, kind);
    return list.empty() ? nullptr : random_.of(list);
  }

  // An array whose lock is held.
  const Global* array() {
    for (const Global* g : globals(tree_, place_.group, Kind::Array))
      if (place_.alone || holds(place_, g->lock)) return g;
    return nullptr;
  }

  std::string element(const Global& g) {
    if (tree_.inputs && random_.chance(25))
      if (const Global* u = any(Kind::Input)) return g.name + "[" + u->name + (random_.chance(85) ? " & 1]" : "]");
    if (random_.chance(60)) return g.name + "[" + number(random_.between(0, g.value - 1)) + "]";
    return g.name + "[" + local() + (random_.chance(80) ? " & 1]" : "]");
  }

  bool constant(const Global& g) const { return g.lock.empty() && g.owner < 0; }

  // One that is the same for every run of the program, or its rest, or a sum of two.
  std::string input(const Global& g) {
    switch (random_.below(6)) {
      case 0: return "(" + g.name + " & " + number(random_.between(1, 3)) + ")";
      case 1: return "(" + g.name + " % " + number(random_.between(2, 3)) + ")";
      case 2: return "(" + g.name + " + " + any(Kind::Input)->name + ")";
      case 3: return "(" + g.name + " - " + number(random_.between(0, 2)) + ")";
      default: return g.name;
    }
  }

  std::string value() {
    if (tree_.inputs && random_.chance(30))
      if (const Global* g = any(Kind::Input)) return input(*g);
    const uint32_t pick = random_.below(10);
    if (pick < 4)
      if (const Global* g = integer()) return g->name;
    if (pick < 6)
      if (const Global* g = any(Kind::Atomic)) return g->name;
    if (pick < 7)
      if (const Global* g = array()) return element(*g);
    if (pick < 9) return local();
    return random_.chance(40) ? parameter_ : number(random_.between(0, 3));
  }

  Statement access() {
    const uint32_t pick = random_.below(100);
    if (pick < 45)
      if (const Global* g = integer(); g && !constant(*g)) return plain(write(g->name));
    if (pick < 68)
      if (const Global* g = any(Kind::Atomic)) return atomic(*g);
    if (pick < 76)
      if (const Global* g = array()) return plain(write(element(*g)));
    if (tree_.inputs && random_.chance(12)) return plain(local() + " = take( " + number(random_.between(2, 4)) + " );");
    if (pick < 79) return plain(local() + " = 4 / (" + value() + " + 1);");
    if (pick < 86) return through_an_address();
    return plain(local() + (random_.chance(50) ? " = " : " += ") + value() + ";");
  }

  // A local that a function sets, or one that this one calls; often it decides what is written next.
  Statement through_an_address() {
    const std::string target = local();
    const std::string set = (random_.chance(50) ? "give(&" : "pass(&") + target + ", " + value() + ");";
    const Global* g = integer();
    if (!g || constant(*g) || random_.chance(30)) return plain(set);
    return plain(set + " " + (random_.chance(30) ? "if (" + target + " > 1) " : "") + g->name + " = " + target + ";");
  }

  std::string write(const std::string& target) {
    switch (random_.below(5)) {
      case 0: return target + "++;";
      case 1: return target + " += " + value() + ";";
      case 2: return target + " = " + number(random_.between(0, 4)) + ";";
      case 3: return target + " = " + value() + " + " + number(random_.between(0, 2)) + ";";
      default: return target + " = " + value() + ";";
    }
  }

  Statement atomic(const Global& g) {
    using Order = Phrases::Order;
    static const std::vector<Order> kOrders = {Order::Relaxed, Order::Release, Order::SequentiallyConsistent};
    switch (random_.below(7)) {
      case 0: return plain(g.name + "++;");
      case 1: return plain(g.name + " = " + number(random_.between(0, 3)) + ";");
      case 2: return plain(local() + " = " + g.name + ";");
      case 3: {
        const int value = random_.between(0, 3);
        return plain(phrases_.store(g.name, value, random_.of(kOrders)));
      }
      case 4: return plain(local() + " = " + phrases_.add(g.name, random_.between(1, 2)) + ";");
      case 5:
        return plain(local() + " = " + phrases_.load(g.name, random_.chance(50) ? Order::Acquire : Order::Relaxed) +
                     ";");
      default: {
        const std::string expected = second_ + " = " + number(random_.between(0, 1)) + "; ";
        return plain(expected + phrases_.compare_exchange(g.name, second_, random_.between(1, 3)));
      }
    }
  }

  Statement locked(int depth) {
    const Global* lock = random_.chance(75) ? any(Kind::Mutex) : any(Kind::ReadWriteLock);
    if (!lock) lock = any(Kind::Mutex);
    // Locks are nested in the order of their names, but for mistakes.
    const bool ordered =
        std::all_of(place_.held.begin(), place_.held.end(), [&](const std::string& h) { return h < lock->name; });
    if (!lock || holds(place_, lock->name) || (!ordered && !random_.chance(6))) return access();
    Statement s{StatementKind::Locked, lock->name, LockStyle::Mutex, {}};
    if (lock->kind == Kind::ReadWriteLock)
      s.style = random_.chance(35) ? LockStyle::Read : LockStyle::Write;
    else if (random_.chance(8))
      s.style = random_.chance(70) ? LockStyle::TryMutex : LockStyle::TimedMutex;
    else if (cxx())
      cxx_style(s);
    Place inside = place_;
    for (const std::string& name : locks_of(s)) inside.held.push_back(name);
    Writer writer(random_, tree_, inside);
    const int count = random_.between(1, 3);
    for (int n = 0; n < count; ++n) {
      Statement inner = random_.chance(75) ? writer.access() : writer.statement(depth + 1);
      // With a shared hold, data is only read.
      if (s.style == LockStyle::Read && inner.kind == StatementKind::Plain && !random_.chance(5))
        inner = plain(local() + " = " + writer.value() + ";");
      s.body.push_back(inner);
    }
    return s;
  }

  bool cxx() const { return tree_.language == Language::Cxx; }

  void cxx_style(Statement& s) {
    const uint32_t pick = random_.below(10);
    if (pick < 3) s.style = LockStyle::Unique;
    if (pick < 7) return;
    s.style = LockStyle::Scoped;
    const Global* second = any(Kind::Mutex);
    if (second->name != s.text && !holds(place_, second->name)) s.text += ", " + second->name;
  }

  Statement branch(int depth) {
    Statement s{StatementKind::If, condition(), LockStyle::Mutex, {}};
    s.body.push_back(statement(depth + 1));
    return s;
  }

  Statement loop(int depth) {
    const std::string i = "i" + number(depth);
    const Global* const u = tree_.inputs && random_.chance(30) ? any(Kind::Input) : nullptr;
    const std::string bound = u ? "(" + u->name + " & 1) + " : "";
    Statement s{StatementKind::Loop,
                "for (int " + i + " = 0; " + i + " < " + bound + number(random_.between(1, 2)) + "; " + i + "++)",
                LockStyle::Mutex,
                {}};
    if (const Global* const g = place_.held.empty() && random_.chance(30) ? any(Kind::Semaphore) : nullptr; g) {
      s.text = "for (int " + i + " = 0; " + i + " < 2; " + i + "++)";
      s.body = {plain(phrases_.wait(g->name)), access(), plain(phrases_.post(g->name))};  // as a lock that is no block
      return s;
    }
    s.body.push_back(random_.chance(70) ? access() : statement(depth + 1));
    if (random_.chance(40)) s.body.push_back(statement(depth + 1));
    return s;
  }

  // Helpers come before their callers, so that nothing calls itself; they take locks, so none is held.
  Statement call() {
    std::vector<const Function*> helpers;
    for (uint32_t f = 0; f < tree_.functions.size() && f < place_.function; ++f)
      if (!tree_.functions[f].thread && tree_.functions[f].group == place_.group)
        helpers.push_back(&tree_.functions[f]);
    if (helpers.empty() || (!place_.held.empty() && !random_.chance(5))) return access();
    const std::string argument = random_.chance(50) ? number(random_.between(0, 2)) : value();
    return plain(local() + " = " + random_.of(helpers)->name + "(" + argument + ");");
  }

  Statement semaphore() {
    const Global* g = any(Kind::Semaphore);
    if (!g || !place_.held.empty()) return access();
    const uint32_t pick = random_.below(10);
    if (pick < 5) return plain(phrases_.post(g->name));
    if (pick < 8) return plain(phrases_.wait(g->name));
    if (pick == 8) return plain("if (" + phrases_.timed_out(g->name) + ") " + local() + " = 2;");
    return plain("if (" + phrases_.taken_at_once(g->name) + ") " + local() + " = 1;");
  }

  // A flag under the mutex, told by the condition variable of the same number.
  Statement condition_variable(int depth) {
    const Global* c = any(Kind::Condition);
    if (!c || !place_.held.empty() || place_.alone) return locked(depth);
    const std::string mutex = c->lock, flag = "f" + c->name.substr(1);
    Statement s{StatementKind::Locked, mutex, LockStyle::Mutex, {}};
    if (random_.chance(55)) {
      s.body.push_back(plain(flag + " = " + number(random_.between(1, 2)) + ";"));
      s.body.push_back(plain(random_.chance(60) ? phrases_.notify_all(c->name) : phrases_.notify_one(c->name)));
      if (random_.chance(25)) std::swap(s.body[0], s.body[1]);
    } else {
      if (cxx()) s.style = LockStyle::Unique;
      const bool timed = random_.chance(12);
      const bool loop = !timed && random_.chance(92);
      if (cxx() && loop && random_.chance(70))
        s.body.push_back(plain(c->name + ".wait(hold, [] { return " + flag + " != 0; });"));
      else
        s.body.push_back(
            plain((loop ? "while (" : "if (") + flag + " == 0) " + phrases_.wait_on(c->name, mutex, timed)));
      Place inside = place_;
      inside.held.push_back(mutex);
      if (random_.chance(60)) s.body.push_back(Writer(random_, tree_, inside).access());
    }
    return s;
  }

  Statement box() {
    const Global* g = any(Kind::Box);
    if (!g || !place_.held.empty()) return access();
    if (random_.chance(50)) return plain(local() + " = " + phrases_.put(g->name, value()) + ";");
    if (random_.chance(80)) return plain(local() + " = " + phrases_.get(g->name) + ";");
    Place inside = place_;
    inside.held.push_back(g->name + ".lock");
    return {StatementKind::Locked,
            g->name + ".lock",
            LockStyle::Mutex,
            {plain(Writer(random_, tree_, inside).write(g->name + (random_.chance(50) ? ".value" : ".turns")))}};
  }

  // What ends a thread or the process early, waits for several, or turns over a value in a loop.
  Statement rare() {
    if (const Global* g = any(Kind::Once); g && random_.chance(50)) {
      const std::string value = "q" + g->name.substr(1);
      if (random_.chance(8)) return plain(local() + " = " + value + ";");  // a mistake
      return plain(phrases_.once(g->name, "set_" + g->name) + " " + local() + " = " + value + ";");
    }
    switch (random_.below(6)) {
      case 0:
        return {
            StatementKind::If, condition(), LockStyle::Mutex, {plain("exit(" + number(random_.between(0, 1)) + ");")}};
      case 1:
        return place_.function < tree_.functions.size()
                   ? Statement{StatementKind::If, condition(), LockStyle::Mutex, {plain("return 0;")}}
                   : access();
      case 2:
        if (const Global* g = any(Kind::Barrier); g && place_.held.empty()) return plain(phrases_.at_barrier(g->name));
        return access();
      case 3:
        if (const Global* g = any(Kind::Atomic))
          return plain("while (" + g->name + " == " + number(random_.between(4, 6)) + ") {}");
        return access();
      case 4:
        if (const Global* g = any(Kind::Atomic))
          return plain("while (" + phrases_.plain_load(g->name) + " != " + number(random_.between(0, 2)) + ") {}");
        return access();
      default:
        if (const Global* g = any(Kind::Atomic))
          return {StatementKind::If,
                  phrases_.exchange(g->name, random_.between(0, 1)) + " == 0",
                  LockStyle::Mutex,
                  {access()}};
        return access();
    }
  }

  // What touches nothing that others see, and may decide what they do or fail by itself.
  Statement unseen() {
    Ingredients with;
    with.local = local();
    with.value = value();
    with.condition = condition();
    if (const Global* g = integer(); g && !constant(*g)) with.data = g->name;
    if (const Global* g = any(Kind::Atomic)) with.flag = g->name;
    if (const Global* g = any(Kind::Semaphore); g && place_.held.empty()) with.semaphore = g->name;
    const Global* lock = any(Kind::Mutex);
    if (lock && !holds(place_, lock->name)) {
      with.lock = lock->name;
      for (const Global* g : globals(tree_, place_.group, Kind::Integer))
        if (g->lock == lock->name) with.guarded = g->name;
    }
    if (const Global* g = any(Kind::Condition); g && place_.held.empty()) {
      with.event = g->name;
      with.event_lock = g->lock;
      with.event_flag = "f" + g->name.substr(1);
    }
    return unseen_statement(random_, tree_.language, with);
  }

  // Blocks that one thread makes and another uses and frees, under the pointer's lock.
  Statement heap() {
    const Global* g = any(Kind::Heap);
    if (!g) return access();
    const bool guarded = place_.alone || holds(place_, g->lock);
    const bool wrap = !guarded && place_.held.empty();
    if (!guarded && !wrap && !random_.chance(10)) return access();
    const std::string& p = g->name;
    // The count of owners, not the lock, keeps what was handed over.
    if (cxx() && wrap && random_.chance(40))
      return plain("if (std::shared_ptr<int> mine = (std::lock_guard<std::mutex>(" + g->lock + "), " + p + ")) " +
                   (random_.chance(80) ? local() + " = *mine;" : "*mine += 1;"));
    Statement s;
    switch (random_.below(5)) {
      case 0:
      case 1: s = plain(phrases_.make(p, random_.between(0, 3))); break;
      case 2: s = plain(phrases_.drop(p)); break;
      case 3: s = plain("if (" + p + ") *" + p + " += " + number(random_.between(1, 2)) + ";"); break;
      default: s = plain("if (" + p + ") " + local() + " = *" + p + ";"); break;
    }
    if (!wrap) return s;
    return {StatementKind::Locked, g->lock, LockStyle::Mutex, {s}};
  }

  Random& random_;
  const Tree& tree_;
  const Place& place_;
  const Phrases phrases_;
  std::string first_, second_, parameter_;
};

}  // namespace

Statement random_statement(Random& random, const Tree& tree, const Place& place, int depth) {
  return Writer(random, tree, place).statement(depth);
}

std::string random_condition(Random& random, const Tree& tree, const Place& place) {
  return Writer(random, tree, place).condition();
}

}  // namespace heddle::judge
