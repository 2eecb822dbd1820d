// The interleaving table against golden text. HEDDLE_PRINT_TABLES=1 prints what was made, to renew them by eye.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "client/report/table.h"

namespace heddle::client {
namespace {

void add(v1::Finding& finding, uint32_t number, const std::string& thread, uint32_t line, const std::string& action,
         const std::vector<std::string>& locks, bool switched, bool decisive) {
  v1::TraceStep& step = *finding.add_trace();
  step.set_thread_number(number);
  step.set_thread(thread);
  step.mutable_place()->set_file("/project/src/queue.c");
  step.mutable_place()->set_line(line);
  step.set_action(action);
  for (const std::string& lock : locks) step.add_locks_held(lock);
  step.set_switched(switched);
  step.set_decisive(decisive);
}

v1::Finding deadlock() {
  v1::Finding finding;
  add(finding, 0, "main", 40, "create main.0", {}, false, false);
  add(finding, 0, "main", 41, "create main.1", {}, false, false);
  add(finding, 1, "main.0 (left)", 12, "lock 'a'", {"a"}, true, false);
  add(finding, 2, "main.1 (right)", 22, "lock 'b'", {"b"}, true, false);
  add(finding, 1, "main.0 (left)", 13, "waits for mutex 'b', held by main.1", {"a"}, true, true);
  add(finding, 2, "main.1 (right)", 23, "waits for mutex 'a', held by main.0", {"b"}, true, true);
  return finding;
}

Style style(unsigned width, bool unicode) {
  Style style;
  style.width = width;
  style.unicode = unicode;
  return style;
}

std::string render(const v1::Finding& finding, const Style& style, Detail detail = Detail::Everything) {
  const std::string text = render_interleaving(finding, style, {4, detail, nullptr});
  if (std::getenv("HEDDLE_PRINT_TABLES")) std::printf("%s\n", text.c_str());
  return "\n" + text;
}

TEST(Table, ThreadsSideBySide) {
  EXPECT_EQ(render(deadlock(), style(160, false)), R"(
      #  place      | main            | main.0 (left)                         | main.1 (right)                        | holds
    ----------------+-----------------+---------------------------------------+---------------------------------------+------
      1  queue.c:40 |   create main.0 |                                       |                                       |
      2  queue.c:41 |   create main.1 |                                       |                                       |
      3  queue.c:12 |                 | > lock 'a'                            |                                       | a
      4  queue.c:22 |                 |                                       | > lock 'b'                            | b
    * 5  queue.c:13 |                 | > waits for mutex 'b', held by main.1 |                                       | a
    * 6  queue.c:23 |                 |                                       | > waits for mutex 'a', held by main.0 | b
)");
}

// A word that is too long is cut after punctuation, not in a name.
TEST(Table, NamesAreNotCut) {
  v1::Finding finding;
  add(finding, 0, "main", 7, "write pool.entries[(pool.head+pool.count)%kEntries]", {}, false, true);
  add(finding, 1, "worker", 8, "call service->registry_of_names->find()", {}, true, true);
  add(finding, 1, "worker", 9, "read a_name_that_is_longer_than_any_column", {}, false, true);
  const std::string text = render(finding, style(80, false));
  for (const char* const word : {"pool.entries[(pool.", "head+pool.count)", "service->", "registry_of_names"})
    EXPECT_NE(text.find(word), text.npos) << word << text;
}

TEST(Table, CellsWrapWhenItIsNarrow) {
  EXPECT_EQ(render(deadlock(), style(90, true)), R"(
      #  place      │ main            │ main.0 (left)       │ main.1 (right)       │ holds
    ────────────────┼─────────────────┼─────────────────────┼──────────────────────┼──────
      1  queue.c:40 │   create main.0 │                     │                      │
      2  queue.c:41 │   create main.1 │                     │                      │
      3  queue.c:12 │                 │ ▸ lock 'a'          │                      │ a
      4  queue.c:22 │                 │                     │ ▸ lock 'b'           │ b
    ● 5  queue.c:13 │                 │ ▸ waits for mutex   │                      │ a
                    │                 │   'b', held by      │                      │
                    │                 │   main.1            │                      │
    ● 6  queue.c:23 │                 │                     │ ▸ waits for mutex    │ b
                    │                 │                     │   'a', held by       │
                    │                 │                     │   main.0             │
)");
}

TEST(Table, OneColumnWhenTheThreadsDoNotFit) {
  EXPECT_EQ(render(deadlock(), style(70, false)), R"(
      #  place      | thread         | step                    | holds
    ----------------+----------------+-------------------------+------
      1  queue.c:40 | main           |   create main.0         |
      2  queue.c:41 | main           |   create main.1         |
      3  queue.c:12 | main.0 (left)  | > lock 'a'              | a
      4  queue.c:22 | main.1 (right) | > lock 'b'              | b
    * 5  queue.c:13 | main.0 (left)  | > waits for mutex 'b',  | a
                    |                |   held by main.1        |
    * 6  queue.c:23 | main.1 (right) | > waits for mutex 'a',  | b
                    |                |   held by main.0        |
)");
}

TEST(Table, FitsEveryWidth) {
  v1::Finding finding = deadlock();
  add(finding, 3, "main.2 (a_function_with_a_very_long_name_indeed)", 1234567, std::string(80, 'x'),
      {"lock_one", "lock_two"}, true, true);
  for (unsigned width = 60; width < 200; ++width) {
    std::istringstream lines(render(finding, style(width, true)));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(Table, TheStoryOfALongTraceKeepsWhatMatters) {
  v1::Finding finding;
  for (uint32_t i = 0; i < 500; ++i)
    add(finding, 0, "main", i, "write a[" + std::to_string(i) + "]", {}, false, i == 7 || i == 450);
  const std::string text = render(finding, style(100, false), Detail::Story);
  EXPECT_NE(text.find("write a[7]"), std::string::npos);
  EXPECT_NE(text.find("write a[450]"), std::string::npos);
  EXPECT_NE(text.find("7 steps not shown"), std::string::npos);
  EXPECT_NE(text.find("49 steps not shown"), std::string::npos);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST(Table, ColourChangesNoWidth) {
  Style colourful = style(90, true);
  colourful.colour = true;
  const std::string painted = render(deadlock(), colourful);
  EXPECT_NE(painted.find('\x1b'), std::string::npos);
  std::istringstream lines(painted);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 90u) << line;
}

TEST(Table, NothingForNoTrace) { EXPECT_EQ(render_interleaving({}, style(80, false), {}), ""); }

TEST(Table, OfALongLineThePartAtTheColumnIsQuoted) {
  EXPECT_EQ(excerpt("    count++;  ", 5), "count++;");
  const std::string head = "static void *f(void *x) { ", body = "lock(&a); " + std::string(95, 'x');
  EXPECT_EQ(excerpt(head + body, 27), "... " + body.substr(0, 100) + " ...");
  EXPECT_EQ(excerpt(head + body, 1), (head + body).substr(0, 100) + " ...");
  EXPECT_EQ(excerpt(head + body, 0), (head + body).substr(0, 100) + " ...");
  EXPECT_EQ(excerpt(head + body, 127), "... " + body.substr(100));
  EXPECT_EQ(excerpt(head + body, 9999), "... x");
  std::string accents;  // a letter of two bytes is never cut
  for (int n = 0; n < 80; ++n) accents += "\u00e9";
  EXPECT_EQ(excerpt("x" + accents, 0), "x" + accents.substr(0, 98) + " ...");
  EXPECT_EQ(excerpt("x" + accents, 3), "... " + accents.substr(0, 100) + " ...");
}

}  // namespace
}  // namespace heddle::client
