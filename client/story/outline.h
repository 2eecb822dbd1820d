// An interleaving as people read it: one row for each line of the project that a thread executes, and the few rows that
// make the story.
//
// In:      the trace of a finding.
// Out:     rows in the order of the steps; each step belongs to one row. Rows of Detail::Story end at the finding and
//          are at most kStoryRows, unless the finding names more.
// Cost:    linear in the steps, but for kStoryRows walks back through them.
// Owns:    values; the rows outlive the finding.
// Threads: pure function.
// Fails:   never; no rows for a finding without interleaving.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

enum class Detail : uint8_t { Story = 1, Lines = 2, Everything = 3 };
inline constexpr size_t kStoryRows = 8;

struct OutlineRow {
  int first = 0, last = 0;        // steps, from 0
  int step = 0;                   // the one that stands for them: a place of the finding if there is one among them
  Detail detail = Detail::Lines;  // the least detail that shows it
  std::string action;             // what the thread does in this line
};

// The same for each step: the row that it belongs to, what that row says if the step stands for it, and the least
// detail that shows the step.
struct StepOutline {
  int row = 0;
  Detail detail = Detail::Everything;
  std::string summary;
};

std::vector<OutlineRow> outline_of(const v1::Finding& finding);
std::vector<StepOutline> steps_outlined(const v1::Finding& finding);
// The rows that a view of this detail shows; at Everything each step is a row.
std::vector<OutlineRow> rows_shown(const v1::Finding& finding, Detail detail);

}  // namespace heddle::client
