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

// The pointer at whose column the expression begins is not what is accessed.
TEST(HeapNames, AnElementHasTheColumnAtWhichItsExpressionBegins) {
  const auto at = [](std::string_view line, std::string_view mark) { return accessed_expression(line, column(mark)); };
  EXPECT_EQ(at("  return t->slots[1];", "         ^"), "t->slots[1]");
  EXPECT_EQ(at("  if (c->map[i] == 0) return;", "      ^"), "c->map[i]");
  EXPECT_EQ(at("  int v = table.slots[f(i)];", "          ^"), "table.slots[f(i)]");
  EXPECT_EQ(at("  use(p->a.rows[i][j]);", "      ^"), "p->a.rows[i][j]");
  EXPECT_EQ(at("  return t->rows[i]->next->size;", "         ^"), "t->rows[i]");
  EXPECT_EQ(at("  return t->items[i].data[j];", "         ^"), "t->items[i].data[j]");
  EXPECT_EQ(at("  return t->rows[i]->data[j];", "         ^"), "");  // either of the two
  EXPECT_EQ(at("  return t->get(i)[j];", "         ^"), "");
  EXPECT_EQ(at("  return t->get(i);", "         ^"), "t");
  EXPECT_EQ(at("  return list->next;", "         ^"), "list");  // a reference's, or a member's
}

TEST(HeapNames, APointerInABlockIsNotWhatItPointsTo) {
  const auto named = [](const std::string& object, const std::string& line, std::string_view mark) {
    v1::Finding finding;
    v1::TraceStep& step = *finding.add_trace();
    step.mutable_place()->set_line(1);
    step.mutable_place()->set_column(column(mark));
    step.set_kind("read");
    step.set_object(object);
    name_heap_memory(finding, [&](const std::string&, uint32_t) { return line; });
    return finding.trace(0).object();
  };
  EXPECT_EQ(named("malloc@t.c:4#1{table}.slots", "  return t->slots[1];", "            ^"), "t->slots");
  EXPECT_EQ(named("new@t.c:4#1{table}.slots", "  return slots[i];", "         ^"), "slots");
  EXPECT_EQ(named("malloc@t.c:4#1{table}.slots[1]", "  return t->slots[1];", "            ^"), "t->slots[1]");
  EXPECT_EQ(named("calloc@t.c:5#2+4", "  return t->slots[1];", "         ^"), "t->slots[1]");
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
  EXPECT_EQ(finding.trace(0).place().role(), "reads 'it->it_flags'");
  EXPECT_EQ(finding.trace(0).object(), "it->it_flags");
  EXPECT_EQ(finding.trace(1).action(), "write it->it_flags = memory allocated at slabs.c:618");
  EXPECT_EQ(finding.trace(1).locks_held(0), "memory allocated at slabs.c:618");
  const std::string once = finding.SerializeAsString();
  name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string("other"); });
  EXPECT_EQ(finding.SerializeAsString(), once);
}

TEST(HeapNames, TheWordNewIsNoExpression) {
  v1::Finding finding = race_on_heap();
  name_heap_memory(
      finding, [](const std::string&, uint32_t line) { return std::string(line == 1 ? 12 : 15, ' ') + "new int(3);"; });
  EXPECT_EQ(finding.message(),
            "data race on 'memory allocated at slabs.c:618': reader reads it here while writer writes it");
}

struct Words {
  const char* raw;
  const char* shown;
};

TEST(HeapNames, WithoutAnExpressionTheTypeAndThePlaceAreLeft) {
  for (const auto& [raw, shown] : {
           Words{"reads 4 bytes of heap block malloc@test.c:3 (8 bytes) after it was freed",
                 "reads 4 bytes of heap block allocated at test.c:3 (8 bytes) after it was freed"},
           Words{"reads 4 bytes of heap block malloc@test.c:3{conn} (8 bytes) after it was freed",
                 "reads 4 bytes of conn allocated at test.c:3 (8 bytes) after it was freed"},
           Words{"heap block new@p.cc:3{net::Peer} (8 bytes) is never freed",
                 "net::Peer allocated at p.cc:3 (8 bytes) is never freed"},
           Words{"mapping mmap@test.c:3 (4096 bytes) is lost", "mapping allocated at test.c:3 (4096 bytes) is lost"},
           Words{"unlocks malloc@pool.c:9#3+40, which is not locked",
                 "unlocks memory allocated at pool.c:9, which is not locked"},
           Words{"unlocks calloc@pool.c:9#3{pool}.lock, which is not locked",
                 "unlocks pool.lock allocated at pool.c:9, which is not locked"},
           Words{"unlocks calloc@pool.c:9#3{pool}+9, which", "unlocks pool allocated at pool.c:9, which"},
           Words{"write 'head' = &malloc@list.c:5#7{node}.next", "write 'head' = node allocated at list.c:5"},
           Words{"free malloc@list.c:5#7{node}[2]", "free node allocated at list.c:5"},
           Words{"read malloc@list.c:5#7{node}[2]", "read node[2] allocated at list.c:5"},
           Words{"mails a@b.c", "mails a@b.c"},
       }) {
    v1::Finding finding;
    finding.set_message(raw);
    name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string(); });
    EXPECT_EQ(finding.message(), shown);
  }
}

