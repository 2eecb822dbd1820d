#include "server/analysis/object_name.h"

#include <algorithm>

#include "server/program/print.h"

namespace heddle::analysis {

std::string readable_object(const std::string& name) {
  const size_t end = std::min(name.find('@'), name.size());
  const std::string made_by = name.substr(0, end), behind = name.substr(end);
  if (made_by.starts_with("_Znw") || made_by.starts_with("_Zna")) return "new" + behind;
  if (made_by.starts_with("_Zdl") || made_by.starts_with("_Zda")) return "delete" + behind;
  if (made_by == "__cxa_allocate_exception") return "exception" + behind;
  const std::string readable = program::readable_name(made_by);
  return (behind.empty() ? readable : readable.substr(0, readable.find('('))) + behind;
}

}  // namespace heddle::analysis
