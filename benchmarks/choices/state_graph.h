// Every state of a program and every step between two states, for questions that a search cannot answer on its way:
// which accesses may still happen before this one?
//
// In:      an image; a limit of states and of seconds. Each plain access to a shared object is a scheduling point.
// Out:     states, numbered so that a state's successors come before it, except on cycles. Per state and thread the
//          pending access; per step its thread and the accesses it makes.
// Cost:    states times threads steps of the machine; no reduction.
// Owns:    its tables; refers to nothing.
// Threads: one; a value afterwards.
// Fails:   never; `complete` is false if a limit was hit, and then nothing may be concluded.
// From:    MHB section 5 (choices are states at which a thread is chosen).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "server/explore/dependence.h"
#include "server/machine/machine.h"

namespace heddle::bench {

struct StateGraph {
  static constexpr uint32_t kNone = ~0u;
  static constexpr uint32_t kThreadsMost = 16;

  struct Step {
    uint32_t thread = 0, target = kNone, access = kNone;  // target: none if the path ends
  };
  struct State {
    std::vector<Step> steps;
    std::vector<uint32_t> plain;       // by thread: the plain access that it is about to make, or none
    uint32_t enabled = 0, living = 0;  // a bit per thread
    std::vector<uint8_t> marks;        // by thread: what the caller noted while the machine stood there
  };

  std::vector<State> states;    // 0: the first
  std::vector<uint32_t> order;  // of states, successors first
  struct Access {
    explore::TouchedRange range;
    machine::CodeAddress at;
  };
  std::vector<Access> accesses;
  std::vector<std::vector<bool>> conflicts;  // of two accesses
  uint32_t threads = 0;
  bool complete = true;
};

// What is known of a plain access that a thread is about to make, as bits: stored in State::marks.
using Mark = std::function<uint8_t(machine::Machine&, machine::ThreadId)>;

StateGraph build_state_graph(const machine::ImagePtr& image, uint32_t states_max, double seconds, const Mark& mark);

}  // namespace heddle::bench