// A step of a finding about locks; `line` is what LineOf gives.
void add_lock_step(v1::Finding& finding, const std::string& object, uint32_t column) {
  v1::TraceStep& step = *finding.add_trace();
  step.mutable_place()->set_line(1);
  step.mutable_place()->set_column(column);
  step.set_kind("lock");
  step.set_object(object);
  step.set_action("lock mutex '" + object + "'");
  step.set_decisive(true);
}

TEST(HeapNames, BlocksThatTheProgramCallsAlikeGetNumbers) {
  struct Row {
    const char *first, *second, *of_first, *of_second;
  };
  for (const Row& row : {
           Row{"malloc@a.c:4#7{account}.lock", "malloc@a.c:4#2{account}.lock", "lock of account 2",
               "lock of account 1"},
           Row{"malloc@a.c:4#7", "malloc@a.c:9#8", "from->lock of block 1", "from->lock of block 2"},
           Row{"malloc@a.c:4#7{worker}[0].lock", "malloc@a.c:4#7{worker}[1].lock", "worker[0].lock", "worker[1].lock"},
           Row{"malloc@a.c:4#7+8", "malloc@a.c:4#7+48", "from->lock of block at 8", "from->lock of block at 48"},
           Row{"malloc@a.c:4#7{account}.lock", "malloc@a.c:4#7{account}.lock", "from->lock", "from->lock"},
           Row{"malloc@a.c:4#7{account}.lock", "malloc@a.c:4#7{account}.lock.kind", "from->lock", "from->lock"},
       }) {
    v1::Finding finding;
    for (const char* object : {row.first, row.second}) add_lock_step(finding, object, 1);
    name_heap_memory(finding,
                     [](const std::string&, uint32_t) { return std::string("pthread_mutex_lock(&from->lock);"); });
    EXPECT_EQ(finding.trace(0).object(), row.of_first);
    EXPECT_EQ(finding.trace(1).action(), std::string("lock mutex '") + row.of_second + "'");
  }
}

TEST(HeapNames, TheAccessThatIsWrongIsShown) {
  struct Row {
    const char *line, *mark, *raw, *shown;
  };
  for (const Row& row : {
           Row{"c->out[n] = 3;", "         ^",
               "writes 4 bytes, just past the end of heap block malloc@a.c:4{conn} (24 bytes)",
               "writes 'c->out[n]', 4 bytes, just past the end of conn allocated at a.c:4 (24 bytes)"},
           Row{"  *count = 1;", "         ^", "writes 4 bytes of heap block malloc@a.c:4 (4 bytes) after it was freed",
               "writes '*count', 4 bytes of heap block allocated at a.c:4 (4 bytes) after it was freed"},
           Row{"  read(p);", "  ^", "reads 4 bytes of heap block malloc@a.c:4 (4 bytes) after it was freed",
               "reads 4 bytes of heap block allocated at a.c:4 (4 bytes) after it was freed"},
       }) {
    v1::Finding finding;
    finding.set_message(row.raw);
    add_lock_step(finding, "", column(row.mark));
    finding.mutable_trace(0)->set_action(row.raw);
    name_heap_memory(finding, [&](const std::string&, uint32_t) { return std::string(row.line); });
    EXPECT_EQ(finding.message(), row.shown);
    EXPECT_EQ(finding.trace(0).action(), row.shown);
  }
}

TEST(HeapNames, AFreeTouchesTheWholeBlock) {
  v1::Finding finding = race_on_heap();
  finding.set_message("data race on 'malloc@slabs.c:618#3{item}.flags': reader frees it here while writer writes it");
  for (v1::Place& place : *finding.mutable_places()) place.set_role("frees 'malloc@slabs.c:618#3{item}.flags'");
  for (v1::TraceStep& step : *finding.mutable_trace()) step.set_object("malloc@slabs.c:618#3{item}.flags");
  name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string("  return it->it_flags;"); });
  EXPECT_EQ(finding.message(),
            "data race on 'item allocated at slabs.c:618': reader frees it here while writer writes it");
  EXPECT_EQ(finding.places(1).role(), "frees 'item allocated at slabs.c:618'");
  EXPECT_EQ(finding.trace(0).object(), "it->it_flags");
}

