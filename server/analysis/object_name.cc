#include "server/analysis/object_name.h"

#include <algorithm>

#include "server/library/link_names.h"
#include "server/program/print.h"

namespace heddle::analysis {

std::string readable_object(const std::string& name) {
  const size_t end = std::min(name.find('@'), name.size());
  const std::string made_by = name.substr(0, end), suffix = name.substr(end);
  if (library::is_operator_new(made_by)) return "new" + suffix;
  if (library::is_operator_delete(made_by)) return "delete" + suffix;
  if (made_by == "__cxa_allocate_exception") return "exception" + suffix;
  const std::string readable = program::readable_name(made_by);
  return (suffix.empty() ? readable : readable.substr(0, readable.find('('))) + suffix;
}

namespace {

// "account.mutex_", not the field of the C library inside of it.
std::string without_library_fields(const std::string& name) {
  const size_t name_end = std::min(name.find('@'), name.size());
  return name.substr(0, std::min({name.find("._M_"), name.find(".__"), name.find("+", name_end)}));
}

// Written down in the project's text: not a table, a temporary or a block that the library's headers make.
bool is_of_project(const Facts& facts, const Object& object) {
  const program::Program& program = *facts.program;
  if (object.kind == ObjectKind::Function) return false;  // never written: it orders nothing
  if (object.global.valid()) {
    const program::Global& global = program.global(object.global);
    return global.in_project && !global.constant && !global.string_literal;
  }
  if (object.site.function.valid()) return program.function(object.site.function).in_project;
  return object.kind == ObjectKind::Unknown;
}

}  // namespace

std::optional<std::string> project_name(const Facts& facts, ObjectId id) {
  const Object* object = &facts.objects[id.value];
  const std::string name = without_library_fields(readable_object(object->name));
  while (object->whole.valid() && object->whole.value < facts.objects.size())
    object = &facts.objects[object->whole.value];
  const bool unnamed = name.find("::temporary") != name.npos || name.starts_with("vtable for ") ||
                       name.starts_with("_Z") || name.starts_with("std::") || name.starts_with("__");
  if (!is_of_project(facts, *object) || unnamed) return std::nullopt;
  return name;
}

std::vector<std::string> project_names(const Facts& facts, std::span<const ObjectId> objects) {
  std::vector<std::string> names;
  for (const ObjectId id : objects) {
    const auto name = project_name(facts, id);
    if (name && std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  }
  return names;
}

}  // namespace heddle::analysis
