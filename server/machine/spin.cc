#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {

void Machine::State::note_visible(Thread&, bool, const Operation&) {}
void Machine::State::look_for_spin(Thread&) {}
bool Machine::State::still_spinning(Thread&) { return false; }
bool Machine::State::invisible_loop(Thread&) { return false; }
void Machine::State::add_watch(Thread&, uint64_t, uint32_t, uint32_t) {}

}  // namespace heddle::machine
