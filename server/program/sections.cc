#include "server/program/sections.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "server/program/hash.h"

namespace heddle::program {
namespace {

struct Member {
  size_t unit = 0;
  uint32_t global = 0;  // into the unit's globals
  uint64_t offset = 0;  // into the section
};

struct Section {
  std::string name;
  std::vector<Member> members;
  uint64_t size = 0;
  uint32_t alignment = 1;
};

struct Spot {  // what a symbol stands for
  const Section* section = nullptr;
  uint64_t offset = 0;
};

std::string section_of_bound(std::string_view symbol) {
  for (const std::string_view prefix : {kSectionBegin, kSectionEnd})
    if (symbol.starts_with(prefix)) return std::string(symbol.substr(prefix.size()));
  return "";
}

std::string file_name(const Unit& unit) { return std::filesystem::path(unit.path).filename().string(); }

class Gathering {
 public:
  explicit Gathering(const std::vector<UnitPtr>& units) : units_(units), spots_(units.size()) { find_members(); }

  bool any() const { return !sections_.empty(); }

  std::vector<UnitPtr> run(std::vector<std::string>& notes) {
    find_spots();
    for (const UnitPtr& unit : units_) changed_.push_back(std::make_shared<Unit>(*unit));
    for (size_t n = 0; n < units_.size(); ++n) redirect(n);
    for (const auto& [name, section] : sections_) {
      define(section);
      note_order(section, notes);
    }
    std::vector<UnitPtr> out;
    for (size_t n = 0; n < units_.size(); ++n) {
      if (spots_[n].empty() && !touched_.contains(n)) {
        out.push_back(units_[n]);
        continue;
      }
      remove_members(n);
      compute_hashes(*changed_[n]);
      out.push_back(std::move(changed_[n]));
    }
    return out;
  }

 private:
  void find_members() {
    std::set<std::string> named;
    for (const UnitPtr& unit : units_)
      for (const Symbol& symbol : unit->symbols)
        if (std::string name = section_of_bound(symbol.name); !name.empty()) named.insert(std::move(name));
    if (named.empty()) return;
    std::set<std::string_view> taken;  // of several definitions of an inline variable the linker keeps one
    for (size_t n = 0; n < units_.size(); ++n)
      for (uint32_t k = 0; k < units_[n]->globals.size(); ++k) {
        const Global& global = units_[n]->globals[k];
        if (!named.contains(global.section) || global.thread_local_storage) continue;
        const Symbol& symbol = units_[n]->symbols[global.symbol.value];
        Section& section = sections_[global.section];
        section.name = global.section;
        if (!symbol.internal && !taken.insert(symbol.name).second) continue;
        const uint64_t alignment = std::max<uint32_t>(global.alignment, 1);
        section.size = (section.size + alignment - 1) / alignment * alignment;
        section.members.push_back({n, k, section.size});
        section.size += global.size;
        section.alignment = std::max(section.alignment, global.alignment);
      }
  }

  void find_spots() {
    std::map<std::string_view, Spot> by_name;
    for (const auto& [name, section] : sections_)
      for (const Member& member : section.members) {
        const Unit& unit = *units_[member.unit];
        const SymbolId id = unit.globals[member.global].symbol;
        const Symbol& symbol = unit.symbols[id.value];
        const Spot spot{&section, member.offset};
        if (symbol.internal)
          spots_[member.unit][id.value] = spot;
        else
          by_name[symbol.name] = spot;
      }
    for (size_t n = 0; n < units_.size(); ++n)
      for (uint32_t k = 0; k < units_[n]->symbols.size(); ++k) {
        const Symbol& symbol = units_[n]->symbols[k];
        if (symbol.internal) continue;
        if (const auto found = by_name.find(symbol.name); found != by_name.end()) spots_[n][k] = found->second;
        const auto section = sections_.find(section_of_bound(symbol.name));
        if (section != sections_.end())
          spots_[n][k] = {&section->second, symbol.name.starts_with(kSectionEnd) ? section->second.size : 0};
      }
  }

  SymbolId begin_of(Unit& unit, const Section& section) {
    const std::string name = std::string(kSectionBegin) + section.name;
    for (uint32_t n = 0; n < unit.symbols.size(); ++n)
      if (unit.symbols[n].name == name && !unit.symbols[n].internal) return SymbolId(n);
    unit.symbols.push_back({.name = name, .kind = SymbolKind::Variable});
    return SymbolId(static_cast<uint32_t>(unit.symbols.size() - 1));
  }

  void redirect(size_t n) {
    Unit& unit = *changed_[n];
    std::map<const Section*, SymbolId> begins;
    for (const auto& [symbol, spot] : spots_[n])
      if (!begins.contains(spot.section)) begins.emplace(spot.section, begin_of(unit, *spot.section));
    for (Function& function : unit.functions)
      for (Instruction& i : function.code) {
        if (i.op != Opcode::SymbolAddress) continue;
        const auto found = spots_[n].find(i.a);
        if (found == spots_[n].end()) continue;
        i.a = begins.at(found->second.section).value;
        i.imm += static_cast<int64_t>(found->second.offset);
      }
    for (Global& global : unit.globals)
      for (Relocation& relocation : global.relocations) {
        const auto found = spots_[n].find(relocation.symbol.value);
        if (found == spots_[n].end()) continue;
        relocation.symbol = begins.at(found->second.section);
        relocation.addend += static_cast<int64_t>(found->second.offset);
      }
    std::set<uint32_t> aliased;  // a second name of a member has no place in the section: it stays undefined
    for (const Alias& alias : unit.aliases) aliased.insert({alias.symbol.value, alias.target.value});
    for (const auto& [symbol, spot] : spots_[n])  // nothing else names them any more
      if (!aliased.contains(symbol)) unit.symbols[symbol] = Symbol(unit.symbols[begins.at(spot.section).value]);
  }

