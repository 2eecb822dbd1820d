#include "client/report/report.h"

namespace heddle::client {

bool is_combined_verdict(const v1::Event& event) {
  return event.has_verdict() && event.target().empty() && event.verdict().step() != "step1";
}

bool is_introduced(const v1::Finding& finding) { return finding.state() == v1::FINDING_NEW && !finding.older(); }

void Report::event(const v1::Event& event) {
  if (is_combined_verdict(event)) verdict_ = event.verdict();
  show(event);
}

}  // namespace heddle::client
