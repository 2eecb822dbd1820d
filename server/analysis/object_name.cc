#include "server/analysis/object_name.h"

#include <algorithm>

#include "server/library/link_names.h"
#include "server/program/print.h"

namespace heddle::analysis {

std::string readable_object(const std::string& name) {
  const size_t end = std::min(name.find('@'), name.size());
  const std::string made_by = name.substr(0, end), behind = name.substr(end);
  if (library::is_operator_new(made_by)) return "new" + behind;
  if (library::is_operator_delete(made_by)) return "delete" + behind;
  if (made_by == "__cxa_allocate_exception") return "exception" + behind;
  const std::string readable = program::readable_name(made_by);
  return (behind.empty() ? readable : readable.substr(0, readable.find('('))) + behind;
}

}  // namespace heddle::analysis
