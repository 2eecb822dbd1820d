#include "server/edit/numbered.h"

#include <algorithm>
#include <set>

#include "server/edit/slices.h"

namespace heddle::edit {
namespace {

using program::CodeAddress;
using program::FunctionId;
using program::GlobalId;
using program::Instruction;
using program::OperandRole;

constexpr const char* kGone = " before";            // no number of the new version
constexpr uint32_t kAround = 4;                     // instructions around the use of a variable
constexpr size_t kPairsMost = 1000 * 1000;          // that one group may try
constexpr uint64_t kExact = 1000000, kMost = 1000;  // weights: the same code; code that is much alike

using Code = std::map<std::string, NumberedCode>;
using NumberOf = std::function<std::string(const NumberedName&, const NumberedName::Part&)>;

bool has_symbol(const Instruction& i) { return program::opcode_info(i.op).a == OperandRole::kSymbol; }

uint64_t weight(const NumberedCode& x, const NumberedCode& y) {
  if (x.exact == y.exact) return kExact;
  std::vector<uint64_t> common;
  std::set_intersection(x.steps.begin(), x.steps.end(), y.steps.begin(), y.steps.end(), std::back_inserter(common));
  const size_t most = std::max<size_t>({x.steps.size(), y.steps.size(), 1});
  return 1 + kMost * common.size() / most;
}

struct Member {
  uint64_t number = 0;
  std::string name, digits;
  const NumberedCode* code = nullptr;
};
using Members = std::vector<Member>;

// Increasing in both, of the greatest weight.
std::vector<std::pair<size_t, size_t>> align(const Members& before, const Members& after) {
  const size_t width = after.size() + 1;
  std::vector<uint64_t> best((before.size() + 1) * width, 0);  // of what is left
  std::vector<uint64_t> weights(before.size() * width, 0);
  for (size_t x = before.size(); x-- > 0;)
    for (size_t y = after.size(); y-- > 0;) {
      weights[x * width + y] = weight(*before[x].code, *after[y].code);
      best[x * width + y] = std::max(
          {best[(x + 1) * width + y], best[x * width + y + 1], best[(x + 1) * width + y + 1] + weights[x * width + y]});
    }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t x = 0, y = 0; x < before.size() && y < after.size();) {
    const uint64_t here = best[x * width + y];
    if (here == best[(x + 1) * width + y + 1] + weights[x * width + y])
      pairs.emplace_back(x++, y++);
    else
      here == best[(x + 1) * width + y] ? ++x : ++y;
  }
  return pairs;
}

// Of names that are equal but for their last number; those of what they lie in are those of the new version.
std::map<std::string, Members> groups_of(const Code& code, const NumberOf& now, size_t depth) {
  std::map<std::string, Members> groups;
  for (const auto& [name, its] : code) {
    const NumberedName& read = its.name;
    if (read.parts.size() != depth) continue;
    const NumberedName::Part& last = read.parts.back();
    const std::string digits = read.digits(last);
    const std::string key = read.with(
        [&](const NumberedName::Part& part) { return part.end == last.end ? std::string() : now(read, part); });
    groups[key].push_back({digits.empty() ? 0 : 1 + std::stoull(digits.substr(0, 18)), name, digits, &its});
  }
  for (auto& [key, members] : groups)
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& x, const Member& y) { return x.number < y.number; });
  return groups;
}

}  // namespace

void NumberedNames::define(FunctionId function, const std::string& name) {
  if (!may_be_numbered(name)) return;
  functions_.emplace(function, name);
  defined_.push_back({name, program_.function(function).hash});
}

void NumberedNames::define(GlobalId global, const std::string& name) {
  if (!may_be_numbered(name)) return;
  globals_.emplace(global, name);
  defined_.push_back({name, program_.global(global).hash});
}

uint64_t NumberedNames::step(FunctionId function, const Instruction& i) const {
  const uint64_t kind = mix(static_cast<uint64_t>(i.op), uint64_t{i.width} << 8 | i.flags);
  const program::OpcodeInfo& info = program::opcode_info(i.op);
  const uint64_t hash = info.imm == OperandRole::kNumber ? mix(kind, static_cast<uint64_t>(i.imm)) : kind;
  if (!has_symbol(i)) return hash;
  return mix(hash, hash_text(without_numbers(program_.unit(program_.unit_of(function)).symbols[i.a].name)));
}

// The code of a lambda, or of a member of a class without a name.
void NumberedNames::add_lambda(FunctionId function, Code& to) const {
  const NumberedName read = read_numbered(functions_.at(function));
  const auto own =
      std::find_if(read.parts.rbegin(), read.parts.rend(), [](const auto& part) { return part.outermost; });
  if (own == read.parts.rend()) return;
  NumberedCode& code = to.at(read.of(*own).key());
  code.exact = mix(code.exact, hash_text(read.text.substr(own->end)));
  for (Instruction i : program_.function(function).code) {
    code.steps.push_back(step(function, i));
    code.exact = mix(code.exact, code.steps.back());
    code.exact = mix(code.exact, has_symbol(i) ? i.dst : mix(mix(i.dst, i.a), mix(i.b, static_cast<uint64_t>(i.imm))));
  }
}

