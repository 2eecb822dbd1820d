#include "server/library/function.h"

#include <algorithm>
#include <set>

#include "server/library/tables.h"

namespace heddle::library {

const std::vector<Function>& all_functions() {
  static const std::vector<Function> rows = [] {
    std::vector<Function> all;
    for (const std::span<const Function> table :
         {atomic_functions(), complex_functions(), ctype_functions(), cxx_functions(), math_functions(),
          pthread_functions(), signal_functions(), stdio_functions(), stdlib_functions(), string_functions(),
          system_functions(), threads_functions(), time_functions(), unistd_functions(), verifier_functions(),
          wchar_functions()})
      all.insert(all.end(), table.begin(), table.end());
    std::sort(all.begin(), all.end(), [](const Function& x, const Function& y) { return x.name < y.name; });
    return all;
  }();
  return rows;
}

const Function& filling_function() {
  static constexpr Function kRow{"a function that fills memory", Operation, writes((1u << kFilledArguments) - 1)};
  return kRow;
}

const Function* find_row(std::string_view name) {
  const std::vector<Function>& rows = all_functions();
  const auto at = std::lower_bound(rows.begin(), rows.end(), name,
                                   [](const Function& row, std::string_view key) { return row.name < key; });
  return at != rows.end() && at->name == name ? &*at : nullptr;
}

const Function* find_function(std::string_view name) {
  const Function* row = find_row(name);
  if (row == nullptr && name.starts_with(kModelOf)) row = find_row(name.substr(kModelOf.size()));
  return row != nullptr && row->known ? row : nullptr;
}

bool is_own_state(std::string_view name) {
  static const std::set<std::string_view> names = [] {
    std::set<std::string_view> all;
    for (const Function& row : all_functions())
      if (!row.own_state.empty()) all.insert(row.own_state);
    return all;
  }();
  return names.contains(name);
}

}  // namespace heddle::library
