#include "tests/judge/edits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>

#include "tests/judge/generate.h"
#include "tests/judge/phrases.h"
#include "tests/judge/unseen.h"

namespace heddle::judge {
namespace {

// A place among statements: a list and what surrounds it.
struct Spot {
  std::vector<Statement>* list = nullptr;
  Statement* parent = nullptr;              // null: a function's body
  std::vector<Statement>* outer = nullptr;  // list that holds the parent
  size_t parent_index = 0;
  Place place;
};

class Editor {
 public:
  Editor(Random& random, Tree& tree) : random_(random), tree_(tree) { collect(); }

  bool apply(EditKind kind) {
    switch (kind) {
      case EditKind::InsertStatement: return insert(statement_for(random_.of(spots_)));
      case EditKind::DeleteStatement: return remove();
      case EditKind::MoveStatement: return move();
      case EditKind::ChangeStatement: return change();
      case EditKind::SwapStatements: return swap();
      case EditKind::DropLock: return drop_lock();
      case EditKind::AddLock: return add_lock();
      case EditKind::SwapLock: return swap_lock();
      case EditKind::WidenLock: return widen_lock();
      case EditKind::NarrowLock: return narrow_lock();
      case EditKind::LockStyle: return lock_style();
      case EditKind::ChangeCondition: return change_condition();
      case EditKind::ChangeConstant:
        return change_number([](const Statement& s) {
          // What a thread returns and what a pointer holds are no numbers.
          const bool pointer = s.text.starts_with("return") || s.text.find("free(") != std::string::npos;
          return s.kind == StatementKind::Plain && !is_call(s) && !pointer;
        });
      case EditKind::ChangeArgument: return change_argument();
      case EditKind::ChangeLoopBound: return change_loop();
      case EditKind::AddCall: return add_call();
      case EditKind::ChangeCallee: return change_callee();
      case EditKind::AddThread: return add_thread();
      case EditKind::DropThread: return drop_thread();
      case EditKind::DropJoin: return drop_join();
      case EditKind::ChangeInitialValue: return change_initial_value();
      case EditKind::ChangeOrder:
        return replace_in_statements({{"memory_order_relaxed", "memory_order_seq_cst"},
                                      {"memory_order_release", "memory_order_relaxed"},
                                      {"memory_order_acquire", "memory_order_relaxed"},
                                      {"memory_order_seq_cst", "memory_order_relaxed"}});
      case EditKind::ChangeSignal:
        if (tree_.language == Language::Cxx && random_.chance(30) && drop_predicate()) return true;
        return replace_in_statements({{"cond_broadcast", "cond_signal"},
                                      {"cond_signal", "cond_broadcast"},
                                      {"while (f", "if (f"},
                                      {"if (f", "while (f"},
                                      {"sem_wait(", "sem_trywait("},
                                      {"give(&", "pass(&"},
                                      {"pass(&", "give(&"},
                                      {"notify_all", "notify_one"},
                                      {"notify_one", "notify_all"},
                                      {"acquire();", "try_acquire();"}});
      case EditKind::AtomicToPlain: return atomic_to_plain();
      case EditKind::StructLayout: return struct_layout();
      case EditKind::Rename: return rename();
      case EditKind::Reformat: return reformat();
      case EditKind::Several: return several();
      case EditKind::ChangeUnseen: return change_unseen();
    }
    return false;
  }

  void insert_assertion() {
    chosen_ = random_.of(spots_);
    insert({StatementKind::Plain,
            "assert(" + random_condition(random_, tree_, chosen_.place) + ");",
            LockStyle::Mutex,
            {}});
  }

 private:
  static bool is_call(const Statement& s) { return s.text.find("helper_") != std::string::npos; }

  void collect() {
    spots_.clear();
    for (uint32_t f = 0; f < tree_.functions.size(); ++f)
      walk(tree_.functions[f].body, {nullptr, nullptr, nullptr, 0, {f, tree_.functions[f].group, {}, false}});
    const uint32_t main = static_cast<uint32_t>(tree_.functions.size());
    const uint32_t group = tree_.globals.empty() ? 0 : random_.of(tree_.globals).group;
    // main's own parts are edited less often.
    if (random_.chance(40)) {
      walk(tree_.before, {nullptr, nullptr, nullptr, 0, {main, group, {}, true}});
      walk(tree_.beside, {nullptr, nullptr, nullptr, 0, {main, group, {}, false}});
      walk(tree_.after, {nullptr, nullptr, nullptr, 0, {main, group, {}, true}});
    }
  }

