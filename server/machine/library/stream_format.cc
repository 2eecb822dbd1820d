// The settings of std::cout and its like: flags, width, precision, fill, state, buffer. Formatted and unformatted
// input and output of several threads do not race for them (C++20, [iostream.objects.overview]), although they read
// them, and set the width to 0. Everything else that writes them (a manipulator, setf, clear, rdbuf) does race, with
// both. So what an input or output function stores there counts as a read.
#include <algorithm>

#include "server/library/link_names.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSettingsBegin = 8, kSettingsEnd = 264;  // of std::basic_ios, after the virtual table

// Is it a member of the base classes, or an operator that takes a manipulator of them (std::hex, std::setw(4))?
bool sets(std::string_view name) {
  constexpr std::string_view kParts[] = {"8ios_base", "9basic_ios",      "5_Setw",         "8_Setfill",
                                         "8_Setbase", "13_Setprecision", "12_Setiosflags", "14_Resetiosflags"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

}  // namespace

void find_standard_streams(Image& image) {
  const program::Program& program = *image.program;
  for (uint32_t g = 0; g < program.global_count(); ++g) {
    const program::GlobalId id(g);
    const program::Unit& unit = program.unit(program.unit_of(id));
    const std::string_view symbol = unit.symbols[program.global(id).symbol.value].name;
    for (const library::StandardStream& name : library::standard_streams())
      if (name.link_name == symbol && program.global(id).size >= name.settings + kSettingsEnd)
        image.standard_streams.push_back({g, name.settings, name.name});
  }
  if (image.standard_streams.empty()) return;
  for (uint32_t f = 0; f < program.function_count(); ++f)
    image.sets_format.push_back(sets(program.stable_name(program::FunctionId(f))));
}

// Are these bytes of the library's own object such settings? Then they are what is left of the access.
bool Machine::State::use_format(const Thread& t, const Object& o, uint64_t& pointer, uint64_t& size,
                                bool& write) const {
  if (o.kind != ObjectKindHost::Global || image_->standard_streams.empty()) return false;
  const auto& streams = image_->standard_streams;
  const auto stream =
      std::find_if(streams.begin(), streams.end(), [&](const StandardStream& s) { return s.global == o.made_at; });
  if (stream == streams.end()) return false;
  const uint64_t offset = Pointer{pointer}.offset();
  const uint64_t begin = std::max<uint64_t>(offset, stream->base + kSettingsBegin);
  const uint64_t end = std::min<uint64_t>(offset + size, stream->base + kSettingsEnd);
  if (begin >= end) return false;
  pointer += begin - offset;
  size = end - begin;
  bool by_setter = true;  // by the project itself: through a pointer
  for (const uint32_t pc : stack_of(t)) {
    const program::FunctionId function = image_->address(pc).function;
    if (!function.valid() || image_->program->function(function).in_project) break;
    by_setter = image_->sets_format[function.value];
  }
  write = write && by_setter;
  return true;
}

}  // namespace heddle::machine
