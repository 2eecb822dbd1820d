#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {

uint64_t Machine::State::fingerprint(bool) { return 0; }

}  // namespace heddle::machine
