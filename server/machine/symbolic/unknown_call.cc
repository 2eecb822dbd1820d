#include "server/machine/symbolic/unknown_call.h"

#include <algorithm>
#include <iterator>

#include "server/machine/code/image.h"
#include "server/program/call_result.h"
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

bool returns_integer(const program::Instruction& call) {
  return (call.flags & (program::kCallPointer | program::kCallFloat)) == 0 && call.width != 0 && call.width <= 64;
}

bool returns_signed(const program::Instruction& call) {
  return call.width > 1 && (call.flags & program::kCallUnsigned) == 0;
}

std::optional<std::pair<uint64_t, uint64_t>> fitting(const ValueRange& range, const program::Instruction& call) {
  const uint64_t greatest = call.width >= 64 ? ~uint64_t{0} : (uint64_t{1} << call.width) - 1;
  if (returns_signed(call)) {
    const auto highest = static_cast<int64_t>(greatest / 2);
    const int64_t least = std::max(range.least, -highest - 1), most = std::min(range.most, highest);
    if (least > most) return std::nullopt;
    return std::pair(static_cast<uint64_t>(least) & greatest, static_cast<uint64_t>(most) & greatest);
  }
  if (range.most < 0) return std::nullopt;
  const auto least = static_cast<uint64_t>(std::max<int64_t>(range.least, 0));
  if (least > greatest) return std::nullopt;
  return std::pair(least, std::min(static_cast<uint64_t>(range.most), greatest));
}

bool can_fill(const program::CallSite& site, const UnknownFill& fill) {
  const auto is_word = [&](uint32_t n) {
    return n < site.arguments.size() && site.arguments[n].slots == 1 && !site.arguments[n].is_float &&
           site.arguments[n].by_value == 0;
  };
  return is_word(fill.argument) && (!fill.size_argument || is_word(*fill.size_argument));
}

namespace {

bool fills(const program::CallSite& site, const UnknownPolicy& policy) {
  return std::all_of(policy.fills.begin(), policy.fills.end(),
                     [&](const UnknownFill& fill) { return can_fill(site, fill); });
}

}  // namespace

std::vector<UnfittingCall> unfitting_calls(const Image& image, const UnknownCalls& calls) {
  std::vector<UnfittingCall> found;
  for (const UnknownExternal& external : image.unknown) {
    const UnknownPolicy& policy = unknown_policy(calls, external.name);
    if (policy.values.empty() && policy.fills.empty()) continue;
    const auto named = std::find_if(calls.by_name.begin(), calls.by_name.end(),
                                    [&](const auto& entry) { return &entry.second == &policy; });
    const bool by_name = named != calls.by_name.end();
    for (const CodeAddress at : external.calls) {
      const program::Instruction& call = image.program->instruction(at);
      const bool any = std::any_of(policy.values.begin(), policy.values.end(),
                                   [&](const ValueRange& range) { return fitting(range, call).has_value(); });
      if (call.op != program::Opcode::Call) continue;
      const program::CallSite& site = image.program->function(at.function).calls[static_cast<size_t>(call.imm)];
      const bool filled = fills(site, policy);
      const bool returned = policy.values.empty() || (returns_integer(call) ? any : !by_name);
      if (filled && returned) continue;
      const auto arguments = static_cast<uint32_t>(site.arguments.size());
      found.push_back({program::readable_name(external.name), by_name ? named->first : "", call, !filled, arguments});
      break;
    }
  }
  return found;
}

std::vector<std::string> names_that_decide(const Image& image, const UnknownCalls& calls) {
  std::vector<std::string> names;
  for (uint32_t id = 0; id < image.external_count(); ++id) {
    if (image.externals[id].kind != Callee::Kind::Unknown) continue;
    const UnknownPolicy& policy = unknown_policy(calls, image.program->externals()[id].name);
    for (const auto& [name, given] : calls.by_name)
      if (&given == &policy) names.push_back(name);
  }
  return names;
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