  void walk(std::vector<Statement>& list, Spot spot) {
    spot.list = &list;
    spots_.push_back(spot);
    for (size_t n = 0; n < list.size(); ++n) {
      Statement& s = list[n];
      if (s.kind == StatementKind::Plain) continue;
      Spot inside = spot;
      inside.parent = &s;
      inside.outer = &list;
      inside.parent_index = n;
      if (s.kind == StatementKind::Locked)
        for (const std::string& lock : locks_of(s)) inside.place.held.push_back(lock);
      walk(s.body, inside);
    }
  }

  Statement statement_for(const Spot& spot) {
    chosen_ = spot;
    return random_statement(random_, tree_, spot.place, spot.parent ? 2 : 1);
  }

  bool insert(Statement statement) {
    auto& list = *chosen_.list;
    list.insert(list.begin() + random_.below(list.size() + 1), std::move(statement));
    return true;
  }

  // A list and an index in it whose statement fits.
  template <typename Fits>
  bool pick(Fits fits) {
    std::vector<std::pair<Spot, size_t>> found;
    for (const Spot& spot : spots_)
      for (size_t n = 0; n < spot.list->size(); ++n)
        if (fits((*spot.list)[n])) found.push_back({spot, n});
    if (found.empty()) return false;
    std::tie(chosen_, index_) = random_.of(found);
    return true;
  }
  Statement& picked() { return (*chosen_.list)[index_]; }
  void erase() { chosen_.list->erase(chosen_.list->begin() + static_cast<std::ptrdiff_t>(index_)); }

  bool remove() {
    if (!pick([](const Statement&) { return true; })) return false;
    erase();
    return true;
  }

  bool move() {
    if (!pick([](const Statement&) { return true; })) return false;
    const Statement moved = picked();
    const uint32_t function = chosen_.place.function;
    std::vector<Statement>* from = chosen_.list;
    const size_t old = index_;
    erase();
    collect();
    std::vector<Spot> near;
    for (const Spot& spot : spots_)
      if (spot.place.function == function) near.push_back(spot);
    if (near.empty()) return from->insert(from->begin() + static_cast<std::ptrdiff_t>(old), moved), false;
    chosen_ = random_.of(near);
    return insert(moved);
  }

  bool change() {
    if (!pick([](const Statement&) { return true; })) return false;
    const size_t at = index_;
    picked() = statement_for(chosen_);
    index_ = at;
    return true;
  }

  bool swap() {
    std::vector<Spot> long_enough;
    for (const Spot& spot : spots_)
      if (spot.list->size() > 1) long_enough.push_back(spot);
    if (long_enough.empty()) return false;
    auto& list = *random_.of(long_enough).list;
    const size_t n = random_.below(list.size() - 1);
    std::swap(list[n], list[n + 1]);
    return true;
  }

  static bool locked(const Statement& s) { return s.kind == StatementKind::Locked; }

  bool drop_lock() {
    if (!pick(locked)) return false;
    if (random_.chance(15)) {  // one half of it only
      const LockStyle style = picked().style;
      const std::string lock = locks_of(picked())[0];
      const bool first = random_.chance(50);
      std::vector<Statement> body = picked().body;
      const Phrases phrases(tree_.language);
      const std::string call = first ? phrases.lock(lock, style) : phrases.unlock(lock, style);
      Statement half{StatementKind::Plain, call, LockStyle::Mutex, {}};
      body.insert(first ? body.begin() : body.end(), half);
      return unwrap(std::move(body));
    }
    return unwrap(picked().body);
  }

  bool unwrap(std::vector<Statement> body) {
    erase();
    chosen_.list->insert(chosen_.list->begin() + static_cast<std::ptrdiff_t>(index_), body.begin(), body.end());
    return true;
  }

  std::vector<const Global*> locks(uint32_t group) const {
    std::vector<const Global*> result;
    for (const Global& g : tree_.globals)
      if (g.group == group && (g.kind == GlobalKind::Mutex || g.kind == GlobalKind::ReadWriteLock))
        result.push_back(&g);
    return result;
  }

  void take(Statement& s, const Global& lock) {
    const bool waits = s.style == LockStyle::Unique && lock.kind == GlobalKind::Mutex;
    s.text = lock.name;
    if (waits) return;
    s.style = lock.kind == GlobalKind::Mutex ? LockStyle::Mutex
              : random_.chance(30)           ? LockStyle::Read
                                             : LockStyle::Write;
  }

