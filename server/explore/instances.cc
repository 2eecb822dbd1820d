#include "server/explore/instances.h"

#include <algorithm>

namespace heddle::explore {

using machine::Machine;
using machine::ThreadId;

namespace {

constexpr uint32_t kInstanceStepsMax = 20'000;
constexpr uint32_t kUnlikeMax = 14;  // further instances: with the first two, sixteen

bool is_many(const analysis::Facts* facts, analysis::RoleId role) {
  return facts != nullptr && role.valid() && role.value < facts->roles.size() &&
         facts->roles[role.value].multiplicity == analysis::Multiplicity::Many;
}

}  // namespace

Instances::Instances(const analysis::Facts* facts, const edit::ThreadName& modified, const edit::ThreadName& other)
    : modified_{RoleThreads(facts, modified.role), modified.instance, is_many(facts, modified.role)},
      other_{RoleThreads(facts, other.role), other.instance, is_many(facts, other.role)},
      same_role_(modified.role == other.role) {}

void Instances::stepped(const Machine& machine, ThreadId thread) {
  if ((!modified_.many && !other_.many) || steps_ >= kInstanceStepsMax) return;
  ++steps_;
  if (modified_.many) note(modified_, machine, thread);
  if (other_.many && !same_role_) note(other_, machine, thread);
}

void Instances::note(Role& role, const Machine& machine, ThreadId thread) {
  const auto at = std::lower_bound(role.members.begin(), role.members.end(), thread.value);
  if (at == role.members.end() || *at != thread.value) {
    if (!role.threads.contains(machine, thread)) return;
    role.members.insert(at, thread.value);
  }
  if (done_.size() <= thread.value) done_.resize(thread.value + 1);
  auto& done = done_[thread.value];
  const auto events = machine.events();
  if (!events.empty() && events.back().operation.thread == thread) done.insert(events.back().operation.at.bits());
  accesses_.clear();
  machine.recent_accesses(thread, accesses_);
  for (const auto& access : accesses_) {
    const analysis::ObjectId object = machine.static_object(access.at);
    if (object.valid()) done.insert(~(uint64_t{object.value} << 1 | access.write));
  }
}

bool Instances::alike(const Role& role, uint32_t a, uint32_t b) const {
  return done_[role.members[a]] == done_[role.members[b]];
}

std::vector<uint32_t> Instances::unlike_the_first_two(const Role& role) const {
  std::vector<uint32_t> found;
  for (uint32_t n = 2; n < role.members.size() && found.size() < kUnlikeMax; ++n) {
    const auto is_like = [&](uint32_t known) { return alike(role, n, known); };
    if (!is_like(0) && !is_like(1) && std::none_of(found.begin(), found.end(), is_like)) found.push_back(n);
  }
  return found;
}

// The pair is (0, 1): it stands for every two threads that are like these, if these are alike.
void Instances::add_of_one_role(std::vector<InstancePair>& pairs) const {
  const std::vector<uint32_t> unlike = unlike_the_first_two(modified_);
  std::vector<uint32_t> kinds{0};
  if (!alike(modified_, 0, 1)) kinds.push_back(1);
  kinds.insert(kinds.end(), unlike.begin(), unlike.end());
  for (const uint32_t first : kinds) {
    for (const uint32_t second : kinds)
      if (first != second && !(first == 0 && second == 1)) pairs.push_back({first, second});
    // Two threads of one kind, unless the pair itself is that.
    for (uint32_t twin = first + 1; first > 0 && twin < modified_.members.size(); ++twin) {
      if (!alike(modified_, first, twin)) continue;
      pairs.push_back({first, twin});
      break;
    }
    if (first > 0 || kinds.size() < 2 || kinds[1] != 1) continue;
    for (uint32_t twin = 2; twin < modified_.members.size(); ++twin) {
      if (!alike(modified_, 0, twin)) continue;
      pairs.push_back({0, twin});
      break;
    }
  }
}

std::vector<InstancePair> Instances::further() const {
  std::vector<InstancePair> pairs;
  if (same_role_) {
    if (modified_.members.size() >= 2) add_of_one_role(pairs);
    return pairs;
  }
  // The pair of instance 1 stands for those beyond it, so that each is explored once.
  const auto instances_of = [&](const Role& role) {
    std::vector<uint32_t> all{role.instance};
    if (!role.many || role.instance != 1 || role.members.size() < 3) return all;
    const std::vector<uint32_t> unlike = unlike_the_first_two(role);
    all.insert(all.end(), unlike.begin(), unlike.end());
    return all;
  };
  for (const uint32_t first : instances_of(modified_))
    for (const uint32_t second : instances_of(other_))
      if (first != modified_.instance || second != other_.instance) pairs.push_back({first, second});
  return pairs;
}

}  // namespace heddle::explore
