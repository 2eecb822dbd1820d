// The threads of a machine, by number: which exist on the path, and how many of them run or are not joined.
//
// In:      creations, ends and joins, as the path performs them.
// Out:     the threads; a number below limit() may be that of a thread which the path has not created: see Life::None.
// Owns:    the threads. Their frames are the path's memory.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <array>
#include <cstdint>

#include "server/machine/memory/undo.h"
#include "server/machine/thread.h"

namespace heddle::machine {

class ThreadTable {
 public:
  class Position {  // what a mark keeps
    friend class ThreadTable;
    uint32_t limit = 0;
    uint32_t live = 0;
    uint32_t unjoined = 0;  // ended, but not ordered before everything (not joined)
  };

  explicit ThreadTable(Undo& undo) : undo_(undo) {}
  ~ThreadTable();
  ThreadTable(const ThreadTable&) = delete;
  ThreadTable& operator=(const ThreadTable&) = delete;

  Thread& create(uint32_t id, uint32_t parent, uint32_t created_at);  // it runs; the rest of it is zero
  void end(Thread& t);
  void join(Thread& t);  // one that ended: it is ordered before everything from now on

  uint32_t limit() const { return now_.limit; }                   // highest number of a thread + 1
  Thread* operator[](uint64_t id) const { return threads_[id]; }  // null: no path so far has had it
  uint32_t live() const { return now_.live; }
  // Is there a second thread that is not ordered before the one that runs?
  bool several() const { return now_.live > 1 || now_.unjoined > 0; }

  const Position& position() const { return now_; }
  void rewind(const Position& to);

 private:
  Undo& undo_;
  std::array<Thread*, 256> threads_{};
  Position now_;
};

}  // namespace heddle::machine