  // A member may hold the address of something that only its own unit sees: that gets a name that others can use.
  SymbolId visible_in(Unit& to, size_t from, SymbolId id) {
    Symbol& symbol = changed_[from]->symbols[id.value];
    if (symbol.internal) {
      std::string name = file_name(*changed_[from]) + ":" + symbol.name;
      while (!made_visible_.insert(name).second) name += "'";
      symbol.name = std::move(name);
      symbol.internal = false;
      touched_.insert(from);
    }
    for (uint32_t n = 0; n < to.symbols.size(); ++n)
      if (to.symbols[n].name == symbol.name && !to.symbols[n].internal) return SymbolId(n);
    to.symbols.push_back({.name = symbol.name, .kind = symbol.kind, .weak = symbol.weak});
    return SymbolId(static_cast<uint32_t>(to.symbols.size() - 1));
  }

  // An array, if all members have one type and nothing lies between them.
  TypeId type_of(Unit& home, const Section& section) {
    const Member& first = section.members.front();
    const TypeId element = units_[first.unit]->globals[first.global].type;
    if (!element.valid() || element.value >= home.types.size()) return TypeId::none();
    const Type& model = home.types[element.value];
    for (size_t n = 0; n < section.members.size(); ++n) {
      const Unit& unit = *units_[section.members[n].unit];
      const TypeId type = unit.globals[section.members[n].global].type;
      if (!type.valid() || type.value >= unit.types.size() || unit.types[type.value].name != model.name ||
          section.members[n].offset != n * model.size)
        return TypeId::none();
    }
    Type made;
    made.kind = TypeKind::Array;
    made.name = model.name + "[" + std::to_string(section.members.size()) + "]";
    made.size = section.size;
    made.element = element;
    made.count = section.members.size();
    home.types.push_back(std::move(made));
    return TypeId(static_cast<uint32_t>(home.types.size() - 1));
  }

  // In the unit of the first member.
  void define(const Section& section) {
    const size_t home_number = section.members.front().unit;
    Unit& home = *changed_[home_number];
    Global made;
    made.symbol = begin_of(home, section);
    home.symbols[made.symbol.value].weak = false;
    made.display_name = "section " + section.name;
    made.place = home.globals[section.members.front().global].place;
    made.type = type_of(home, section);
    made.size = section.size;
    made.alignment = section.alignment;
    made.constant = true;
    made.in_project = false;
    made.initialiser.resize(section.size);
    for (const Member& member : section.members) {
      const Global& part = changed_[member.unit]->globals[member.global];
      made.constant = made.constant && part.constant;
      made.in_project = made.in_project || part.in_project;
      std::copy(part.initialiser.begin(), part.initialiser.end(),
                made.initialiser.begin() + static_cast<std::ptrdiff_t>(member.offset));
      for (const Relocation& relocation : part.relocations)
        made.relocations.push_back(
            {member.offset + relocation.offset,
             member.unit == home_number ? relocation.symbol : visible_in(home, member.unit, relocation.symbol),
             relocation.addend});
    }
    if (made.relocations.empty() && std::ranges::all_of(made.initialiser, [](uint8_t byte) { return byte == 0; }))
      made.initialiser.clear();
    home.globals.push_back(std::move(made));
    touched_.insert(home_number);
  }

  void remove_members(size_t n) {
    std::erase_if(changed_[n]->globals, [&](const Global& global) {
      return !global.section.empty() && spots_[n].contains(global.symbol.value);
    });
  }

  void note_order(const Section& section, std::vector<std::string>& notes) {
    if (section.members.front().unit == section.members.back().unit) return;
    std::string list;
    for (size_t n = 0; n < section.members.size(); ++n)
      if (const size_t unit = section.members[n].unit; n == 0 || unit != section.members[n - 1].unit)
        list += (list.empty() ? "" : ", ") + file_name(*units_[unit]);
    notes.push_back("the section '" + section.name + "' has its variables in the order of the files " + list);
  }

  const std::vector<UnitPtr>& units_;
  std::map<std::string, Section> sections_;
  std::vector<std::map<uint32_t, Spot>> spots_;  // by unit and symbol
  std::vector<std::shared_ptr<Unit>> changed_;
  std::set<size_t> touched_;
  std::set<std::string> made_visible_;
};

}  // namespace

bool is_gathered_section(std::string_view name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::vector<UnitPtr> gather_sections(const std::vector<UnitPtr>& units, std::vector<std::string>& notes) {
  Gathering gathering(units);
  return gathering.any() ? gathering.run(notes) : units;
}

}  // namespace heddle::program
