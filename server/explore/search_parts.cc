#include "server/explore/search_parts.h"

#include <utility>

#include "server/explore/search_path.h"
#include "server/explore/stand.h"

namespace heddle::explore {

namespace {

bool has_alternative_left(const SavedNode& node) {
  return !node.begins && following(node.outcomes, node.alternative + 1) < node.alternatives;
}

}  // namespace

bool SearchParts::begin(const std::string& left) {
  *this = SearchParts();
  Work work;
  if (!left.empty()) {
    std::optional<Work> read_work = read(left);
    if (!read_work || read_work->search.own != 0 || read_work->search.ended) return false;
    work = std::move(*read_work);
  }
  wait(std::move(work));
  return true;
}

void SearchParts::wait(Work work) { waiting_.emplace(next_part_++, std::move(work)); }

std::optional<SearchParts::Work> SearchParts::read(const std::string& left) {
  const std::optional<Stand> stand = Stand::read(left);
  if (!stand) return std::nullopt;
  Work work;
  if (stand->kind == Stand::Kind::Begins)
    work.search = {};
  else if (stand->search.empty())
    work.search.ended = stand->kind == Stand::Kind::Ended;
  else if (!work.search.read(stand->search))
    return std::nullopt;
  if (stand->kind == Stand::Kind::Stands && work.search.nodes.empty()) return std::nullopt;
  Reader in(stand->exit_codes);
  ExitCodes codes;
  if (!codes.restore(in)) return std::nullopt;
  exit_codes_.add(codes);
  if (rest_.empty() || stand->kind == Stand::Kind::Begins) rest_ = stand->rest;
  return work;
}

std::string SearchParts::bytes_of(const Work& work) const {
  if (rest_.empty()) return {};
  Stand stand;
  stand.kind = work.search.nodes.empty() ? Stand::Kind::Begins : Stand::Kind::Stands;
  if (!work.search.nodes.empty()) {
    SavedSearch search = work.search;
    search.statistics = search.begun = {};
    for (size_t n = 0; n < search.own; ++n) {
      search.nodes[n].others = assigned_.at(work.shared[n]);
      search.nodes[n].backtrack = search.nodes[n].others;
    }
    stand.search = search.bytes();
  }
  Writer codes;
  exit_codes_.save(codes);
  stand.exit_codes = codes.bytes();
  stand.rest = rest_;
  return stand.bytes();
}

std::optional<SearchParts::Part> SearchParts::take() {
  auto largest = waiting_.begin();
  if (largest == waiting_.end()) return std::nullopt;
  for (auto at = waiting_.begin(); at != waiting_.end(); ++at)
    if (at->second.search.own < largest->second.search.own) largest = at;
  Part part{largest->first, bytes_of(largest->second)};
  out_.insert(waiting_.extract(largest));
  return part;
}

void SearchParts::lost(uint64_t number) {
  if (const auto at = out_.find(number); at != out_.end()) waiting_.insert(out_.extract(at));
}

bool SearchParts::returned(uint64_t number, const std::string& left) {
  auto at = out_.find(number);
  if (at == out_.end() && (at = waiting_.find(number)) == waiting_.end()) return true;  // it came back before
  std::optional<Work> work = read(left);
  if (!work) return false;
  const Work& given = at->second;
  const bool anew = work->search.nodes.empty() && !work->search.ended;
  if (!anew && work->search.own != given.search.own) return false;
  if (!anew) work->shared = given.shared;
  out_.erase(number);
  waiting_.erase(number);
  if (anew) {  // by source sets: what was divided is of no use any more
    assigned_.clear();
    waiting_.clear();
    out_.clear();
  } else {
    merge(*work);
  }
  if (!work->search.ended) wait(std::move(*work));
  drop_unused();
  return true;
}

// What the part's races want to be tried at the choices that it shares becomes parts of their own.
void SearchParts::merge(Work& work) {
  for (size_t n = 0; n < work.search.own; ++n) merge(work, n);
}

void SearchParts::merge(Work& work, size_t n) {
  SavedSearch& search = work.search;
  SavedNode& node = search.nodes[n];
  const uint32_t current = n + 1 == search.own ? node.current : kThreadsMax;  // its guides stay
  Sequences fresh, guides;
  search.trees.for_each_sequence(search.wakeup[n], [&](const std::vector<WakeupStep>& sequence) {
    if (sequence.front().thread == current)
      guides.push_back(sequence);
    else
      fresh.push_back(sequence);
  });
  search.wakeup[n] = WakeupTrees::kEmpty;
  for (const auto& sequence : guides) search.trees.insert(search.wakeup[n], sequence);
  // Each thread with all that begins with it, in the order in which they came.
  const ThreadSet possible = node.enabled - node.sleep;
  while (!fresh.empty()) {
    const uint32_t thread = fresh.front().front().thread;
    const ThreadSet assigned = assigned_.at(work.shared[n]);
    Sequences same, others;
    for (auto& sequence : fresh) {
      if (begins_with_one_of(assigned, sequence)) continue;
      (sequence.front().thread == thread ? same : others).push_back(std::move(sequence));
    }
    fresh = std::move(others);
    if (!same.empty() && possible.has(thread)) assign(work, n, thread, same);
  }
  for_each((node.backtrack & possible) - assigned_.at(work.shared[n]),
           [&](uint32_t thread) { assign(work, n, thread, {}); });
}

// A part that tries the thread at this choice, after all that are tried there already.
void SearchParts::assign(const Work& work, size_t n, uint32_t thread, const Sequences& guides) {
  ThreadSet& assigned = assigned_.at(work.shared[n]);
  Work part;
  part.search.nodes.assign(work.search.nodes.begin(), work.search.nodes.begin() + static_cast<ptrdiff_t>(n + 1));
  part.search.wakeup.assign(n + 1, WakeupTrees::kEmpty);
  part.shared.assign(work.shared.begin(), work.shared.begin() + static_cast<ptrdiff_t>(n + 1));
  part.search.own = n + 1;
  SavedNode& node = part.search.nodes.back();
  node.done = assigned;
  node.current = thread;
  node.begins = true;
  node.forced = false;
  for (const auto& sequence : guides) part.search.trees.insert(part.search.wakeup.back(), sequence);
  assigned.add(thread);
  wait(std::move(part));
}

void SearchParts::divide(size_t wanted) {
  while (waiting_.size() < wanted) {
    auto largest = waiting_.end();
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      if (at->second.search.own >= at->second.search.nodes.size()) continue;
      if (largest == waiting_.end() || at->second.search.own < largest->second.search.own) largest = at;
    }
    if (largest == waiting_.end()) break;
    share_first(largest->second);
  }
  drop_unused();
}