  // Another field, or another class.
  bool struct_layout() {
    std::vector<Global*> boxes;
    for (Global& g : tree_.globals)
      if (g.kind == GlobalKind::Box) boxes.push_back(&g);
    if (boxes.empty()) return false;
    if (tree_.language == Language::Cxx && random_.chance(50))
      random_.of(boxes)->derived ^= true;
    else
      tree_.wide_boxes = !tree_.wide_boxes;
    return true;
  }

  bool add_lock() {
    if (!pick([](const Statement&) { return true; })) return false;
    std::vector<const Global*> free;
    for (const Global* lock : locks(chosen_.place.group))
      if (std::find(chosen_.place.held.begin(), chosen_.place.held.end(), lock->name) == chosen_.place.held.end())
        free.push_back(lock);
    if (free.empty()) return false;
    Statement around{StatementKind::Locked, "", LockStyle::Mutex, {picked()}};
    take(around, *random_.of(free));
    picked() = around;
    return true;
  }

  bool swap_lock() {
    if (random_.chance(40)) {  // the order of two nested ones
      if (pick([](const Statement& s) {
            return locked(s) && !s.body.empty() && std::any_of(s.body.begin(), s.body.end(), locked);
          })) {
        for (Statement& inner : picked().body)
          if (locked(inner)) {
            std::swap(picked().text, inner.text);
            std::swap(picked().style, inner.style);
            return true;
          }
      }
    }
    if (!pick(locked)) return false;
    std::vector<const Global*> others;
    for (const Global* lock : locks(chosen_.place.group))
      if (lock->name != picked().text) others.push_back(lock);
    if (others.empty()) return false;
    take(picked(), *random_.of(others));
    return true;
  }

  bool widen_lock() {
    if (!pick(locked) || chosen_.list->size() < 2) return false;
    auto& list = *chosen_.list;
    if (index_ + 1 < list.size() && random_.chance(50)) {
      picked().body.push_back(list[index_ + 1]);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(index_ + 1));
    } else if (index_ > 0) {
      picked().body.insert(picked().body.begin(), Statement(list[index_ - 1]));
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(index_ - 1));
    } else {
      return false;
    }
    return true;
  }

  bool narrow_lock() {
    if (!pick([](const Statement& s) { return locked(s) && !s.body.empty(); })) return false;
    auto& body = picked().body;
    const bool first = random_.chance(50);
    const Statement out = first ? body.front() : body.back();
    first ? body.erase(body.begin()) : body.erase(body.end() - 1);
    chosen_.list->insert(chosen_.list->begin() + static_cast<std::ptrdiff_t>(first ? index_ : index_ + 1), out);
    return true;
  }

  bool lock_style() {
    if (!pick(locked)) return false;
    const bool cxx = tree_.language == Language::Cxx;
    switch (picked().style) {
      case LockStyle::Mutex: picked().style = LockStyle::TryMutex; break;
      case LockStyle::TryMutex: picked().style = LockStyle::TimedMutex; break;
      case LockStyle::TimedMutex: picked().style = cxx ? LockStyle::Unique : LockStyle::Mutex; break;
      case LockStyle::Unique: picked().style = LockStyle::Mutex; break;
      case LockStyle::Scoped: {  // the first of them only, or in the other order
        const auto names = locks_of(picked());
        picked().text = names.size() < 2 || random_.chance(50) ? names[0] : names[1] + ", " + names[0];
        break;
      }
      case LockStyle::Read: picked().style = LockStyle::Write; break;
      case LockStyle::Write: picked().style = LockStyle::Read; break;
    }
    return true;
  }

  bool change_condition() {
    static const std::vector<std::string> kOperators = {" <= ", " < ", " == ", " != ", " >= ", " > "};
    const auto condition = [](const Statement& s) {
      return s.kind == StatementKind::If || s.text.find("assert(") == 0;
    };
    if (!pick(condition)) return false;
    if (random_.chance(40)) return change_number_of(picked().text);
    for (const std::string& op : kOperators) {
      const size_t at = picked().text.find(op);
      if (at == std::string::npos) continue;
      std::string other = op;
      while (other == op) other = random_.of(kOperators);
      picked().text.replace(at, op.size(), other);
      return true;
    }
    return false;
  }

