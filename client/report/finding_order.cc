#include "client/report/finding_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "client/report/report.h"

namespace heddle::client {

bool is_below_another(const v1::Finding& finding) {
  return finding.follows_from_size() > 0 || (!finding.group().empty() && finding.group() != finding.id());
}

const std::string& defect_of(const v1::Finding& finding) {
  if (!finding.group().empty()) return finding.group();
  return finding.follows_from_size() > 0 ? finding.follows_from(0) : finding.id();
}

bool counts(const v1::Finding& finding) {
  return !finding.has_suppressed() && finding.state() != v1::FINDING_FIXED &&
         finding.state() != v1::FINDING_NOT_CONFIRMED;
}

std::vector<v1::Finding> in_order(std::vector<v1::Finding> findings) {
  std::map<std::string, size_t> defects;  // in the order in which they were heard
  std::map<std::string, bool> introduced;
  for (const v1::Finding& finding : findings) {
    defects.try_emplace(defect_of(finding), defects.size());
    if (finding.id() == defect_of(finding)) introduced[finding.id()] = is_introduced(finding);
  }
  const auto rank = [&](const v1::Finding& finding) {
    const std::string& defect = defect_of(finding);
    return std::tuple(!counts(finding), !introduced[defect], defects[defect], is_below_another(finding),
                      finding.follows_from_size() > 0);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const v1::Finding& a, const v1::Finding& b) { return rank(a) < rank(b); });
  return findings;
}

}  // namespace heddle::client