// The first of its own choices becomes one that parts share: each thread that is left there is a part.
void SearchParts::share_first(Work& work) {
  SavedSearch& search = work.search;
  const size_t n = search.own;
  if (n > 0 && has_alternative_left(search.nodes[n - 1])) {
    Work part;
    part.search.nodes.assign(search.nodes.begin(), search.nodes.begin() + static_cast<ptrdiff_t>(n));
    part.search.wakeup.assign(n, WakeupTrees::kEmpty);
    part.search.own = n;
    part.shared = work.shared;
    SavedNode& node = part.search.nodes.back();
    node.alternative = following(node.outcomes, node.alternative + 1);
    search.trees.for_each_sequence(search.wakeup[n - 1], [&](const std::vector<WakeupStep>& sequence) {
      part.search.trees.insert(part.search.wakeup.back(), sequence);
    });
    wait(std::move(part));
  }
  if (n > 0) search.wakeup[n - 1] = WakeupTrees::kEmpty;
  SavedNode& node = search.nodes[n];
  const uint64_t key = next_choice_++;
  ThreadSet& assigned = assigned_[key];
  assigned = node.done;
  assigned.add(node.current);
  work.shared.push_back(key);
  search.own = n + 1;
  merge(work, n);
}

void SearchParts::drop_unused() {
  std::map<uint64_t, ThreadSet> used;
  for (const auto* works : {&waiting_, &out_})
    for (const auto& [number, work] : *works)
      for (const uint64_t key : work.shared) used[key] = assigned_.at(key);
  assigned_ = std::move(used);
}

std::optional<detect::Finding> SearchParts::exit_code_differs() { return exit_codes_.differ(); }

std::string SearchParts::save() const {
  Writer out;
  out.value(kFormat);
  out.value(next_choice_);
  out.text(rest_);
  Writer codes;
  exit_codes_.save(codes);
  out.text(codes.bytes());
  out.value(static_cast<uint64_t>(assigned_.size()));
  for (const auto& [key, threads] : assigned_) {
    out.value(key);
    out.value(threads);
  }
  out.value(static_cast<uint64_t>(waiting_.size() + out_.size()));
  for (const auto* works : {&waiting_, &out_})
    for (const auto& [number, work] : *works) {
      out.values(work.shared);
      out.text(work.search.nodes.empty() ? std::string() : work.search.bytes());
    }
  return out.bytes();
}

bool SearchParts::restore(const std::string& bytes) {
  Reader in(bytes);
  *this = SearchParts();
  if (in.value<uint64_t>() != kFormat) return false;
  next_choice_ = in.value<uint64_t>();
  rest_ = in.text();
  const std::string codes = in.text();
  Reader codes_in(codes);
  if (!exit_codes_.restore(codes_in)) return false;
  for (auto left = in.value<uint64_t>(); in.good() && left > 0; --left) {
    const auto key = in.value<uint64_t>();
    assigned_[key] = in.value<ThreadSet>();
  }
  for (auto left = in.value<uint64_t>(); in.good() && left > 0; --left) {
    Work work;
    work.shared = in.values<uint64_t>();
    const std::string search = in.text();
    if (!search.empty() && !work.search.read(search)) return false;
    if (work.shared.size() != work.search.own) return false;
    for (const uint64_t key : work.shared)
      if (!assigned_.contains(key)) return false;
    wait(std::move(work));
  }
  return in.good();
}

}  // namespace heddle::explore