TEST(HeapNames, AFieldThatTheLibraryTouchesIsNoPartOfIt) {
  for (const auto& [raw, shown] :
       {Words{"new@t.cc:7#2{Node}.left", "n->left"}, Words{"new@t.cc:7#2+8", "a part of n->left"},
        Words{"new@t.cc:7#2{Node}.right", "a part of n->left"}}) {
    v1::Finding finding;
    add_lock_step(finding, raw, 9);
    finding.mutable_trace(0)->set_kind("read");
    finding.mutable_trace(0)->set_library("std::unique_ptr<Node>::get");
    name_heap_memory(finding, [](const std::string&, uint32_t) { return std::string("n->left.get();"); });
    EXPECT_EQ(finding.trace(0).object(), shown);
  }
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

v1::Fragment fragment(const std::string& kind, const std::string& function, const std::string& statements) {
  v1::Fragment out;
  out.set_kind(kind);
  out.set_file("/p/a.cpp");
  out.set_function(function);
  out.set_description(kind + ": " + statements);
  return out;
}

// What made an error so may be taken back while another edit keeps it.
TEST(GuiltyEdit, IsNoLongerGuiltyOnceItIsTakenBack) {
  const std::string guard = "call of std::lock_guard<std::mutex>::lock_guard";
  const v1::Fragment removed = fragment("deleted", "put", guard + ", call of std::lock_guard<std::mutex>::~lock_guard");
  const auto undone = [](const v1::Fragment& blamed, const v1::Fragment& later) {
    v1::Diffed diffed;
    *diffed.add_fragments() = fragment("inserted", "other", "lock of m");
    *diffed.add_fragments() = later;
    return is_undone(blamed, diffed);
  };
  EXPECT_TRUE(undone(removed, fragment("inserted", "put", "write of n, " + guard)));
  EXPECT_TRUE(undone(removed, fragment("inserted", "put", "call of std::scoped_lock<std::mutex, M>::scoped_lock")));
  EXPECT_TRUE(undone(removed, fragment("inserted", "put", "lock of m")));
  EXPECT_FALSE(undone(removed, fragment("inserted", "get", guard)));
  EXPECT_FALSE(undone(removed, fragment("deleted", "put", guard)));
  EXPECT_FALSE(undone(removed, fragment("inserted", "put", "unlock of m, write of n")));
  EXPECT_FALSE(undone(removed, fragment("changed", "put", "write of n")));
  const v1::Fragment added = fragment("inserted", "get", "read of n");
  EXPECT_TRUE(undone(added, fragment("deleted", "get", "call of f, read of n")));
  EXPECT_FALSE(undone(added, fragment("deleted", "get", "read of other")));
  const v1::Fragment changed = fragment("changed", "get", "write of n");
  EXPECT_TRUE(undone(changed, fragment("changed", "get", "write of n")));
  EXPECT_FALSE(undone(changed, fragment("changed", "get", "write of other")));
}

// A call that has another argument now, or is a line further down, was not removed.
TEST(GuiltyEdit, DidNotRemoveWhatIsStillThere) {
  v1::Finding finding;
  v1::Place& place = *finding.add_places();
  place.set_file("/p/a.cpp");
  place.set_line(7);
  place.set_function("put");
  const auto guilty = [&](const std::string& deleted, const std::string& inserted,
                          const std::string& function = "put") {
    v1::Diffed diffed;
    *diffed.add_fragments() = fragment("deleted", "put", deleted);
    *diffed.add_fragments() = fragment("inserted", function, inserted);
    std::string out;
    for (const v1::Fragment& found : guilty_edit(diffed, finding)) out += found.description() + "; ";
    return out;
  };
  EXPECT_EQ(guilty("call of Lru::get", "call of Lru::get"), "changed: call of Lru::get; ");
  EXPECT_EQ(guilty("lock of m, call of Lru::get", "call of Lru::get"),
            "deleted: lock of m; changed: call of Lru::get; ");
  EXPECT_EQ(guilty("call of Lru::get, write of n", "call of f<int, int>, call of Lru::get"),
            "deleted: write of n; inserted: call of f<int, int>; ");
  EXPECT_EQ(guilty("call of Lru::get and 2 more", "call of Lru::put"),
            "deleted: call of Lru::get and 2 more; inserted: call of Lru::put; ");
  EXPECT_EQ(guilty("call of Lru::get", "call of Lru::get", "get"), "deleted: call of Lru::get; ");
}

}  // namespace
}  // namespace heddle::engine