// What is done with variables of blocks.
void NumberedNames::add_uses(FunctionId function, const std::map<GlobalId, NumberedCode*>& variables) const {
  const std::vector<Instruction>& code = program_.function(function).code;
  for (uint32_t n = 0; n < code.size(); ++n) {
    if (!has_symbol(code[n])) continue;
    const program::Binding binding = program_.binding(function, program::SymbolId(code[n].a));
    if (binding.kind != program::BindingKind::Global) continue;
    const auto variable = variables.find(GlobalId(binding.id));
    if (variable == variables.end()) continue;
    const size_t end = std::min<size_t>(n + kAround + 1, code.size());
    for (uint32_t k = n - std::min(n, kAround); k < end; ++k)
      variable->second->steps.push_back(mix(k - n, step(function, code[k])));
  }
}

Code NumberedNames::code() const {
  Code code;
  std::map<GlobalId, NumberedCode*> variables;
  const auto add = [&](const NumberedName& read) {
    for (const NumberedName::Part& part : read.parts) {
      NumberedName its = read.of(part);
      std::string key = its.key();
      code.try_emplace(std::move(key)).first->second.name = std::move(its);
    }
  };
  for (const auto& [function, name] : functions_) {
    const NumberedName read = read_numbered(name);
    add(read);
  }
  for (const auto& [global, name] : globals_) {
    const NumberedName read = read_numbered(name);
    add(read);
    if (!read.is_variable()) continue;
    NumberedCode& its = code.at(read.of(read.parts.back()).key());
    its.steps.push_back(mix(program_.global(global).hash.high, program_.global(global).hash.low));
    variables.emplace(global, &its);
  }
  for (const auto& [function, name] : functions_) add_lambda(function, code);
  for (uint32_t f = 0; !variables.empty() && f < program_.function_count(); ++f)
    if (program_.original(FunctionId(f)) == FunctionId(f)) add_uses(FunctionId(f), variables);
  for (auto& [name, its] : code) {
    std::sort(its.steps.begin(), its.steps.end());
    if (its.exact == 0)
      for (const uint64_t step : its.steps) its.exact = mix(its.exact, step);
  }
  return code;
}

Renamed::Renamed(const NumberedNames& before, const NumberedNames& after) {
  if (!(before == after)) pair(before.code(), after.code());
}

void Renamed::pair(const Code& before, const Code& after) {
  size_t deepest = 0;
  for (const auto& [name, its] : before) deepest = std::max(deepest, its.name.parts.size());
  bool moved = false;
  for (size_t depth = 1; depth <= deepest; ++depth) {  // what something lies in comes before it
    const NumberOf now = [&](const NumberedName& name, const NumberedName::Part& part) { return number(name, part); };
    const NumberOf same = [](const NumberedName& name, const NumberedName::Part& part) { return name.digits(part); };
    const std::map<std::string, Members> old_groups = groups_of(before, now, depth),
                                         groups = groups_of(after, same, depth);
    for (const auto& [key, members] : old_groups) {
      for (const Member& member : members) numbers_[member.name] = member.digits + kGone;
      const auto found = groups.find(key);
      if (found == groups.end()) continue;
      if (members.size() * found->second.size() > kPairsMost) {
        for (const Member& member : members) numbers_[member.name] = member.digits;
        continue;
      }
      for (const auto& [x, y] : align(members, found->second)) numbers_[members[x].name] = found->second[y].digits;
      for (const Member& member : members) {
        const std::string& number = numbers_[member.name];
        const auto taken = [&](const Member& other) { return other.digits == member.digits; };
        moved |= number != member.digits && std::any_of(found->second.begin(), found->second.end(), taken);
      }
    }
  }
  if (!moved) numbers_.clear();
}

std::string Renamed::number(const NumberedName& name, const NumberedName::Part& part) const {
  const auto found = numbers_.find(name.of(part).key());
  return found == numbers_.end() ? kGone : found->second;
}

std::string Renamed::name_before(const std::string& name) const {
  const NumberedName read = read_numbered(name);
  if (!any() || !read.numbered()) return name;
  return read.with([&](const NumberedName::Part& part) { return number(read, part); });
}

std::string Renamed::name_after(const std::string& name) const {
  const NumberedName read = read_numbered(name);
  if (!any() || !read.numbered()) return name;
  return read.with([&](const NumberedName::Part& part) { return read.digits(part); });
}

}  // namespace heddle::edit
