// How the executions of a search ended: with exit code 0 or another one.
//
// In:      the machine at the end of each execution, and the schedule that led there.
// Out:     a finding, once an execution that succeeds and one that fails were met with the same inputs.
// Cost:    a look at the path's events until both were met; for programs with unknown inputs, on at most 400 paths.
// Owns:    one end of each kind for each choice of inputs.
// Threads: the search's.
// Fails:   never. It may miss a finding in programs with very many inputs; it never invents one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "server/detect/exit_code.h"
#include "server/explore/explore.h"
#include "server/explore/saved.h"

namespace heddle::explore {

class ExitCodes {
 public:
  // The schedule is asked for only if the end is a new one.
  std::optional<detect::Finding> ended(const machine::Machine& machine,
                                       const std::function<detect::Schedule()>& schedule);
  // The inputs of an end that fails while none that succeeds is known; none: there is no such end.
  std::optional<std::string> only_fails_with() const;
  // Found outside of the search, with the same inputs.
  std::optional<detect::Finding> succeeds(const std::string& inputs, const detect::ProcessEnd& end);

  // What another part of the search has met, too.
  void add(const ExitCodes& other);
  // Each part met only one kind of end, but together they met both.
  std::optional<detect::Finding> differ();

  void save(Writer& out) const;
  bool restore(Reader& in);

 private:
  static constexpr uint64_t kPathsWithInputsMost = 400;
  struct Ends {
    std::optional<detect::ProcessEnd> fails, succeeds;
  };
  std::map<std::string, Ends> ends_;  // by the inputs
  uint64_t paths_ = 0, paths_with_inputs_ = 0;
  bool reported_ = false;
};

// Follows orders of a machine's threads until an execution with these inputs succeeds; none: not met.
std::optional<detect::ProcessEnd> find_success(const machine::ImagePtr& image, const Task& task,
                                               const std::string& inputs);

}  // namespace heddle::explore
