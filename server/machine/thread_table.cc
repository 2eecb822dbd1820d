#include "server/machine/thread_table.h"

#include <algorithm>
#include <cstring>

namespace heddle::machine {

ThreadTable::~ThreadTable() {
  for (Thread* t : threads_) delete t;
}

Thread& ThreadTable::create(uint32_t id, uint32_t parent, uint32_t created_at) {
  Thread*& place = threads_[id];
  if (place == nullptr) place = new Thread{};
  Thread& t = *place;
  undo_.touch(t);
  const uint32_t saved = t.saved_mark;
  // The stack of an earlier life on another path is arena memory that may be gone.
  std::memset(static_cast<void*>(&t), 0, sizeof(Thread) - sizeof(Operation));
  t.pending = {};
  t.saved_mark = saved;
  t.id = id;
  t.life = Life::Running;
  t.parent = parent;
  t.created_at = created_at;
  now_.limit = std::max(now_.limit, id + 1);
  ++now_.live;
  return t;
}

void ThreadTable::end(Thread& t) {
  t.life = Life::Ended;
  --now_.live;
  ++now_.unjoined;
}

void ThreadTable::join(Thread& t) {
  undo_.touch(t);
  t.joined = true;
  --now_.unjoined;
}

void ThreadTable::rewind(const Position& to) {
  const uint32_t limit = now_.limit;
  now_ = to;
  for (uint32_t id = now_.limit; id < limit; ++id)
    if (threads_[id] != nullptr) threads_[id]->life = Life::None;  // a number may be known that no thread has had
}

}  // namespace heddle::machine
