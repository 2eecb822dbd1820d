// Names of memory for people: variables with their fields, heap blocks with the place that made them.
#include "server/machine/code/registry.h"
#include "server/machine/memory/block_type.h"
#include "server/machine/state.h"
#include "server/program/print.h"

namespace heddle::machine {

using program::BlockType;
using program::CodeAddress;
using program::FunctionId;
using program::GlobalId;
using program::TypeId;

namespace {

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

const program::StackObject* declaration_of(const Image& image, const Object& o) {
  if (o.declaration == 0xffff) return nullptr;
  const CodeAddress at = image.address(o.made_at);
  if (!at.function.valid()) return nullptr;
  const auto& objects = image.program->function(at.function).stack_objects;
  return o.declaration < objects.size() ? &objects[o.declaration] : nullptr;
}

std::string place_text(const Image& image, uint32_t pc) {
  const CodeAddress at = image.address(pc);
  if (!at.function.valid()) return "?";
  return base_name(image.program->file_of(at)) + ":" + std::to_string(image.program->place(at).line);
}

// `user`: the call in the project, if library code or a wrapper of malloc made it.
BlockType type_of_block(const Image& image, const Object& o, uint32_t user) {
  for (const uint32_t pc : {o.made_at, user})
    if (const BlockType found = pc == 0 ? BlockType{} : block_type(image, pc); !block_type_name(found).empty())
      return found;
  return {};
}

// "malloc@server.c:14" for a block, by the call that made it.
std::string heap_name(const Image& image, const Object& o, uint32_t user) {
  std::string function = o.allocated_by == AllocatedBy::Malloc ? "malloc" : "new";
  const CodeAddress at = image.address(o.made_at);
  if (o.allocated_by == AllocatedBy::Malloc && at.function.valid()) {
    const program::Instruction& i = image.program->instruction(at);
    if (i.op == program::Opcode::Call) {
      const program::Binding binding = image.program->binding(at.function, program::SymbolId(i.a));
      if (binding.kind == program::BindingKind::External) function = image.program->externals()[binding.id].name;
      if (function == "heddle.mmap") function = "mmap";
    }
  }
  return function + "@" + place_text(image, user != 0 ? user : o.made_at);
}

// "{conn}"
std::string braced_type(const BlockType& block) {
  const std::string type = block_type_name(block);
  return type.empty() ? "" : "{" + type + "}";
}

// "{conn}.out.len", "{conn}[2].lock", "{conn}+9", "+9"
std::string part_of_block(const BlockType& block, const Object& o, uint64_t offset, uint32_t size) {
  const std::string path = block_path(block, o.full_size, offset, size == 0 ? 1 : size);
  const std::string part = path.empty() && offset != 0 ? "+" + std::to_string(offset) : path;
  return braced_type(block) + part;
}

constexpr std::string_view kAllocated = "alloca()";           // a call of the function
constexpr std::string_view kSettingsOf = "the settings of ";  // of a standard stream

std::string object_name(const Image& image, const Object& o, uint32_t user = 0) {
  switch (o.kind) {
    case ObjectKindHost::Global:
    case ObjectKindHost::Constant:
    case ObjectKindHost::ThreadLocal: {
      const program::Global& global = image.program->global(GlobalId(o.made_at));
      for (const StandardStream& stream : image.standard_streams)
        if (stream.global == o.made_at) return std::string(kSettingsOf) + std::string(stream.name);
      if (global.display_name.starts_with("_ZGV")) return program::readable_name(global.display_name);
      return global.string_literal ? "a string literal" : global.display_name;
    }
    case ObjectKindHost::Function: return image.program->function(FunctionId(o.made_at)).display_name;
    case ObjectKindHost::External: return image.program->externals()[o.made_at].name;
    case ObjectKindHost::Heap: return heap_name(image, o, user);
    case ObjectKindHost::Stack: {
      const program::StackObject* declared = declaration_of(image, o);
      if (declared == nullptr) return "variadic arguments";
      if (declared->name.empty()) return "a temporary";
      if (declared->name == kAllocated) return "alloca@" + place_text(image, o.made_at);  // named as blocks are
      return declared->name;
    }
    case ObjectKindHost::Hidden: return "memory of the library";
    case ObjectKindHost::None: break;
  }
  return "no object";
}

}  // namespace

TypeId Machine::State::type_at(Pointer at, const program::Unit** unit, uint64_t* offset) const {
  const Object& o = *memory_.find(at.bits);
  *offset = at.offset();
  *unit = nullptr;
  switch (o.kind) {
    case ObjectKindHost::Global:
    case ObjectKindHost::Constant:
    case ObjectKindHost::ThreadLocal:
      *unit = &image_->program->unit(image_->program->unit_of(GlobalId(o.made_at)));
      return image_->program->global(GlobalId(o.made_at)).type;
    case ObjectKindHost::Stack: {
      const program::StackObject* declared = declaration_of(*image_, o);
      if (declared == nullptr) return {};
      *unit = &image_->program->unit(image_->program->unit_of(image_->address(o.made_at).function));
      return declared->type;
    }
    default: return {};
  }
}

TypeId Machine::State::part_type(const program::Unit* unit, TypeId whole, uint64_t offset, uint64_t size) const {
  TypeId at = whole;
  while (unit != nullptr && at.valid() && at.value < unit->types.size()) {
    const program::Type& type = unit->types[at.value];
    if (type.kind == program::TypeKind::Array && type.element.valid() && type.element.value < unit->types.size()) {
      const uint64_t step = unit->types[type.element.value].size;
      if (step == 0) return {};
      if (type.size == size && offset == 0) return at;
      offset %= step;
      at = type.element;
      continue;
    }
    if (type.kind == program::TypeKind::Record || type.kind == program::TypeKind::Union) {
      const program::Type::Field* inside = nullptr;
      for (const program::Type::Field& field : type.fields) {
        if (!field.type.valid() || field.type.value >= unit->types.size()) continue;
        const uint64_t bytes = unit->types[field.type.value].size;
        if (offset >= field.offset && offset + size <= field.offset + bytes && inside == nullptr) inside = &field;
      }
      if (inside == nullptr) return offset == 0 && size == type.size ? at : TypeId{};
      offset -= inside->offset;
      at = inside->type;
      continue;
    }
    return offset == 0 && type.size == size ? at : TypeId{};
  }
  return {};
}

std::string Machine::State::hidden_name(uint32_t object) const {
  constexpr std::string_view kSemaphore = "heddle.semaphore ";
  for (const auto& [name, number] : process_objects_) {
    if (number != object) continue;
    if (!library::variable_of(name).empty()) return name;
    if (name.starts_with(kVariableText))
      return "environment variable " + name.substr(kVariableText.size(), name.find('=') - kVariableText.size());
    if (name == kSignalActions.name) return "the signals of the process";
    if (name == kFileCells.name) return "the files";
    if (name == kGeneratorState.name) return "the random numbers";
    if (name == kKeyTable.name) return "the keys of thread-specific values";
    if (name == kThreadNameTable.name) return "the names of threads";
    if (name == kExitList.name || name == kQuickExitList.name) return "the exit handlers";
    if (name.starts_with(kSemaphore)) return name.substr(kSemaphore.size(), name.find('#') - kSemaphore.size());
  }
  for (const auto& [name, place] : thread_objects_)
    for (uint32_t id = 0; id < threads_.limit() && library::is_own_state(name); ++id)
      if (threads_[id]->thread_locals[image_->program->global_count() + place] >> 32 == object) return name;
  return "memory of the library";
}

namespace {

// Of a variable of the library's guest text; empty for others.
std::string words_of_library(const Image& image, const Object& o, uint64_t offset) {
  if (o.kind != ObjectKindHost::Global) return "";
  const program::Global& global = image.program->global(GlobalId(o.made_at));
  if (global.in_project) return "";
  const std::string& name = global.display_name;
  constexpr uint64_t kMutexBytes = 40;  // the only array is one of locks
  return std::string(library::words_of_variable(name.substr(name.rfind(':') + 1), offset / kMutexBytes));
}

}  // namespace

std::string Machine::State::name_of(Pointer at, uint32_t size) const {
  if (at.bits == 0) return "null";
  const Object& o = *memory_.find(at.bits);
  const program::Unit* unit = nullptr;
  uint64_t offset = 0;
  const TypeId type = type_at(at, &unit, &offset);
  if (o.kind == ObjectKindHost::Hidden) return hidden_name(at.object());
  if (std::string words = words_of_library(*image_, o, at.offset()); !words.empty()) return words;
  std::string name = object_name(*image_, o, heap_sites_.of(at.object()).made);
  if (name.starts_with(kSettingsOf)) return name;
  if (o.kind == ObjectKindHost::Heap)
    return name + "#" + std::to_string(at.object() - first_heap_object(0)) +
           part_of_block(type_of_block(*image_, o, heap_sites_.of(at.object()).made), o, at.offset(), size);
  std::string path;
  if (unit != nullptr && type.valid()) path = program::access_path(*unit, type, offset, size == 0 ? 1 : size);
  if (const size_t inner = path.find(".__"); inner != std::string::npos)
    return name + path.substr(0, inner);  // inside a pthread object
  if (!path.empty()) return name + path;
  const bool of_library = unit != nullptr && type.valid() && type.value < unit->types.size() &&
                          unit->types[type.value].name.find("std::") != std::string::npos;
  if (offset != 0 && of_library) return name;  // inside of a stream, say
  if (offset != 0) return name + "+" + std::to_string(offset);
  return name;
}

std::string Machine::State::subject_of(Pointer at, uint32_t size) const {
  const Object& o = *memory_.find(at.bits);
  // Heap blocks by function, not by line: lines move.
  if (o.kind == ObjectKindHost::Heap) {
    const uint32_t user = heap_sites_.of(at.object()).made;
    const CodeAddress made = image_->address(user != 0 ? user : o.made_at);
    return "heap@" + (made.function.valid() ? image_->program->stable_name(made.function) : std::string("?")) + "+" +
           std::to_string(at.offset());
  }
  if (o.kind == ObjectKindHost::Stack) {
    const CodeAddress made = image_->address(o.made_at);
    const program::StackObject* const declared = declaration_of(*image_, o);
    const bool allocated = declared != nullptr && declared->name == kAllocated;
    return (made.function.valid() ? image_->program->stable_name(made.function) : std::string("?")) +
           "::" + (allocated ? declared->name + "+" + std::to_string(at.offset()) : name_of(at, size));
  }
  return name_of(at, size);
}

std::string Machine::State::describe_object(Pointer at) const {
  const Object& o = *memory_.find(at.bits);
  const std::string size = std::to_string(o.full_size) + (o.full_size == 1 ? " byte)" : " bytes)");
  switch (o.kind) {
    case ObjectKindHost::None: return at.object() == 0 ? "a plain number" : "no object";
    case ObjectKindHost::Heap: {
      const uint32_t user = heap_sites_.of(at.object()).made;
      const std::string name = object_name(*image_, o, user) + braced_type(type_of_block(*image_, o, user));
      return (name.starts_with("mmap") ? "mapping " : "heap block ") + name + " (" + size;
    }
    case ObjectKindHost::Function: return "function '" + object_name(*image_, o) + "'";
    case ObjectKindHost::Hidden: return hidden_name(at.object());
    default: return "'" + object_name(*image_, o) + "' (" + size;
  }
}

std::string Machine::State::thread_name(uint32_t id) const {
  if (id == 0) return "main";
  if (id >= thread_numbers_.size()) return "?";
  const auto [parent, child] = thread_numbers_.creation(id);
  return (parent == 0 ? "worker " : thread_name(parent) + ".") + std::to_string(child + 1);
}

}  // namespace heddle::machine
