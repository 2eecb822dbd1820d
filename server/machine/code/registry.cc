#include "server/machine/code/registry.h"

#include <algorithm>

#include "server/library/function.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {

Callee find_callee(std::string_view name, const Visibility& visibility) {
  if (const VisibleRow* row = (visibility.shared & library::kFiles) != 0 ? find_file_call(name) : nullptr)
    return {Callee::Kind::Visible, 0, nullptr, row};
  if (const VisibleRow* row = visibility.cancels ? find_cancellation_point(name) : nullptr)
    return {Callee::Kind::Visible, 0, nullptr, row};
  if (const VisibleRow* row = visibility.interrupts ? find_sleep(name) : nullptr)
    return {Callee::Kind::Visible, 0, nullptr, row};
  if (const VisibleRow* row =
          (visibility.shared & library::kExitHandlers) != 0 ? find_exit_registration(name) : nullptr)
    return {Callee::Kind::Visible, 0, nullptr, row};
  if (const VisibleRow* row = find_state_call(name, visibility.shared)) return {Callee::Kind::Visible, 0, nullptr, row};
  if (const VisibleRow* row = find_visible(name)) return {Callee::Kind::Visible, 0, nullptr, row};
  for (const std::span<const BuiltinRow> rows :
       {thread_builtins(), attribute_builtins(), property_builtins(), mutex_builtins(), atomic_builtins(),
        cancel_builtins(), jump_builtins(), exception_builtins(), new_builtins(), signal_builtins(), timer_builtins(),
        outside_builtins()})
    for (const BuiltinRow& row : rows)
      if (row.name == name) return {Callee::Kind::Builtin, 0, row.run, nullptr};
  const std::span<const BuiltinRow> rows = library_builtins();
  const auto found = std::lower_bound(rows.begin(), rows.end(), name,
                                      [](const BuiltinRow& row, std::string_view key) { return row.name < key; });
  if (found != rows.end() && found->name == name) return {Callee::Kind::Builtin, 0, found->run, nullptr};
  if (name.starts_with(library::kModelOf)) return find_callee(name.substr(library::kModelOf.size()), visibility);
  return {};
}

Callee without_scheduling_point(const Callee& callee) {
  if (callee.kind != Callee::Kind::Visible) return callee;
  const bool where_shared = callee.visible->object <= kFileObject;
  return where_shared ? find_callee(callee.visible->name) : callee;
}

const DataRow* find_data_row(std::string_view name) {
  for (const std::span<const DataRow> rows : {library_data(), type_info_data()})
    for (const DataRow& row : rows)
      if (row.name == name) return &row;
  return nullptr;
}

}  // namespace heddle::machine
