#include "server/machine/code/image.h"

#include <algorithm>
#include <map>

#include "server/analysis/library.h"
#include "server/library/fortify.h"
#include "server/library/link_names.h"
#include "server/machine/code/registry.h"
#include "server/program/select.h"

namespace heddle::machine {

using program::Binding;
using program::BindingKind;
using program::FunctionId;
using program::GlobalId;
using program::UnitId;

namespace {

bool starts_threads(const Image& image) {
  const auto& externals = image.program->externals();
  return std::any_of(externals.begin(), externals.end(), [](const program::External& external) {
    const library::Function* const row = library::find_function(external.name);
    return row != nullptr && row->effect == library::Effect::CreatesThread;
  });
}

// Of the variables that several threads use.
uint8_t used_variables(Image& image, std::string_view function) {
  const library::Function* const row = library::find_function(function);
  if (row == nullptr) return 0;
  const auto shared = [&](uint16_t variables) { return static_cast<uint16_t>(variables & image.shared_variables); };
  const library::VariableUse use{shared(row->variables.reads), shared(row->variables.changes)};
  auto& known = image.variable_uses;
  const size_t place = static_cast<size_t>(std::find(known.begin(), known.end(), use) - known.begin());
  if (place == known.size()) known.push_back(use);
  return static_cast<uint8_t>(place);
}

void resolve_externals(Image& image) {
  for (const program::External& external : image.program->externals()) {
    image.names_rooms |= external.name == library::kRoomCall;
    const library::Function* const row = library::find_function(external.name);
    if (row == nullptr) continue;
    image.cancels |= row->meaning == library::Meaning::Cancels;
    image.sections |= row->meaning == library::Meaning::BeginsSection;
  }
  image.interrupts = analysis::may_interrupt(*image.program, image.facts.get());
  // What do several threads use, as far as the facts know?
  image.shared_states = image.facts != nullptr  ? analysis::shared_states(*image.facts)
                        : starts_threads(image) ? analysis::all_shared_states()
                                                : 0;
  if (image.facts != nullptr) {
    image.shared_variables = analysis::shared_variables(*image.facts);
    image.shared_thread_states = analysis::shared_thread_states(*image.facts);
    if (image.interrupts) image.shared_with_handlers = analysis::accesses_shared_with_handlers(*image.facts);
  }
  const auto& externals = image.program->externals();
  const Visibility visibility{.cancels = image.cancels, .interrupts = image.interrupts, .shared = image.shared_states};
  for (const program::External& external : image.program->externals()) {
    Callee callee = find_callee(external.name, visibility);
    callee.index = static_cast<uint32_t>(image.externals.size());
    callee.variables = used_variables(image, external.name);
    image.externals.push_back(callee);
    image.external_data.push_back(find_data_row(external.name));
    const std::string_view variable = library::variable_of(external.name);
    const auto same = std::find_if(externals.begin(), externals.end(), [&](const program::External& other) {
      return !variable.empty() && library::variable_of(other.name) == variable;
    });
    image.first_name.push_back(same == externals.end() ? callee.index
                                                       : static_cast<uint32_t>(same - externals.begin()));
  }
  image.exit_function = find_callee("exit");
  image.replaced_new = image.program->find_function(library::kOperatorNew);
  image.replaced_delete = image.program->find_function(library::kOperatorDelete);
}

void collect_initialisers(Image& image) {
  struct Entry {
    uint32_t priority, function;
  };
  std::vector<Entry> before, after;
  for (uint32_t u = 0; u < image.program->units().size(); ++u) {
    for (const program::Initialiser& initialiser : image.program->unit(UnitId(u)).initialisers) {
      const Binding binding = image.program->binding(UnitId(u), initialiser.function);
      if (binding.kind != BindingKind::Function) continue;
      (initialiser.destructor ? after : before).push_back({initialiser.priority, binding.id});
    }
  }
  const auto earlier = [](const Entry& a, const Entry& b) { return a.priority < b.priority; };
  std::stable_sort(before.begin(), before.end(), earlier);
  std::stable_sort(after.begin(), after.end(), earlier);
  std::reverse(after.begin(), after.end());
  for (const Entry& entry : before) image.constructors.push_back(entry.function);
  for (const Entry& entry : after) image.destructors.push_back(entry.function);
}

void collect_initial_bytes(Image& image, uint32_t g) {
  const program::Global& global = image.program->global(GlobalId(g));
  image.initial_of[g] = {image.initial.size(), global.initialiser.size()};
  image.initial.insert(image.initial.end(), global.initialiser.begin(), global.initialiser.end());
  uint8_t* to = image.initial.data() + image.initial_of[g].at;
  for (const program::Relocation& relocation : global.relocations) {
    const Binding binding = image.program->binding(image.program->unit_of(GlobalId(g)), relocation.symbol);
    uint64_t bits = image.symbol_address(binding);
    if (bits != 0) bits += static_cast<uint64_t>(relocation.addend);
    if (relocation.offset + 8 <= global.initialiser.size())
      std::copy_n(reinterpret_cast<uint8_t*>(&bits), 8, to + relocation.offset);
  }
}

// As the library's own locks and tables: std::cout and what it needs may be used by several threads. Its buffers may
// not once they are out of step with stdio.
bool is_safe_to_share(const program::Unit& unit, const program::Global& global) {
  return unit.path.starts_with(program::kLibraryFolder) && unit.path != program::kLibraryState &&
         unit.symbols[global.symbol.value].name.find("buffer_out_of_step") == std::string::npos;
}

}  // namespace

void lay_out_objects(Image& image) {
  const uint32_t functions = image.function_count(), externals = image.external_count();
  const uint32_t globals = image.program->global_count();
  image.objects.resize(1 + functions + externals + globals);
  for (uint32_t f = 0; f < functions; ++f) {
    Object& object = image.objects[image.object_of_function(f)];
    object.kind = ObjectKindHost::Function;
    object.made_at = f;
  }
  for (uint32_t e = 0; e < externals; ++e) {
    Object& object = image.objects[image.object_of_external(e)];
    object.kind = ObjectKindHost::External;
    object.made_at = e;
  }
  image.data_offsets.resize(globals);
  image.initial_of.resize(globals);
  for (const bool constant : {false, true}) {  // together what is written
    for (uint32_t g = 0; g < globals; ++g) {
      const program::Global& global = image.program->global(GlobalId(g));
      if (global.constant != constant) continue;
      image.data_offsets[g] = image.data_bytes;
      image.data_bytes += (global.size + 15) / 8 * 8;
    }
  }
  image.data_bytes += 8;
  for (uint32_t g = 0; g < globals; ++g) {
    const program::Global& global = image.program->global(GlobalId(g));
    Object& object = image.objects[image.object_of_global(g)];
    object.kind = global.thread_local_storage ? ObjectKindHost::ThreadLocal
                  : global.constant           ? ObjectKindHost::Constant
                                              : ObjectKindHost::Global;
    object.made_at = g;
    object.full_size = static_cast<uint32_t>(global.size);
    if (global.thread_local_storage)
      image.thread_local_globals.push_back(g);
    else
      object.size = object.full_size;
    if (object.kind == ObjectKindHost::Global) object.write_size = object.full_size;
    if (is_safe_to_share(image.program->unit(image.program->unit_of(GlobalId(g))), global)) object.flags |= kUnracy;
    collect_initial_bytes(image, g);
  }
}

uint64_t Image::symbol_address(Binding binding) const {
  switch (binding.kind) {
    case BindingKind::Function: return uint64_t{object_of_function(binding.id)} << 32;
    case BindingKind::Global: return uint64_t{object_of_global(binding.id)} << 32;
    case BindingKind::External: break;
  }
  const bool known = externals[binding.id].kind != Callee::Kind::Unknown || external_data[binding.id] != nullptr;
  if (program->externals()[binding.id].weak && !known) return 0;
  return uint64_t{object_of_external(first_name[binding.id])} << 32;
}

bool Image::callee_of(uint64_t pointer, Callee& callee) const {
  const uint32_t number = static_cast<uint32_t>(pointer >> 32);
  if (static_cast<uint32_t>(pointer) != 0 || number == 0 || number >= objects.size()) return false;
  const Object& object = objects[number];
  if (object.kind == ObjectKindHost::Function) {
    callee = {Callee::Kind::Function, object.made_at, nullptr, nullptr};
    return true;
  }
  if (object.kind != ObjectKindHost::External) return false;
  callee = externals[object.made_at];
  return true;
}

ImagePtr make_image(program::ProgramPtr program, analysis::FactsPtr facts) {
  auto image = std::make_shared<Image>();
  image->program = std::move(program);
  image->facts = std::move(facts);
  resolve_externals(*image);
  lay_out_objects(*image);
  find_standard_streams(*image);
  collect_initialisers(*image);
  const FunctionId main = image->program->find_function("main");
  image->main_function = main.value;
  decode_functions(*image);
  return image;
}

const program::Program& program_of(const Image& image) { return *image.program; }
std::vector<UnknownExternal> unknown_externals(const Image& image) { return image.unknown; }
std::vector<UnknownExternal> sampled_externals(const Image& image) { return image.sampled; }

}  // namespace heddle::machine
