// Generators of possible fixes, one file per idea. What they propose is tried before a user sees it, so that a
// generator may guess.
//
// In:      the situation of a finding.
// Out:     candidates, the most fitting first; they are added to `out`.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; a generator that has no idea adds nothing.
#pragma once

#include <vector>

#include "client/fix/situation.h"

namespace heddle::client::fix {

using Candidates = std::vector<Candidate>;

// guard_fixes.cc: who forgot the lock, or holds it for too short a time
void move_lock_up(const Situation& situation, Candidates& out);
void take_guard_of_others(const Situation& situation, Candidates& out);
void merge_critical_sections(const Situation& situation, Candidates& out);
void share_new_lock(const Situation& situation, Candidates& out);
void exclude_whole_threads(const Situation& situation, Candidates& out);
void take_as_writer(const Situation& situation, Candidates& out);
// atomic_fixes.cc
void make_atomic(const Situation& situation, Candidates& out);
void apply_remedy(const Situation& situation, Candidates& out);  // the orders that the engine has explored
void strengthen_memory_orders(const Situation& situation, Candidates& out);
// deadlock_fixes.cc
void exchange_lock_order(const Situation& situation, Candidates& out);
void take_both_at_once(const Situation& situation, Candidates& out);
void order_locks_by_address(const Situation& situation, Candidates& out);
void release_at_exits(const Situation& situation, Candidates& out);
void drop_second_acquisition(const Situation& situation, Candidates& out);
void drop_acquisition_here(const Situation& situation, Candidates& out);
void release_while_blocked(const Situation& situation, Candidates& out);
void give_back_at_exits(const Situation& situation, Candidates& out);
// wait_fixes.cc
void change_state_under_lock(const Situation& situation, Candidates& out);
void signal_after_change(const Situation& situation, Candidates& out);
void wake_all(const Situation& situation, Candidates& out);
void wait_in_loop(const Situation& situation, Candidates& out);
void post_at_exits(const Situation& situation, Candidates& out);
void correct_counts(const Situation& situation, Candidates& out);
// lifetime_fixes.cc: joins, initialisations and ends in another place
void move_after_join(const Situation& situation, Candidates& out);
void move_before_creation(const Situation& situation, Candidates& out);
void join_before_end(const Situation& situation, Candidates& out);
void wait_for_lock(const Situation& situation, Candidates& out);
void drop_misuse(const Situation& situation, Candidates& out);
void keep_alive(const Situation& situation, Candidates& out);
void one_thread_after_the_other(const Situation& situation, Candidates& out);
// value_fixes.cc: faults that one thread alone can have
void check_value(const Situation& situation, Candidates& out);
void exclude_equal_case(const Situation& situation, Candidates& out);
void make_larger(const Situation& situation, Candidates& out);
void initialise_value(const Situation& situation, Candidates& out);
void free_at_exits(const Situation& situation, Candidates& out);
// The statement happens only if the condition holds; where it is a return or a declaration, the function ends before.
void only_if(const Situation& situation, const Spot& spot, const std::string& condition, Candidates& out);
// library_fixes.cc: what calls of a library need
void initialise_for_library(const Situation& situation, Candidates& out);
void make_timed(const Situation& situation, Candidates& out);
void copy_overlapping(const Situation& situation, Candidates& out);
void check_container(const Situation& situation, Candidates& out);
void release_when_cancelled(const Situation& situation, Candidates& out);

}  // namespace heddle::client::fix
