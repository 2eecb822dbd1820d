// Whether an answer is what an edit must get.
//
// In:      an edit, the text it produced, heddle's answer.
// Out:     one sentence per disagreement; none if all is well.
// Threads: pure functions.
#pragma once

#include "examples/tour/edits.h"
#include "examples/tour/session.h"

namespace heddle::tour {

std::vector<std::string> judge(const Edit& edit, const std::string& text, const Answer& answer);
std::vector<std::string> judge_clear(const Answer& answer);

// Findings that are there now (those reported as fixed are left out).
std::vector<nlohmann::json> open_findings(const Answer& answer);
// Of the same defect as another finding, which led to it.
bool follows_from_another(const nlohmann::json& finding);

}  // namespace heddle::tour
