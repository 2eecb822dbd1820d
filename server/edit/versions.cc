#include "server/edit/versions.h"

#include <algorithm>
#include <map>

#include "server/edit/slices.h"

namespace heddle::edit {

using analysis::ObjectKind;

namespace {

// Functions, or globals, that have one name in both versions; the first of several in the old one.
template <typename Id>
void match_by_name(const Names& old_names, const Names& new_names, std::vector<Id>& old_of, std::vector<Id>& new_of) {
  std::unordered_map<std::string, Id> before;
  for (uint32_t n = 0; n < new_of.size(); ++n) before.emplace(old_names.of(Id(n)), Id(n));
  for (uint32_t n = 0; n < old_of.size(); ++n)
    if (const auto found = before.find(new_names.of(Id(n))); found != before.end()) {
      old_of[n] = found->second;
      new_of[found->second.value] = Id(n);
    }
}

}  // namespace

Versions::Functions::Functions(const program::Program& before, const program::Program& after, const BothNames& names) {
  old_of.resize(after.function_count());
  new_of.resize(before.function_count());
  match_by_name(names.before(), names.after(), old_of, new_of);
}

Versions::Versions(const FactsPtr& before, const FactsPtr& after)
    : before_(before),
      after_(after),
      names_(*before->program, *after->program),
      functions_(*before->program, *after->program, names_) {
  old_global_.resize(after->program->global_count());
  new_global_.resize(before->program->global_count());
  match_by_name(names_.before(), names_.after(), old_global_, new_global_);
  same_code_.resize(after->program->function_count());
  for (uint32_t f = 0; f < same_code_.size(); ++f)
    same_code_[f] = old_of(FunctionId(f)).valid() && names_.same_code(old_of(FunctionId(f)), FunctionId(f));
  match_objects();
}

bool Versions::same_value(GlobalId after) const { return names_.same_value(old_of(after), after); }

Versions::Stack Versions::match_stack(FunctionId before, FunctionId after) const {
  const auto& old_objects = before_->program->function(before).stack_objects;
  const auto& new_objects = after_->program->function(after).stack_objects;
  Stack stack;
  stack.before.assign(old_objects.size(), 0);
  stack.after.assign(new_objects.size(), 0);
  uint64_t next = 1;
  auto pass = [&](auto same) {
    for (size_t o = 0; o < old_objects.size(); ++o)
      for (size_t n = 0; n < new_objects.size() && !stack.before[o]; ++n)
        if (!stack.after[n] && same(old_objects[o], new_objects[n])) stack.before[o] = stack.after[n] = next++;
  };
  pass([](const auto& x, const auto& y) { return !x.name.empty() && x.name == y.name && x.size == y.size; });
  pass([](const auto& x, const auto& y) {
    return x.name.empty() == y.name.empty() && x.size == y.size && x.alignment == y.alignment;
  });
  for (uint64_t& id : stack.before)
    if (!id) id = 1000000 + next++;
  for (uint64_t& id : stack.after)
    if (!id) id = 2000000 + next++;
  return stack;
}

namespace {

ObjectId whole_of(const Facts& facts, ObjectId o) {
  const ObjectId whole = facts.objects[o.value].whole;
  return whole.valid() ? whole : o;
}

}  // namespace

// Labels of objects: equal ones in two versions are the same object. Stack and heap objects are labelled by function:
// the site's order among those of the same kind of call or variable.
class Versions::Labels {
 public:
  explicit Labels(const Versions& versions) : versions_(versions) {}

  // A part is known by the text that follows the name of the whole.
  uint64_t of(const Facts& facts, const Names& names, bool old, ObjectId id) {
    const ObjectId whole = facts.objects[id.value].whole;
    if (!whole.valid()) return of_whole(facts, names, old, id);
    return mix(of_whole(facts, names, old, whole),
               hash_text(facts.objects[id.value].name.substr(facts.objects[whole.value].name.size())));
  }

