#include <llvm/ADT/SmallString.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Support/Path.h>

#include "server/disk/utf8_name.h"
#include "server/frontend/lower/lowering.h"

namespace heddle::frontend {

using program::FileId;
using program::PlaceId;
using program::TypeId;
using program::TypeKind;

DebugTables::DebugTables(program::Unit& unit, std::string directory, const llvm::DataLayout&)
    : unit_(unit), directory_(std::move(directory)) {
  unit_.places.push_back({});
}

FileId DebugTables::file(const std::string& path) {
  llvm::SmallString<256> full(path);
  if (!llvm::sys::path::is_absolute(full)) {
    full = directory_;
    llvm::sys::path::append(full, path);
  }
  llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
  const auto [at, inserted] =
      files_.try_emplace(disk::utf8_name(full.str().str()), FileId(static_cast<uint32_t>(unit_.files.size())));
  if (inserted) unit_.files.push_back(at->first);
  return at->second;
}

FileId DebugTables::file(const llvm::DIFile* debug_file) {
  if (!debug_file) return FileId::none();
  const auto found = debug_files_.find(debug_file);
  if (found != debug_files_.end()) return found->second;
  llvm::SmallString<256> path(debug_file->getFilename());
  if (!llvm::sys::path::is_absolute(path) && !debug_file->getDirectory().empty()) {
    path = debug_file->getDirectory();
    llvm::sys::path::append(path, debug_file->getFilename());
  }
  const FileId made = file(path.str().str());
  debug_files_[debug_file] = made;
  return made;
}

PlaceId DebugTables::place(FileId file, uint32_t line, uint32_t column) {
  if (!file.valid() || line == 0) return PlaceId(0);
  const program::Place place{file, line, column};
  const auto [at, inserted] = places_.try_emplace(place, PlaceId(static_cast<uint32_t>(unit_.places.size())));
  if (inserted) unit_.places.push_back(place);
  return at->second;
}

PlaceId DebugTables::place(const llvm::DebugLoc& location) {
  if (!location || location.getLine() == 0) return PlaceId(0);
  return place(file(location->getFile()), location.getLine(), location.getCol());
}

TypeId DebugTables::type(const llvm::DIType* type) {
  // Typedefs and qualifiers are looked through; the outermost typedef names an unnamed type.
  std::string alias;
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type ||
        tag == llvm::dwarf::DW_TAG_rvalue_reference_type || tag == llvm::dwarf::DW_TAG_ptr_to_member_type)
      break;
    if (tag == llvm::dwarf::DW_TAG_typedef && alias.empty()) alias = derived->getName().str();
    type = derived->getBaseType();
  }
  if (!type) return TypeId::none();
  const auto found = types_.find(type);
  if (found != types_.end()) return found->second;
  const TypeId id(static_cast<uint32_t>(unit_.types.size()));
  types_[type] = id;
  unit_.types.emplace_back();
  fill(id, type, alias);
  return id;
}

TypeId DebugTables::type(const ResultFact& fact) {
  const auto [at, inserted] = result_types_.try_emplace({fact.type.name, fact.type.kind});
  if (!inserted) return at->second;
  program::Type made = fact.type;
  if (made.kind == TypeKind::Enumeration) {
    made.element = TypeId(static_cast<uint32_t>(unit_.types.size()));
    program::Type& underlying = unit_.types.emplace_back();
    underlying.kind = fact.is_unsigned ? TypeKind::Unsigned : TypeKind::Integer;
    underlying.size = made.size;
  }
  at->second = TypeId(static_cast<uint32_t>(unit_.types.size()));
  unit_.types.push_back(std::move(made));
  return at->second;
}

