#include "client/fix/candidates.h"

#include <set>
#include <string_view>

#include "client/fix/generators.h"

namespace heddle::client::fix {
namespace {

using Generator = void (*)(const Situation&, Candidates&);

struct Row {
  std::string_view rule;
  std::vector<Generator> generators;
};

const std::vector<Row>& table() {
  static const std::vector<Row> kTable = {
      {"data-race",
       {move_lock_up, take_guard_of_others, take_as_writer, wait_for_lock, strengthen_memory_orders, move_after_join,
        move_before_creation, make_atomic, share_new_lock, correct_counts, keep_alive, join_before_end, drop_misuse}},
      {"deadlock",
       {exchange_lock_order, take_both_at_once, order_locks_by_address, drop_second_acquisition, release_at_exits,
        drop_acquisition_here, release_while_blocked, signal_after_change, post_at_exits, correct_counts, wake_all,
        give_back_at_exits, release_when_cancelled, drop_misuse}},
      {"lost-signal",
       {change_state_under_lock, signal_after_change, wait_in_loop, wake_all, release_at_exits, post_at_exits}},
      {"livelock",
       {give_back_at_exits, release_while_blocked, drop_second_acquisition, drop_acquisition_here, exchange_lock_order,
        release_at_exits, move_before_creation, signal_after_change, strengthen_memory_orders}},
      {"assertion",
       {merge_critical_sections, strengthen_memory_orders, move_after_join, share_new_lock, wait_in_loop, make_atomic,
        check_container, exclude_equal_case, signal_after_change, exclude_whole_threads, move_before_creation,
        keep_alive, join_before_end, one_thread_after_the_other}},
      {"use-after-free",
       {move_after_join, keep_alive, join_before_end, merge_critical_sections, share_new_lock, drop_misuse}},
      {"lock-misuse",
       {make_timed, initialise_for_library, wait_for_lock, move_before_creation, move_after_join, drop_misuse,
        wait_in_loop, keep_alive}},
      {"thread-misuse", {drop_misuse, join_before_end}},
      {"thread-leak", {join_before_end, release_at_exits, exchange_lock_order}},
      {"out-of-bounds",
       {copy_overlapping, merge_critical_sections, check_value, make_larger, share_new_lock, exclude_whole_threads,
        one_thread_after_the_other}},
      {"null-dereference",
       {move_before_creation, merge_critical_sections, check_value, share_new_lock, exclude_whole_threads,
        one_thread_after_the_other}},
      {"division-by-zero", {merge_critical_sections, share_new_lock, check_value, exclude_whole_threads}},
      {"trap", {check_value}},
      {"double-free", {merge_critical_sections, share_new_lock, drop_misuse, move_after_join}},
      {"invalid-free", {drop_misuse}},
      {"uninitialised-read", {initialise_for_library, initialise_value, move_before_creation}},
      {"leak", {free_at_exits, drop_misuse}},
      {"wild-pointer", {keep_alive, move_before_creation}},
      {"abort",
       {merge_critical_sections, check_container, share_new_lock, move_after_join, join_before_end,
        exclude_whole_threads, one_thread_after_the_other}},
      {"uncaught-exception",
       {merge_critical_sections, share_new_lock, move_after_join, exclude_whole_threads, one_thread_after_the_other}},
  };
  return kTable;
}

// The texts that it leads to, for comparison.
std::string key_of(const Candidate& candidate) {
  std::string key;
  for (const auto& [path, edits] : candidate.edits) {
    key += path + "\n";
    for (const Replacement& edit : edits)
      key += std::to_string(edit.begin) + "-" + std::to_string(edit.removed) + ":" + edit.text + "\n";
  }
  return key;
}

}  // namespace

std::vector<Candidate> candidates_for(const Situation& situation) {
  Candidates all;
  apply_remedy(situation, all);
  for (const Row& row : table())
    if (row.rule == situation.rule())
      for (const Generator generate : row.generators) generate(situation, all);
  std::set<std::string> keys;
  std::vector<Candidate> out;
  for (Candidate& candidate : all)
    if (keys.insert(key_of(candidate)).second) out.push_back(std::move(candidate));
  return out;
}

}  // namespace heddle::client::fix