 private:
  uint64_t of_whole(const Facts& facts, const Names& names, bool old, ObjectId id) {
    const analysis::Object& object = facts.objects[id.value];
    switch (object.kind) {
      case ObjectKind::Global:
      case ObjectKind::ThreadLocal:
        if (!object.global.valid()) return mix(3, hash_text(object.name));  // errno
        return mix(1, hash_text(names.of(object.global)));
      case ObjectKind::Function:
        return mix(2, hash_text(object.function.valid() ? names.of_place(object.function) : object.name));
      case ObjectKind::Unknown: return mix(3, hash_text(object.name));
      case ObjectKind::Stack: return of_stack(facts, names, old, object);
      case ObjectKind::Heap: return of_heap(facts, names, object);
    }
    return 0;
  }
  uint64_t of_stack(const Facts& facts, const Names& names, bool old, const analysis::Object& object) {
    if (!object.site.function.valid()) return mix(4, hash_text(object.name));
    const FunctionId function = facts.program->original(object.site.function);
    const FunctionId after = old ? versions_.new_of(function) : function,
                     before = old ? function : versions_.old_of(function);
    const uint32_t number = facts.program->instruction(object.site).b;
    if (!after.valid() || !before.valid()) return mix(mix(5, hash_text(names.of_place(function))), number);
    auto [at, made] = stacks_.try_emplace(after);
    if (made) at->second = versions_.match_stack(before, after);
    return mix(mix(6, hash_text(names.of_place(function))), old ? at->second.before[number] : at->second.after[number]);
  }
  static uint64_t of_heap(const Facts& facts, const Names& names, const analysis::Object& object) {
    const uint64_t place = mix(7, hash_text(names.of_place(object.site.function)));
    const program::Function& function = facts.program->function(object.site.function);
    uint32_t order = 0;
    for (uint32_t i = 0; i < object.site.index; ++i)
      if (const program::Instruction& other = function.code[i];
          other.op == program::Opcode::Call || other.op == program::Opcode::CallIndirect)
        order += facts.object_of(CodeAddress{object.site.function, i}).valid();
    return mix(mix(place, hash_text(object.name.substr(0, object.name.find('@')))), order);
  }

  const Versions& versions_;
  std::map<FunctionId, Stack> stacks_;
};

void Versions::match_objects() {
  new_objects_.resize(before_->objects.size());
  labels_before_.resize(before_->objects.size());
  labels_after_.resize(after_->objects.size());
  Labels labels(*this);
  // The first of its function; there are several functions if some are clones.
  std::unordered_map<uint64_t, std::vector<ObjectId>> by_label;
  const auto maker = [&](ObjectId o) {
    const analysis::Object& object = after_->objects[whole_of(*after_, o).value];
    return object.kind == ObjectKind::Function ? object.function : object.site.function;
  };
  const auto add = [&](std::vector<ObjectId>& known, ObjectId o) {
    if (std::none_of(known.begin(), known.end(), [&](ObjectId other) { return maker(other) == maker(o); }))
      known.push_back(o);
  };
  std::unordered_map<uint32_t, std::vector<ObjectId>> heap_of;  // new function -> its allocation sites
  for (uint32_t o = 0; o < after_->objects.size(); ++o) {
    labels_after_[o] = labels.of(*after_, names_.after(), false, ObjectId(o));
    add(by_label[labels_after_[o]], ObjectId(o));
    if (after_->objects[o].kind == ObjectKind::Heap)
      heap_of[after_->program->original(after_->objects[o].site.function).value].push_back(ObjectId(o));
  }
  for (uint32_t o = 0; o < before_->objects.size(); ++o) {
    labels_before_[o] = labels.of(*before_, names_.before(), true, ObjectId(o));
    const analysis::Object& object = before_->objects[o];
    if (object.kind == ObjectKind::Heap) {
      const FunctionId after = new_of(before_->program->original(object.site.function));
      if (after.valid() && !same_code(after)) {  // which block is which is uncertain: all of them
        if (auto found = heap_of.find(after.value); found != heap_of.end()) new_objects_[o] = found->second;
        continue;
      }
    }
    if (auto found = by_label.find(labels_before_[o]); found != by_label.end()) new_objects_[o] = found->second;
    const ObjectId whole = whole_of(*before_, ObjectId(o));
    if (const auto now = by_label.find(labels_before_[whole.value]); now != by_label.end())
      add_parts(whole, now->second, new_objects_[o]);
  }
}

// Fields are cut differently where the code that uses them differs: any of the whole's then.
void Versions::add_parts(ObjectId whole, const std::vector<ObjectId>& now, std::vector<ObjectId>& matches) const {
  for (const ObjectId there : now) {
    const bool matched =
        std::any_of(matches.begin(), matches.end(), [&](ObjectId found) { return whole_of(*after_, found) == there; });
    if (matched && same_parts(whole, there)) continue;
    matches.push_back(there);
    for (const Facts::SubObject& part : after_->sub_objects[there.value]) matches.push_back(part.object);
  }
}

bool Versions::same_parts(ObjectId before, ObjectId after) const {
  const auto& x = before_->sub_objects[before.value];
  const auto& y = after_->sub_objects[after.value];
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Facts::SubObject& p, const Facts::SubObject& q) {
    return p.begin == q.begin && p.end == q.end;
  });
}

std::vector<ObjectId> Versions::map(const std::vector<ObjectId>& old_objects) const {
  std::vector<ObjectId> result;
  for (ObjectId o : old_objects)
    result.insert(result.end(), new_objects_[o.value].begin(), new_objects_[o.value].end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace heddle::edit
