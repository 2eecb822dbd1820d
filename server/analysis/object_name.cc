#include "server/analysis/object_name.h"

#include <algorithm>

#include "server/library/link_names.h"
#include "server/program/block_type.h"
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

ObjectId whole_of(const Facts& facts, ObjectId id) {
  while (facts.objects[id.value].whole.valid()) id = facts.objects[id.value].whole;
  return id;
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

// Who asked for the block: the only call of a function that hands it on, else the allocation itself.
CodeAddress asked_at(const Facts& facts, CodeAddress site) {
  if (!program::is_handed_on(*facts.program, site)) return site;
  CodeAddress only;
  for (const auto& [call, called] : facts.callees) {
    if (std::find(called.begin(), called.end(), site.function) == called.end()) continue;
    if (only.function.valid()) return site;
    only = call;
  }
  return only.function.valid() ? only : site;
}

// ".len"; empty where the object is the whole block, or no field.
std::string field_of(const Facts& facts, ObjectId id, ObjectId whole, const program::BlockType& block) {
  if (id == whole || whole.value >= facts.sub_objects.size()) return "";
  for (const Facts::SubObject& part : facts.sub_objects[whole.value])
    if (part.object == id) return program::block_path(block, 0, part.begin, part.end - part.begin);
  return "";
}

// "conn.len allocated at b.c:4", as findings say it; "memory allocated at b.c:4" without a type.
std::string heap_name(const Facts& facts, ObjectId id, ObjectId whole) {
  const CodeAddress at = asked_at(facts, facts.objects[whole.value].site);
  const std::string file = facts.program->file_of(at);
  const std::string place =
      " allocated at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(facts.program->place(at).line);
  const program::BlockType block = program::block_type(*facts.program, at);
  const std::string type = program::block_type_name(block);
  return (type.empty() ? "memory" : type + field_of(facts, id, whole, block)) + place;
}

}  // namespace

std::optional<std::string> project_name(const Facts& facts, ObjectId id) {
  const ObjectId whole = whole_of(facts, id);
  const Object& object = facts.objects[whole.value];
  if (!is_of_project(facts, object)) return std::nullopt;
  if (object.kind == ObjectKind::Heap && !object.name.starts_with("__cxa_")) return heap_name(facts, id, whole);
  const std::string name = without_library_fields(readable_object(facts.objects[id.value].name));
  const bool unnamed = name.find("::temporary") != name.npos || name.starts_with("vtable for ") ||
                       name.starts_with("_Z") || name.starts_with("std::") || name.starts_with("__");
  return unnamed ? std::nullopt : std::optional(name);
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
