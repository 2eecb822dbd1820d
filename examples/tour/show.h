// Answers as text for people: what changed, which pairs, the first finding with its interleaving.
#pragma once

#include <iosfwd>

#include "examples/tour/session.h"

namespace heddle::tour {

// The changed lines, as a diff shows them.
void show_change(std::ostream& out, const std::string& before, const std::string& after);
// One line: verdict, times, amount of work.
void show_verdict(std::ostream& out, const Answer& answer);
void show_impact(std::ostream& out, const Answer& answer);
void show_findings(std::ostream& out, const Answer& answer);

}  // namespace heddle::tour
