// Distinguishes the threads of one role by what they do, and names the pairs of instances that step 1 explores.
//
// In:      after each step of a search, the machine and the thread that did it.
// Out:     of a pair of roles, the instances (n-th thread of the role, from 0) to explore beyond the first two.
// Cost:    a set insertion per step, for the first 20,000 steps.
// Owns:    per thread, what it did: addresses of visible operations, and static objects that it accessed plainly.
// Threads: one at a time.
// Fails:   never; threads that differ only in what comes after those steps count as alike.
// From:    Pairwise section 3, "every dynamic instance of T_mod". Differs: threads that did the same count as one.
//
// Threads of one role often run the same code, and then any two of them stand for all. But a role may give each thread
// other work, by its argument: `worker(kind)`. Code that only the third thread runs is met by the third thread alone.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "server/edit/edit.h"
#include "server/explore/role_threads.h"

namespace heddle::explore {

struct InstancePair {
  uint32_t modified = 0, other = 0;
  bool operator==(const InstancePair&) const = default;
};

class Instances {
 public:
  Instances(const analysis::Facts* facts, const edit::ThreadName& modified, const edit::ThreadName& other);

  void stepped(const machine::Machine& machine, machine::ThreadId thread);
  // Pairs that stand for threads which neither the pair itself nor the role's other pairs stand for. Those with one
  // `modified` are neighbours, so that the rest can be left out when that thread never comes to the change.
  std::vector<InstancePair> further() const;

 private:
  struct Role {
    RoleThreads threads;
    uint32_t instance = 0;
    bool many = false;
    std::vector<uint32_t> members{};  // thread numbers, ascending
  };

  void note(Role& role, const machine::Machine& machine, machine::ThreadId thread);
  bool alike(const Role& role, uint32_t a, uint32_t b) const;  // instances
  std::vector<uint32_t> unlike_the_first_two(const Role& role) const;
  void add_of_one_role(std::vector<InstancePair>& pairs) const;

  Role modified_, other_;
  bool same_role_ = false;
  uint32_t steps_ = 0;
  std::vector<std::unordered_set<uint64_t>> done_;  // by thread number
  std::vector<machine::Machine::PlainAccess> accesses_;
};

}  // namespace heddle::explore
