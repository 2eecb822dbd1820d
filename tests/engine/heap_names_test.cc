// Names of heap memory by the expressions at the places of a finding.
#include <gtest/gtest.h>

#include "server/engine/target/guilty_edit.h"
#include "server/engine/target/heap_names.h"

namespace heddle::engine {
namespace {

// The column is where "^" stands in the second text.
uint32_t column(std::string_view mark) { return static_cast<uint32_t>(mark.find('^')) + 1; }

TEST(HeapNames, AnAccessIsTheExpressionAtItsColumn) {
  const auto at = [](std::string_view line, std::string_view mark) { return accessed_expression(line, column(mark)); };
  EXPECT_EQ(at("  if (it->it_flags & 1)", "          ^"), "it->it_flags");
  EXPECT_EQ(at("  it->it_flags |= 1;", "               ^"), "it->it_flags");
  EXPECT_EQ(at("  it->next->size = 3;", "                 ^"), "it->next->size");
  EXPECT_EQ(at("  ++done_;", "  ^"), "done_");
  EXPECT_EQ(at("  ++pool.done;", "  ^"), "pool.done");
  EXPECT_EQ(at("  q->count++;", "          ^"), "q->count");
  EXPECT_EQ(at("  *slot = 1;", "        ^"), "*slot");
  EXPECT_EQ(at("  return *slot;", "         ^"), "*slot");
  EXPECT_EQ(at("  table[hash(key)] = 1;", "                   ^"), "table[hash(key)]");
  EXPECT_EQ(at("  use(a[i + 1]);", "      ^"), "a[i + 1]");
  EXPECT_EQ(at("  items(3)->size = 1;", "                 ^"), "items(3)->size");
  EXPECT_EQ(at("  if (a->x == 1) b = 2;", "           ^"), "");  // a comparison is no access
  EXPECT_EQ(at("  if (a->x <= 1) b = 2;", "           ^"), "");
  EXPECT_EQ(at("  jobs_.pop();", "        ^"), "");  // nor is a call
  EXPECT_EQ(at("  std::thread t(f);", "  ^"), "");
  EXPECT_EQ(at("  cache.find(1);", "  ^"), "");
  EXPECT_EQ(at("struct Special : Job {", "       ^"), "");
  EXPECT_EQ(at("x", "    ^"), "");
}

TEST(HeapNames, ACallIsNamedByItsObjectOrItsFirstArgument) {
  const auto at = [](std::string_view line, std::string_view mark, bool argument) {
    return called_object(line, column(mark), argument);
  };
  EXPECT_EQ(at("  jobs_.pop();", "        ^", false), "jobs_");
  EXPECT_EQ(at("  jobs_.pop();", "  ^", false), "jobs_");
  EXPECT_EQ(at("  self->jobs.pop();", "             ^", false), "self->jobs");
  EXPECT_EQ(at("  pthread_mutex_lock(&pool->lock);", "  ^", true), "pool->lock");
  EXPECT_EQ(at("  std::lock_guard<std::mutex> lock(mutex_);", "                              ^", true), "mutex_");
  EXPECT_EQ(at("  std::vector<int> v(n);", "                   ^", false), "");
  EXPECT_EQ(at("  lock(a + b);", "  ^", true), "");
}

v1::Finding race_on_heap() {
  v1::Finding finding;
  finding.set_rule("data-race");
  finding.set_message("data race on 'malloc@slabs.c:618+8': reader reads it here while writer writes it");
  for (const uint32_t line : {1u, 2u}) {
    v1::Place& place = *finding.add_places();
    place.set_file("/p/items.c");
    place.set_line(line);
    place.set_role(line == 1 ? "reads 'malloc@slabs.c:618+8'" : "writes 'malloc@slabs.c:618+8'");
    v1::TraceStep& step = *finding.add_trace();
    *step.mutable_place() = place;
    step.mutable_place()->set_column(line == 1 ? 13 : 16);
    step.set_kind(line == 1 ? "read" : "write");
    step.set_object("malloc@slabs.c:618+8");
    step.set_action("write malloc@slabs.c:618+8 = &malloc@slabs.c:618+16");
    step.set_decisive(true);
    step.add_locks_held("malloc@slabs.c:618+40");
  }
  return finding;
}

TEST(HeapNames, TheProgramsExpressionStandsForTheAllocation) {
  v1::Finding finding = race_on_heap();
  name_heap_memory(finding, [](const std::string&, uint32_t line) {
    return std::string(line == 1 ? "  return it->it_flags;" : "  it->it_flags |= 1;");
  });
  EXPECT_EQ(finding.message(),
            "data race on 'it->it_flags' (allocated at slabs.c:618): reader reads it here while writer writes it");
  EXPECT_EQ(finding.places(0).role(), "reads 'it->it_flags'");
  EXPECT_EQ(finding.trace(0).object(), "it->it_flags");
  EXPECT_EQ(finding.trace(1).action(), "write it->it_flags = memory allocated at slabs.c:618");
  EXPECT_EQ(finding.trace(1).locks_held(0), "memory allocated at slabs.c:618");
  const std::string once = finding.SerializeAsString();
  name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string("other"); });
  EXPECT_EQ(finding.SerializeAsString(), once);
}

TEST(HeapNames, ABlockAsAWholeKeepsItsPlace) {
  v1::Finding finding;
  finding.set_message("reads 4 bytes of heap block malloc@test.c:3 (8 bytes) after it was freed");
  const std::string before = finding.message();
  name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string(); });
  EXPECT_EQ(finding.message(), before);
}

v1::Fragment fragment(const std::string& kind, const std::string& function, uint32_t begin, uint32_t end) {
  v1::Fragment fragment;
  fragment.set_kind(kind);
  fragment.set_function(function);
  fragment.set_file("/p/items.c");
  fragment.set_begin_line(begin);
  fragment.set_end_line(end);
  return fragment;
}

TEST(GuiltyEdit, WhatTheFindingRunsThroughTheNearestFirst) {
  v1::Finding finding = race_on_heap();
  finding.mutable_places(0)->set_function("flags_of");
  finding.mutable_trace(1)->mutable_place()->set_function("set_flag");
  v1::Diffed diffed;
  *diffed.add_fragments() = fragment("changed", "elsewhere", 90, 91);
  *diffed.add_fragments() = fragment("inserted", "set_flag", 40, 40);
  *diffed.add_fragments() = fragment("inserted", "flags_of", 50, 50);
  *diffed.add_fragments() = fragment("deleted", "flags_of", 60, 60);
  const auto guilty = guilty_edit(diffed, finding);
  ASSERT_EQ(guilty.size(), kGuiltyMost);
  EXPECT_EQ(guilty[0].kind(), "deleted");
  EXPECT_EQ(guilty[1].begin_line(), 50u);
  diffed.mutable_fragments()->DeleteSubrange(1, 3);
  EXPECT_TRUE(guilty_edit(diffed, finding).empty());
}

}  // namespace
}  // namespace heddle::engine