  // Another number in the place of one that stands by itself.
  bool change_number_of(std::string& text) {
    std::vector<size_t> found;
    for (size_t n = 1; n < text.size(); ++n) {
      const auto word = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '['; };
      if (std::isdigit(static_cast<unsigned char>(text[n])) && !word(text[n - 1]) &&
          (n + 1 == text.size() || !word(text[n + 1])))
        found.push_back(n);
    }
    if (found.empty()) return false;
    char& digit = text[random_.of(found)];
    const char old = digit;
    while (digit == old) digit = static_cast<char>('0' + random_.between(0, 5));
    return true;
  }

  template <typename Fits>
  bool change_number(Fits fits) {
    return pick(fits) && change_number_of(picked().text);
  }

  bool change_argument() {
    if (random_.chance(30) && !tree_.threads.empty()) {
      tree_.threads[random_.below(tree_.threads.size())].argument += random_.between(1, 2);
      return true;
    }
    if (!pick(is_call)) return false;
    const size_t open = picked().text.find('(');
    picked().text.replace(open + 1, picked().text.rfind(')') - open - 1, std::to_string(random_.between(3, 6)));
    return true;
  }

  bool change_loop() {
    return change_number([](const Statement& s) { return s.kind == StatementKind::Loop; });
  }

  std::vector<std::string> helpers(uint32_t before, uint32_t group) const {
    std::vector<std::string> result;
    for (uint32_t f = 0; f < tree_.functions.size() && f < before; ++f)
      if (!tree_.functions[f].thread && tree_.functions[f].group == group) result.push_back(tree_.functions[f].name);
    return result;
  }

  bool add_call() {
    const Spot spot = random_.of(spots_);
    const auto names = helpers(spot.place.function, spot.place.group);
    if (names.empty()) return false;
    chosen_ = spot;
    return insert({StatementKind::Plain,
                   random_.of(names) + "(" + std::to_string(random_.between(0, 2)) + ");",
                   LockStyle::Mutex,
                   {}});
  }

  bool change_callee() {
    if (!pick(is_call)) return false;
    std::string& text = picked().text;
    const size_t begin = text.find("helper_"), end = text.find('(', begin);
    std::vector<std::string> others = helpers(chosen_.place.function, chosen_.place.group);
    std::erase(others, text.substr(begin, end - begin));
    if (others.empty()) return false;
    text.replace(begin, end - begin, random_.of(others));
    return true;
  }

  bool add_thread() {
    if (tree_.threads.empty() || tree_.threads.size() > 5) return false;
    Started copy = random_.of(tree_.threads);
    copy.argument = random_.between(0, 3);
    tree_.threads.push_back(copy);
    return true;
  }

  bool drop_thread() {
    if (tree_.threads.size() < 2) return false;
    tree_.threads.erase(tree_.threads.begin() + random_.below(tree_.threads.size()));
    return true;
  }

  bool drop_join() {
    if (tree_.threads.empty()) return false;
    Started& t = tree_.threads[random_.below(tree_.threads.size())];
    t.joined = !t.joined;
    return true;
  }

  bool change_initial_value() {
    std::vector<Global*> found;
    for (Global& g : tree_.globals)
      if (g.kind == GlobalKind::Integer || g.kind == GlobalKind::Atomic || g.kind == GlobalKind::Semaphore)
        found.push_back(&g);
    if (found.empty()) return false;
    Global& g = *random_.of(found);
    const int old = g.value;
    while (g.value == old) g.value = random_.between(0, 3);
    return true;
  }

  bool replace_in_statements(const std::vector<std::pair<std::string, std::string>>& rules) {
    std::vector<std::pair<std::string, std::string>> usable;
    for (const auto& rule : rules)
      if (pick([&](const Statement& s) { return s.text.find(rule.first) != std::string::npos; }))
        usable.push_back(rule);
    if (usable.empty()) return false;
    const auto& [from, to] = random_.of(usable);
    pick([&](const Statement& s) { return s.text.find(from) != std::string::npos; });
    picked().text.replace(picked().text.find(from), from.size(), to);
    return true;
  }

  bool change_unseen() {
    if (random_.chance(60) && replace_in_statements(unseen_edits())) return true;
    tree_.variants ^= 1u << random_.below(kUnseenVariants);
    return true;
  }

  // A wait that is content with any signal.
  bool drop_predicate() {
    const std::string begin = "(hold, [";
    if (!pick([&](const Statement& s) { return s.text.find(begin) != std::string::npos; })) return false;
    picked().text = picked().text.substr(0, picked().text.find(begin)) + "(hold);";
    return true;
  }

  // One access of an atomic variable is no longer atomic.
  bool atomic_to_plain() {
    std::vector<std::string> names;
    for (const Global& g : tree_.globals)
      if (g.kind == GlobalKind::Atomic) names.push_back(g.name);
    if (names.empty()) return false;
    const std::string name = random_.of(names);
    const auto plain = [&](const Statement& s) {
      const size_t at = s.text.find(name);
      const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
      return s.kind == StatementKind::Plain && at != std::string::npos && s.text.find("atomic_") == std::string::npos &&
             (at == 0 || (!word(s.text[at - 1]) && s.text[at - 1] != '&')) &&
             (at + name.size() == s.text.size() || !word(s.text[at + name.size()]));
    };
    if (!pick(plain)) return false;
    picked().text.replace(picked().text.find(name), name.size(), "(*(int *)&" + name + ")");
    return true;
  }

  static void rename(std::vector<Statement>& list, const std::string& from, const std::string& to) {
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (Statement& s : list) {
      for (size_t at = s.text.find(from); at != std::string::npos; at = s.text.find(from, at + 1)) {
        const bool whole = (at == 0 || !word(s.text[at - 1])) &&
                           (at + from.size() == s.text.size() || !word(s.text[at + from.size()]));
        if (whole) s.text.replace(at, from.size(), to);
      }
      rename(s.body, from, to);
    }
  }

  bool rename() {
    if (tree_.functions.empty()) return false;
    Function& f = tree_.functions[random_.below(tree_.functions.size())];
    const std::string old = f.first_local, name = old == "t0" ? "total" : "t0";
    rename(f.body, old, name);
    f.first_local = name;
    return true;
  }

  bool reformat() {
    if (random_.chance(50)) return ++tree_.blank_lines, true;
    tree_.comments.push_back("remark " + std::to_string(tree_.comments.size()));
    return true;
  }

  bool several() {
    bool any = false;
    for (int n = random_.between(2, 4); n > 0; --n) {
      any |= apply(static_cast<EditKind>(random_.below(kEditKinds - 1)));
      collect();
    }
    return any;
  }

  Random& random_;
  Tree& tree_;
  std::vector<Spot> spots_;
  Spot chosen_;
  size_t index_ = 0;
};

