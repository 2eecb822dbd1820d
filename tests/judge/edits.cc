#include "tests/judge/edits.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tests/judge/generate.h"
#include "tests/judge/lock_edits.h"
#include "tests/judge/phrases.h"
#include "tests/judge/unseen.h"

namespace heddle::judge {
namespace {

bool is_wait(const Statement& s) {
  return s.text.starts_with("sem_wait(") || s.text.find(".acquire();") != std::string::npos;
}
bool counts(const Statement& s) { return s.kind == StatementKind::Loop && s.text.starts_with("for ("); }
// Each round waits, does something and lets another go: split, it is an error.
bool hands_over(const Statement& s) { return counts(s) && s.body.size() > 1 && is_wait(s.body.front()); }
bool any_hands_over(const std::vector<Statement>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const Statement& s) { return hands_over(s) || any_hands_over(s.body); });
}

class Editor : LockEdits {
 public:
  Editor(Random& random, Tree& tree) : LockEdits(random, tree) {}

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
      case EditKind::SplitLoop: return split_loop() || join_loops();
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

  // Each half has its own loop: all rounds of the first come before those of the second.
  bool split_loop() {
    const auto splits = [](const Statement& s) { return counts(s) && s.body.size() > 1; };
    if (!pick(hands_over) && !pick(splits)) return false;
    Statement second = picked();
    std::vector<Statement>& body = picked().body;
    const auto half = static_cast<std::ptrdiff_t>(random_.between(1, static_cast<int>(body.size()) - 1));
    second.body.erase(second.body.begin(), second.body.begin() + half);
    body.erase(body.begin() + half, body.end());
    chosen_.list->insert(chosen_.list->begin() + static_cast<std::ptrdiff_t>(index_) + 1, std::move(second));
    return true;
  }

  bool join_loops() {
    for (const Spot& spot : spots_)
      for (size_t n = 0; n + 1 < spot.list->size(); ++n) {
        Statement &first = (*spot.list)[n], &second = (*spot.list)[n + 1];
        if (!counts(first) || !counts(second) || first.text != second.text) continue;
        first.body.insert(first.body.end(), second.body.begin(), second.body.end());
        spot.list->erase(spot.list->begin() + static_cast<std::ptrdiff_t>(n) + 1);
        return true;
      }
    return false;
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
      if (g.kind == GlobalKind::Integer || g.kind == GlobalKind::Atomic || g.kind == GlobalKind::Semaphore ||
          g.kind == GlobalKind::Input)
        found.push_back(&g);
    if (found.empty()) return false;
    Global& g = *random_.of(found);
    const int old = g.value;
    const bool input = g.kind == GlobalKind::Input;
    while (g.value == old) g.value = input ? random_.between(1, 16) : random_.between(0, 3);
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
};

constexpr std::array<std::string_view, kEditKinds + 1> kNames = {
    "insert-statement", "delete-statement", "move-statement",
    "change-statement", "swap-statements",  "drop-lock",
    "add-lock",         "swap-lock",        "widen-lock",
    "narrow-lock",      "lock-style",       "change-condition",
    "change-constant",  "change-argument",  "change-loop-bound",
    "add-call",         "change-callee",    "add-thread",
    "drop-thread",      "drop-join",        "change-initial-value",
    "change-order",     "change-signal",    "atomic-to-plain",
    "struct-layout",    "split-loop",       "rename",
    "reformat",         "several",          "change-unseen"};

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
  if (tree.inputs && random.chance(30))
    return random.of(std::vector{EditKind::ChangeInitialValue, EditKind::ChangeCondition, EditKind::ChangeLoopBound});
  const bool fits = std::any_of(tree.functions.begin(), tree.functions.end(),
                                [](const Function& function) { return any_hands_over(function.body); });
  if (random.chance(fits ? 30 : 2)) return EditKind::SplitLoop;
  // What changes nothing, and what makes the same few errors over and over, is rarely worth a case.
  const auto kind = static_cast<EditKind>(random.below(kEditKinds));
  const bool dull = harmless(kind) || kind == EditKind::DropJoin || kind == EditKind::DropThread;
  return dull && random.chance(70) ? EditKind::InsertStatement : kind;
}

}  // namespace heddle::judge
