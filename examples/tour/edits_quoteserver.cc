#include "examples/tour/edits.h"

namespace heddle::tour {

Example quoteserver() {
  Example example;
  example.name = "quoteserver";
  example.introduction = "A quote server in C++17: a pool with futures, a cache behind a shared_mutex, a log.";
  example.syntax_only = {"clang++-19", "-std=c++17", "-fsyntax-only"};
  std::vector<Edit>& list = example.edits;
  list.push_back({.name = "a comment",
                  .file = "src/thread_pool.cc",
                  .changes = {{"void ThreadPool::work() {\n",
                               "// Takes tasks until the pool is closed and nothing is left (note @).\n"
                               "void ThreadPool::work() {\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {},
                  .harmless = true});
  list.push_back({.name = "a renamed local variable",
                  .file = "src/service.cc",
                  .changes = {{"      const Money total = unit_price(line) * line.quantity;\n"
                               "      result.lines.push_back({line.product, line.quantity, total});\n"
                               "      result.total += total;\n",
                               "      const Money sum_@ = unit_price(line) * line.quantity;\n"
                               "      result.lines.push_back({line.product, line.quantity, sum_@});\n"
                               "      result.total += sum_@;\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {},
                  .harmless = true});
  list.push_back({.name = "a new access under its lock",
                  .file = "src/statistics.cc",
                  .changes = {{"    largest_customer_ = customer;\n",
                               "    largest_customer_ = customer;\n"
                               "    if (largest_customer_.size() > 8@) largest_customer_.resize(8@);\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {}});
  list.push_back({.name = "a lock dropped",
                  .file = "src/service.cc",
                  .changes = {{"  std::lock_guard<std::mutex> guard(mutex_);\n  open_.erase(order.number);\n",
                               "  open_.erase(order.number);\n"}},
                  .rule = "data-race",
                  .also = {"assertion", "use-after-free", "double-free", "leak", "null-dereference", "invalid-free"},
                  .lines = {"  open_.erase(order.number);"}});
  list.push_back({.name = "a reader's lock for a writer",
                  .file = "src/price_cache.h",
                  .unit = "src/service.cc",
                  .changes = {{"    std::unique_lock<std::shared_mutex> guard(mutex_);\n",
                               "    std::shared_lock<std::shared_mutex> guard(mutex_);\n"
                               "    if (values_.size() > 1000@) return value;\n"}},
                  .rule = "data-race",
                  .also = {"assertion", "use-after-free", "double-free", "leak", "null-dereference", "invalid-free"},
                  .lines = {"    const auto [at, fresh] = values_.emplace(key, std::move(value));",
                            "    order_.push_back(key);"}});
  list.push_back({.name = "a task run under the pool's lock",
                  .file = "src/thread_pool.cc",
                  .changes = {{"    guard.unlock();\n    task();\n", "    task();\n"}},
                  .rule = "deadlock",
                  .also = {},
                  .lines = {}});
  list.push_back({.name = "a notification forgotten",
                  .file = "src/thread_pool.cc",
                  .changes = {{"  }\n  not_empty_.notify_all();\n", "  }\n"}},
                  .rule = "lost-signal",
                  .also = {},
                  .lines = {"    not_empty_.wait(guard, [this] { return closed_ || !tasks_.empty(); });"}});
  list.push_back({.name = "a refused order stays open",
                  .file = "src/service.cc",
                  .changes = {{"    finish(order, nullptr);\n    throw;\n", "    throw;\n"}},
                  .rule = "assertion",
                  .also = {},
                  .lines = {},
                  .elsewhere = "src/main.cc"});
  return example;
}

}  // namespace heddle::tour
