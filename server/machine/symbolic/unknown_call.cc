#include "server/machine/symbolic/unknown_call.h"

#include <algorithm>
#include <iterator>

#include "server/machine/code/image.h"
#include "server/program/print.h"
#include "server/program/select.h"

namespace heddle::machine {

namespace {

std::string without_spaces(const std::string& text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c != ' '; });
  return result;
}

// "ns::f" of "ns::f(int) const", "operator()" of "operator()(int)": the parameters are the last brackets.
std::string without_parameters(const std::string& written) {
  int depth = 0;
  for (size_t at = written.rfind(')'); at != std::string::npos && at < written.size(); --at) {
    depth += written[at] == ')' ? 1 : written[at] == '(' ? -1 : 0;
    if (depth == 0) return written.substr(0, at);
  }
  return written;
}

}  // namespace

// The most exact name counts.
const UnknownPolicy& unknown_policy(const UnknownCalls& calls, const std::string& link_name) {
  const auto& by_name = calls.by_name;
  const auto named = [&](const std::string& name) {
    return std::find_if(by_name.begin(), by_name.end(),
                        [&](const auto& entry) { return without_spaces(entry.first) == without_spaces(name); });
  };
  if (const auto found = by_name.find(link_name); found != by_name.end()) return found->second;
  if (by_name.empty() || !link_name.starts_with("_Z")) return calls.otherwise;
  const std::string written = program::readable_name(link_name);
  auto found = named(written);
  if (found == by_name.end()) found = named(without_parameters(written));
  return found == by_name.end() ? calls.otherwise : found->second;
}

bool fits(const ValueRange& range, uint32_t width) {
  const uint64_t greatest = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  if (range.least >= 0) return static_cast<uint64_t>(range.least) <= greatest;
  const auto highest = static_cast<int64_t>(greatest / 2);
  return range.most >= -highest - 1 && range.least <= highest;
}

bool lacks_definitions(const Image& image) {
  const program::Program& program = *image.program;
  for (uint32_t u = 0; u < program.units().size(); ++u) {
    const program::Unit& unit = program.unit(program::UnitId(u));
    if (unit.path.starts_with(program::kLibraryFolder)) continue;
    for (uint32_t s = 0; s < unit.symbols.size(); ++s) {
      const program::Binding binding = program.binding(program::UnitId(u), program::SymbolId(s));
      if (binding.kind == program::BindingKind::External && !program.externals()[binding.id].weak &&
          image.externals[binding.id].kind == Callee::Kind::Unknown && image.external_data[binding.id] == nullptr)
        return true;
    }
  }
  return false;
}

}  // namespace heddle::machine
