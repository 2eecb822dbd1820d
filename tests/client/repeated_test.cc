// Which errors of several programs are one defect.
#include <gtest/gtest.h>

#include "client/report/repeated_defects.h"

namespace heddle::client {
namespace {

v1::Finding deadlock(const std::string& target, const std::vector<std::pair<uint32_t, std::string>>& mutexes) {
  v1::Finding finding;
  finding.set_rule("deadlock");
  finding.set_id(target);
  finding.set_target(target);
  for (const auto& [line, mutex] : mutexes) {
    v1::Place& place = *finding.add_places();
    place.set_file("/p/lock.h");
    place.set_line(line);
    place.set_role((finding.places_size() % 2 == 1 ? "waits for mutex '" : "took mutex '") + mutex + "' held by main");
  }
  return finding;
}

// What code that programs share does to the locks that it is given is the concern of who gives them.
TEST(Repeated, DeadlocksOfSharedCodeAreToldApartByTheirCallersAndLocks) {
  RepeatedDefects repeated;
  EXPECT_FALSE(repeated.repeats(deadlock("one", {{5, "a.m"}, {5, "b.m"}})));
  EXPECT_FALSE(repeated.repeats(deadlock("two", {{5, "cache.m"}, {5, "disk.m"}})));  // other locks
  EXPECT_FALSE(repeated.repeats(deadlock("three", {{5, "a.m"}, {7, "b.m"}})));       // another line
  EXPECT_FALSE(repeated.repeats(deadlock("four", {{5, "malloc@list.c:14#2.m"}, {5, "malloc@list.c:19#3.m"}})));
  EXPECT_TRUE(repeated.repeats(deadlock("five", {{5, "a.m"}, {5, "b.m"}})));
  EXPECT_FALSE(repeated.repeats(deadlock("six", {{9, "work.head"}, {9, "work.tail"}})));
  EXPECT_TRUE(repeated.repeats(deadlock("seven", {{9, "jobs.head"}, {9, "jobs.tail"}})));  // of one object: its class's
  EXPECT_EQ(repeated.count(), 2u);
  EXPECT_EQ(repeated.lines().size(), 2u);
}

}  // namespace
}  // namespace heddle::client