constexpr std::array<std::string_view, kEditKinds + 1> kNames = {
    "insert-statement",     "delete-statement", "move-statement",    "change-statement",
    "swap-statements",      "drop-lock",        "add-lock",          "swap-lock",
    "widen-lock",           "narrow-lock",      "lock-style",        "change-condition",
    "change-constant",      "change-argument",  "change-loop-bound", "add-call",
    "change-callee",        "add-thread",       "drop-thread",       "drop-join",
    "change-initial-value", "change-order",     "change-signal",     "atomic-to-plain",
    "struct-layout",        "rename",           "reformat",          "several",
    "change-unseen"};

}  // namespace

std::string_view name_of(EditKind kind) { return kNames[static_cast<uint32_t>(kind)]; }

bool harmless(EditKind kind) { return kind == EditKind::Rename || kind == EditKind::Reformat; }

bool apply_edit(Random& random, Tree& tree, EditKind kind) { return Editor(random, tree).apply(kind); }

void insert_assertion(Random& random, Tree& tree) { Editor(random, tree).insert_assertion(); }

namespace {
void remove(std::vector<Statement>& list, const std::string& text) {
  std::erase_if(list, [&](const Statement& s) { return s.kind == StatementKind::Plain && s.text == text; });
  for (Statement& s : list) remove(s.body, text);
}
}  // namespace

void remove_statement(Tree& tree, const std::string& text) {
  for (Function& f : tree.functions) remove(f.body, text);
  for (auto* list : {&tree.before, &tree.beside, &tree.after}) remove(*list, text);
}

EditKind random_edit_kind(Random& random, const Tree& tree) {
  if (tree.unseen && random.chance(15)) return EditKind::ChangeUnseen;
  // What changes nothing, and what makes the same few errors over and over, is rarely worth a case.
  const auto kind = static_cast<EditKind>(random.below(kEditKinds));
  const bool dull = harmless(kind) || kind == EditKind::DropJoin || kind == EditKind::DropThread;
  return dull && random.chance(70) ? EditKind::InsertStatement : kind;
}

}  // namespace heddle::judge
