#include "benchmarks/save/untuned.h"

namespace heddle::bench {

namespace {

using tour::Edit;
using tour::Example;

// What a data race does to the library's containers.
const std::vector<std::string> kBrokenMemory = {"assertion",    "use-after-free", "double-free",      "leak",
                                                "deadlock",     "lost-signal",    "null-dereference", "invalid-free",
                                                "out-of-bounds"};

Edit harmless(std::string name, std::string file, std::string before, std::string after) {
  return {.name = std::move(name),
          .file = std::move(file),
          .changes = {{std::move(before), std::move(after)}},
          .rule = "",
          .also = {},
          .lines = {},
          .harmless = true};
}

Edit clear(std::string name, std::string file, std::string before, std::string after) {
  Edit edit = harmless(std::move(name), std::move(file), std::move(before), std::move(after));
  edit.harmless = false;
  return edit;
}

Edit race(std::string name, std::string file, std::string before, std::string after, std::vector<std::string> lines) {
  Edit edit = clear(std::move(name), std::move(file), std::move(before), std::move(after));
  edit.rule = "data-race";
  edit.also = kBrokenMemory;
  edit.lines = std::move(lines);
  return edit;
}

Edit error(std::string name, std::string rule, std::string file, std::string before, std::string after,
           std::string elsewhere) {
  Edit edit = clear(std::move(name), std::move(file), std::move(before), std::move(after));
  edit.rule = std::move(rule);
  edit.elsewhere = std::move(elsewhere);
  return edit;
}

Example example(std::string name, std::string introduction) {
  return {std::move(name), std::move(introduction), {"clang++-19", "-std=c++17", "-fsyntax-only"}, {}};
}

}  // namespace

Example indexer() {
  Example result = example("indexer", "An indexer in C++17: bounded queues between readers and a merger.");
  result.edits.push_back(harmless("a comment", "src/pipeline.cc", "void Pipeline::merge() {\n",
                                  "// Adds what the readers counted (note @).\nvoid Pipeline::merge() {\n"));
  result.edits.push_back(harmless(
      "a renamed local variable", "src/index.cc",
      "    std::vector<int> both;\n    std::set_intersection(documents.begin(), documents.end(), holding.begin(), "
      "holding.end(), std::back_inserter(both));\n    documents = std::move(both);\n",
      "    std::vector<int> common_@;\n    std::set_intersection(documents.begin(), documents.end(), holding.begin(), "
      "holding.end(), std::back_inserter(common_@));\n    documents = std::move(common_@);\n"));
  result.edits.push_back(clear("a new access under its lock", "src/index.cc", "  totals_.words += counted.total;\n",
                               "  totals_.words += counted.total;\n"
                               "  if (totals_.longest_word.size() > 8@) totals_.longest_word.resize(8@);\n"));
  result.edits.push_back(race("a lock dropped", "src/index.cc",
                              "Totals Index::totals() const {\n  std::lock_guard<std::mutex> lock(mutex_);\n",
                              "Totals Index::totals() const {\n", {"  return totals_;"}));
  result.edits.push_back(race("a push after the unlock", "src/bounded_queue.h",
                              "    items_.push_back(std::move(item));\n    ++pushed_;\n    lock.unlock();\n",
                              "    lock.unlock();\n    items_.push_back(std::move(item));\n    ++pushed_;\n",
                              {"    items_.push_back(std::move(item));", "    ++pushed_;"}));
  result.edits.back().unit = "src/pipeline.cc";
  result.edits.push_back(error("a locking call under the lock", "deadlock", "src/index.cc",
                               "    for (const Posting& posting : postings_locked(word)) holding",
                               "    for (const Posting& posting : find(word)) holding", ""));
  result.edits.push_back(error("a notification forgotten", "lost-signal", "src/bounded_queue.h",
                               "    not_empty_.notify_all();\n    not_full_.notify_all();\n",
                               "    not_full_.notify_all();\n", "src/bounded_queue.h"));
  result.edits.back().unit = "src/pipeline.cc";
  result.edits.push_back(
      error("a document not counted", "assertion", "src/pipeline.cc", "    journal_.counted();\n", "", "src/main.cc"));
  return result;
}

Example chatroom() {
  Example result = example("chatroom", "A chat server in C++17: mailboxes, weak members, a reader-writer lock.");
  result.edits.push_back(harmless("a comment", "src/server.cc", "Counts Server::counts() const {\n",
                                  "// They belong together (note @).\nCounts Server::counts() const {\n"));
  result.edits.push_back(harmless("a renamed local variable", "src/server.cc",
                                  "  const int reached = room->post(author, text);\n"
                                  "  std::lock_guard<std::mutex> lock(mutex_);\n"
                                  "  ++counts_.sent;\n"
                                  "  counts_.reached += reached;\n",
                                  "  const int members_@ = room->post(author, text);\n"
                                  "  std::lock_guard<std::mutex> lock(mutex_);\n"
                                  "  ++counts_.sent;\n"
                                  "  counts_.reached += members_@;\n"));
  result.edits.push_back(clear("a new access under its lock", "src/mailbox.cc", "    ++delivered_;\n",
                               "    ++delivered_;\n    if (delivered_ > 8@) unread_.clear();\n"));
  result.edits.push_back(race("a lock dropped", "src/server.cc",
                              "  const int reached = room->post(author, text);\n"
                              "  std::lock_guard<std::mutex> lock(mutex_);\n",
                              "  const int reached = room->post(author, text);\n",
                              {"  ++counts_.sent;", "  counts_.reached += reached;"}));
  result.edits.push_back(race("a reader's lock for a writer", "src/moderation.cc",
                              "  std::unique_lock<std::shared_mutex> lock(mutex_);\n",
                              "  std::shared_lock<std::shared_mutex> lock(mutex_);\n",
                              {"  ++strikes_[author];", "  const auto found = strikes_.find(author);"}));
  result.edits.push_back(error("a locking call under the lock", "deadlock", "src/room.cc",
                               "Message{author, text, ++posted_}", "Message{author, text, posted() + 1}", ""));
  result.edits.push_back(error("a notification forgotten", "lost-signal", "src/mailbox.cc",
                               "  }\n  arrived_.notify_all();\n", "  }\n", "src/mailbox.cc"));
  result.edits.push_back(error("a refusal not counted", "assertion", "src/server.cc",
                               "    std::lock_guard<std::mutex> lock(mutex_);\n    ++counts_.refused;\n    throw;\n",
                               "    throw;\n", "src/main.cc"));
  return result;
}

}  // namespace heddle::bench