void DebugTables::fill(TypeId id, const llvm::DIType* type, const std::string& alias) {
  program::Type made;
  made.size = type->getSizeInBits() / 8;
  made.name = type->getName().str();
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
    switch (basic->getEncoding()) {
      case llvm::dwarf::DW_ATE_boolean: made.kind = TypeKind::Boolean; break;
      case llvm::dwarf::DW_ATE_float: made.kind = TypeKind::Float; break;
      case llvm::dwarf::DW_ATE_signed: made.kind = TypeKind::Integer; break;
      case llvm::dwarf::DW_ATE_unsigned: made.kind = TypeKind::Unsigned; break;
      case llvm::dwarf::DW_ATE_signed_char:
        made.kind = made.name == "signed char" ? TypeKind::Integer : TypeKind::Character;
        break;
      case llvm::dwarf::DW_ATE_unsigned_char: made.kind = TypeKind::Unsigned; break;
      default: break;
    }
  } else if (const auto* pointer = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    made.kind = TypeKind::Pointer;
    made.element = this->type(pointer->getBaseType());
    const bool known = made.element.valid();
    made.name = (known ? unit_.types[made.element.value].name : std::string("void")) + " *";
  } else if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type)) {
    fill_composite(made, composite, alias);
  } else if (llvm::isa<llvm::DISubroutineType>(type)) {
    made.kind = TypeKind::Function;
    made.name = "function";
  }
  unit_.types[id.value] = std::move(made);
}

void DebugTables::fill_composite(program::Type& made, const llvm::DICompositeType* type, const std::string& alias) {
  const char* keyword = "";
  switch (type->getTag()) {
    case llvm::dwarf::DW_TAG_array_type: return fill_array(made, type);
    case llvm::dwarf::DW_TAG_enumeration_type:
      made.kind = TypeKind::Enumeration;
      made.element = this->type(type->getBaseType());
      keyword = "enum ";
      for (const llvm::DINode* element : type->getElements())
        if (const auto* e = llvm::dyn_cast_or_null<llvm::DIEnumerator>(element))
          made.enumerators.emplace_back(e->getName().str(), e->getValue().sextOrTrunc(64).getSExtValue());
      break;
    case llvm::dwarf::DW_TAG_union_type:
      made.kind = TypeKind::Union;
      keyword = "union ";
      break;
    default:
      made.kind = TypeKind::Record;
      keyword = "struct ";
      break;
  }
  made.name = !made.name.empty() ? keyword + made.name : !alias.empty() ? alias : keyword + std::string("(unnamed)");
  if (made.kind == TypeKind::Enumeration) return;
  for (const llvm::DINode* element : type->getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    if (member->getTag() != llvm::dwarf::DW_TAG_member && member->getTag() != llvm::dwarf::DW_TAG_inheritance) continue;
    if (member->isVirtual()) continue;  // a virtual base: where it lies is in the virtual table
    program::Type::Field field;
    field.name = member->getName().str();
    field.offset = member->getOffsetInBits() / 8;
    field.bit_size = member->isBitField() ? static_cast<uint32_t>(member->getSizeInBits()) : 0;
    field.type = this->type(member->getBaseType());
    made.fields.push_back(std::move(field));
  }
}

void DebugTables::fill_array(program::Type& made, const llvm::DICompositeType* type) {
  // int a[2][3] is one array type with two subranges: made into nested arrays, innermost last.
  std::vector<uint64_t> counts;
  for (const llvm::DINode* element : type->getElements()) {
    const auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(element);
    if (!range) continue;
    uint64_t count = 0;
    if (const auto* number = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
      count = number->getSExtValue() < 0 ? 0 : number->getZExtValue();
    counts.push_back(count);
  }
  if (counts.empty()) counts.push_back(0);
  TypeId element = this->type(type->getBaseType());
  const auto describe = [&](program::Type& array, uint64_t count) {
    array.kind = TypeKind::Array;
    array.element = element;
    array.count = count;
    const bool known = element.valid();
    array.size = count * (known ? unit_.types[element.value].size : 0);
    array.name = (known ? unit_.types[element.value].name : std::string("?")) + "[" + std::to_string(count) + "]";
  };
  for (size_t n = counts.size(); n-- > 1;) {
    program::Type inner;
    describe(inner, counts[n]);
    element = TypeId(static_cast<uint32_t>(unit_.types.size()));
    unit_.types.push_back(std::move(inner));
  }
  describe(made, counts[0]);
}

}  // namespace heddle::frontend
