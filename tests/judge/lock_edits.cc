#include "tests/judge/lock_edits.h"

#include <algorithm>
#include <utility>

namespace heddle::judge {

bool LockEdits::drop_lock() {
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

bool LockEdits::unwrap(std::vector<Statement> body) {
  erase();
  chosen_.list->insert(chosen_.list->begin() + static_cast<std::ptrdiff_t>(index_), body.begin(), body.end());
  return true;
}

std::vector<const Global*> LockEdits::locks(uint32_t group) const {
  std::vector<const Global*> result;
  for (const Global& g : tree_.globals)
    if (g.group == group && (g.kind == GlobalKind::Mutex || g.kind == GlobalKind::ReadWriteLock)) result.push_back(&g);
  return result;
}

void LockEdits::take(Statement& s, const Global& lock) {
  const bool waits = s.style == LockStyle::Unique && lock.kind == GlobalKind::Mutex;
  s.text = lock.name;
  if (waits) return;
  s.style = lock.kind == GlobalKind::Mutex ? LockStyle::Mutex : random_.chance(30) ? LockStyle::Read : LockStyle::Write;
}

bool LockEdits::add_lock() {
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

bool LockEdits::swap_lock() {
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

bool LockEdits::widen_lock() {
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

bool LockEdits::narrow_lock() {
  if (!pick([](const Statement& s) { return locked(s) && !s.body.empty(); })) return false;
  auto& body = picked().body;
  const bool first = random_.chance(50);
  const Statement out = first ? body.front() : body.back();
  first ? body.erase(body.begin()) : body.erase(body.end() - 1);
  chosen_.list->insert(chosen_.list->begin() + static_cast<std::ptrdiff_t>(first ? index_ : index_ + 1), out);
  return true;
}

bool LockEdits::lock_style() {
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

}  // namespace heddle::judge
