// Divides a search by executions into parts that run at once, in any processes, and keeps account of what is left.
//
// In:      where a search with Task::slice stood (Result::left); the same of each part that ran, ended or not.
// Out:     parts: bytes for Task::resume. Together they explore what the search would have: each execution once.
// Cost:    per part taken or returned: linear in its path, and in what it adds to the choices that it shares.
// Owns:    the choices that several parts share, and the parts that have not ended.
// Threads: one at a time. A part may run anywhere.
// Fails:   by value: begin(), restore() and returned() say whether the bytes are of such a search. What comes back for
//          a part that came back before is not looked at.
// From:    Abdulla, Aronsson, Jonsson, Sagonas 2014; Simsa, Bryant, Gibson, Hickey 2012 (choices that parts share).
//          docs/ALGORITHM.md, "In parts", says why nothing is lost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/explore/exit_codes.h"
#include "server/explore/saved_search.h"

namespace heddle::explore {

class SearchParts {
 public:
  struct Part {
    uint64_t number = 0;
    std::string bytes;  // for Task::resume; empty: the search from its beginning
  };

  // The only part that is left is the rest of this search; empty: all of it.
  bool begin(const std::string& left);
  // Divides parts until this number of them waits, or none can be divided.
  void divide(size_t wanted);
  size_t waiting() const { return waiting_.size(); }
  bool over() const { return waiting_.empty() && out_.empty(); }

  // The largest, as far as is known; none waits: nothing.
  std::optional<Part> take();
  // `left`: Result::left, also of a part that ended.
  bool returned(uint64_t number, const std::string& left);
  // It did not come back: it waits again.
  void lost(uint64_t number);

  // The search ends in different ways, and no part has seen both.
  std::optional<detect::Finding> exit_code_differs();

  std::string save() const;  // parts that are out wait in it
  bool restore(const std::string& bytes);

 private:
  struct Work {
    SavedSearch search;            // without nodes: from the beginning
    std::vector<uint64_t> shared;  // of each node before search.own its key in assigned_
  };
  static constexpr uint64_t kFormat = 0x70617274'00000001;  // unlike Stand::kFormat
  using Sequences = std::vector<std::vector<WakeupStep>>;

  void wait(Work work);
  std::string bytes_of(const Work& work) const;
  std::optional<Work> read(const std::string& left);
  void merge(Work& work);
  void merge(Work& work, size_t node);
  void share_first(Work& work);
  void assign(const Work& work, size_t node, uint32_t thread, const Sequences& guides);
  void drop_unused();

  std::map<uint64_t, ThreadSet> assigned_;  // of each choice that parts share: threads that some part tries
  std::map<uint64_t, Work> waiting_, out_;
  uint64_t next_part_ = 0, next_choice_ = 0;
  std::string rest_;  // of Task::resume: the same for all parts
  ExitCodes exit_codes_;
};

}  // namespace heddle::explore
