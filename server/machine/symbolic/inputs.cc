// What the project gives the program, in guest memory; and the choices among the values of unknown inputs.
#include "server/machine/symbolic/inputs.h"

#include <algorithm>

#include "server/machine/library/model.h"
#include "server/machine/library/stream.h"
#include "server/machine/symbolic/looked_at.h"
#include "server/machine/symbolic/values.h"

namespace heddle::machine {

const std::vector<std::string>& sampled_texts() {
  static const std::vector<std::string> texts = {"", "0", "1", "-1", "2147483647", "x"};
  return texts;
}

std::string name_of_argument(size_t number) { return "argv[" + std::to_string(number) + "]"; }
std::string name_of_variable(const std::string& name) { return "environment variable " + name; }
std::string name_of_file(const std::string& path) { return "file " + path; }
std::string name_of_client(uint32_t number) { return "connection " + std::to_string(number); }

namespace {

constexpr char kLeast = '0';  // Symbols::new_byte

// Every length of an unknown text; nothing: it is known, or sampled.
std::vector<std::string> lengths(const Options& options, const std::string& name) {
  std::vector<std::string> texts;
  if (options.inputs == nullptr || options.unknown_data != UnknownData::Symbolic) return texts;
  const auto found = options.inputs->unknown.find(name);
  if (found == options.inputs->unknown.end()) return texts;
  for (uint32_t length = 0; length <= found->second; ++length) texts.emplace_back(length, kLeast);
  return texts;
}

bool chooses(const Inputs& given) {
  const auto several = [](const auto& values) { return values.size() > 1; };
  return !given.unknown.empty() || several(given.standard_input) ||
         std::any_of(given.arguments.begin(), given.arguments.end(), several) ||
         std::any_of(given.environment.begin(), given.environment.end(),
                     [&](const EnvironmentVariable& variable) { return several(variable.values); });
}

}  // namespace

// The hidden objects are the same in every interleaving: all texts are made here, choices only select among them.
void Machine::State::prepare_inputs() {
  static const Inputs kNothing;
  const Inputs& given = options_.inputs ? *options_.inputs : kNothing;
  const auto text = [&](const std::string& value) {
    return uint64_t{memory_.make_hidden("input " + value, value.size() + 1, value.c_str(), true)} << 32;
  };
  const LookedAt looks = chooses(given) ? looked_at(*image_) : LookedAt{};
  // Where nothing looks at it, one value stands for all.
  const auto values_of = [&](const std::string& name, std::vector<std::string> values, bool looked) {
    std::vector<std::string> unknown = lengths(options_, name);
    if (!looked) values.resize(std::min<size_t>(values.size(), 1));
    if (unknown.empty() || !looked) return values;
    inputs_.unknown.push_back(name);
    return unknown;
  };
  inputs_.argument_vector = process_object("heddle.argv", static_cast<uint32_t>(given.arguments.size() + 2) * 8);
  inputs_.arguments.push_back({text("program")});
  for (const std::vector<std::string>& values : given.arguments) {
    const std::string name = name_of_argument(inputs_.arguments.size());
    inputs_.arguments.emplace_back();
    for (const std::string& value : values_of(name, values, looks.arguments))
      inputs_.arguments.back().push_back(text(value));
  }
  inputs_.environment_vector =
      process_object("heddle.environment", static_cast<uint32_t>(given.environment.size() + 1) * 8);
  for (const EnvironmentVariable& variable : given.environment) {
    std::vector<uint64_t>& addresses = inputs_.environment.emplace_back();
    std::vector<std::string> values;
    for (const std::optional<std::string>& value : variable.values) {
      if (value)
        values.push_back(*value);
      else
        addresses.push_back(0);
    }
    for (const std::string& value : values_of(name_of_variable(variable.name), values, looks.environment))
      addresses.push_back(text(variable.name + "=" + value));
    if (!looks.environment) addresses.resize(std::min<size_t>(addresses.size(), 1));
  }
  inputs_.standard_input = values_of(kStandardInput, given.standard_input, looks.standard_input);
  if (inputs_.standard_input.size() > 1 && !inputs_.unknown.empty() && inputs_.unknown.back() == kStandardInput)
    inputs_.unknown.push_back(kPiecesOfInput);
  for (const InputFile& file : given.files)
    inputs_.files.push_back(values_of(
        name_of_file(file.path), file.unknown ? sampled_texts() : std::vector<std::string>{file.content}, looks.files));
  for (uint32_t n = 1; n <= given.clients; ++n) inputs_.unknown.push_back(name_of_client(n));
  const auto add_choice = [&](size_t count) {
    if (count > 1) inputs_.choices.push_back(static_cast<uint32_t>(count));
  };
  for (const auto& values : inputs_.arguments) add_choice(values.size());
  for (const auto& values : inputs_.environment) add_choice(values.size());
  add_choice(inputs_.standard_input.size());
  for (const auto& values : inputs_.files) add_choice(values.size());
  inputs_.chosen = process_object("heddle.chosen", static_cast<uint32_t>(inputs_.choices.size() + 1) * 4);
}

uint32_t Machine::State::input_alternatives(uint32_t choice) const {
  return choice < inputs_.choices.size() ? inputs_.choices[choice] : 0;
}

void Machine::State::choose_input(Thread& t, uint32_t alternative) {
  auto next = static_cast<uint32_t>(peek(Pointer::make(inputs_.chosen, 0), 4));
  ++next;
  write(t, Pointer::make(inputs_.chosen, next * 4), &alternative, 4);
  write(t, Pointer::make(inputs_.chosen, 0), &next, 4);
  if (next < inputs_.choices.size()) return;
  t.phase = Phase::Normal;
  settle_inputs(t);
}

std::vector<uint32_t> Machine::State::chosen_inputs() const {
  std::vector<uint32_t> result;
  if (peek(Pointer::make(inputs_.chosen, 0), 4) < inputs_.choices.size()) return result;
  for (uint32_t n = 1; n <= inputs_.choices.size(); ++n)
    result.push_back(static_cast<uint32_t>(peek(Pointer::make(inputs_.chosen, n * 4), 4)));
  return result;
}

void Machine::State::make_unknown(Thread& t, Pointer at, uint64_t size, const std::string& name, bool with_zeros) {
  const auto found = std::find(inputs_.unknown.begin(), inputs_.unknown.end(), name);
  if (found == inputs_.unknown.end() || size == 0) return;
  symbolic::Pool& pool = symbols().pool();
  for (uint64_t n = 0; n < size; ++n) {
    const Expression byte = symbols_->new_byte(t.id, static_cast<uint32_t>(found - inputs_.unknown.begin()));
    const auto value = static_cast<char>(symbols_->value_of(byte));  // another than the least if inputs were given
    if (value != kLeast) write(t, {at.bits + n}, &value, 1);
    symbols_->set_byte(at.bits + n, byte, 0);
    const Expression is_zero = pool.binary(symbolic::Operation::Equal, byte, pool.constant(8, 0));
    if (!with_zeros) assume_of_input(t, pool.complement(is_zero));
  }
}

Symbols& Machine::State::symbols() {
  if (symbols_ == nullptr) symbols_ = std::make_unique<Symbols>(options_.exact_spins, options_.given_values.get());
  return *symbols_;
}

// What every value of a new input satisfies. Given values may be of another version of the program.
bool Machine::State::assume_of_input(Thread& t, Expression condition) {
  if (symbols_->given() && !symbols_->can_hold(condition))
    return fault(t, FaultKind::Unsupported, "takes an input that the given values do not fit");
  if (symbols_->assume(condition)) renew(*this);
  return true;
}

// All choices are made: the program's view of its inputs is written.
void Machine::State::settle_inputs(Thread& t) {
  static const Inputs kNothing;
  const Inputs& given = options_.inputs ? *options_.inputs : kNothing;
  const std::vector<uint32_t> choices = chosen_inputs();
  uint32_t choice = 0;
  const auto chosen = [&](const auto& values) { return values[values.size() > 1 ? choices[choice++] : 0]; };
  const auto put_address = [&](uint32_t object, uint32_t index, uint64_t address) {
    write(t, Pointer::make(object, index * 8), &address, 8);
  };
  const auto length = [&](uint64_t address) { return memory_.find(address)->size - 1; };
  for (uint32_t n = 0; n < inputs_.arguments.size(); ++n) {
    const uint64_t address = chosen(inputs_.arguments[n]);
    put_address(inputs_.argument_vector, n, address);
    make_unknown(t, {address}, length(address), name_of_argument(n), false);
  }
  uint32_t set = 0;
  for (uint32_t n = 0; n < inputs_.environment.size(); ++n) {
    const uint64_t address = chosen(inputs_.environment[n]), name = given.environment[n].name.size() + 1;
    if (address == 0) continue;
    put_address(inputs_.environment_vector, set++, address);
    make_unknown(t, {address + name}, length(address) - name, name_of_variable(given.environment[n].name), false);
  }
  CallGuest& guest = *guest_;
  guest.begin(t, nullptr, nullptr, t.fp);
  if (!inputs_.standard_input.empty()) {
    const std::string text = chosen(inputs_.standard_input);
    models::give_standard_input(guest, text);
    make_unknown(t, models::standard_input_content(guest), text.size(), kStandardInput, true);
    if (std::find(inputs_.unknown.begin(), inputs_.unknown.end(), kPiecesOfInput) != inputs_.unknown.end() &&
        text.size() > 1) {
      const auto joints = static_cast<uint32_t>(text.size() - 1);
      make_unknown(t, models::make_input_pieces(guest, joints + 1), joints, kPiecesOfInput, true);
    }
  }
  for (uint32_t n = 0; n < inputs_.files.size(); ++n) {
    const std::string text = chosen(inputs_.files[n]);
    const std::string& path = given.files[n].path;
    if (!models::give_file(guest, path, text)) return;
    make_unknown(t, models::content_of(guest, path), text.size(), name_of_file(path), true);
  }
}

// Of an unknown text the bytes are in the table of inputs.
std::string Machine::State::unknown_text(uint32_t number) const {
  std::string text;
  for (size_t n = 0; symbols_ != nullptr && n < symbols_->inputs().size(); ++n) {
    const Symbols::Input& input = symbols_->inputs()[n];
    if (input.text == number) text.push_back(static_cast<char>(symbols_->value_of(input) ^ uint64_t{kLeast}));
  }
  return text;
}

void Machine::State::add_pieces(std::vector<InputText>& all) const {
  const auto found = std::find(inputs_.unknown.begin(), inputs_.unknown.end(), kPiecesOfInput);
  if (found == inputs_.unknown.end() || all.empty() || all.back().kind != InputKind::StandardInput) return;
  const std::string joints = unknown_text(static_cast<uint32_t>(found - inputs_.unknown.begin()));
  size_t begin = 0;
  for (size_t n = 0; n < joints.size(); ++n) {
    if (joints[n] == models::kNoStop) continue;
    all.back().pieces.push_back(n + 1 - begin);
    begin = n + 1;
  }
}

std::vector<Machine::InputText> Machine::State::input_texts() const {
  std::vector<InputText> result;
  const std::vector<uint32_t> choices = chosen_inputs();
  if (options_.inputs == nullptr || choices.size() < inputs_.choices.size()) return result;
  const Inputs& given = *options_.inputs;
  using Values = std::vector<std::optional<std::string>>;
  uint32_t choice = 0;
  // `id`: as Inputs::unknown has it.
  const auto add = [&](InputKind kind, const std::string& name, const std::string& id, size_t count,
                       const Values& values) {
    const bool chosen = count > 1;
    const uint32_t value = chosen ? choices[choice++] : 0;
    const auto found = std::find(inputs_.unknown.begin(), inputs_.unknown.end(), id);
    std::optional<std::string> text = value < values.size() ? values[value] : std::nullopt;
    const bool missing = value < values.size() && !values[value];
    if (found != inputs_.unknown.end() && !missing)
      text = unknown_text(static_cast<uint32_t>(found - inputs_.unknown.begin()));
    if (chosen || text) result.push_back({kind, name, std::move(text), !chosen});
  };
  const auto texts = [](const std::vector<std::string>& all) { return Values(all.begin(), all.end()); };
  for (size_t n = 1; n < inputs_.arguments.size(); ++n)
    add(InputKind::Argument, name_of_argument(n), name_of_argument(n), inputs_.arguments[n].size(),
        texts(given.arguments[n - 1]));
  for (size_t n = 0; n < inputs_.environment.size(); ++n) {
    Values values = given.environment[n].values;  // a missing one comes first
    std::stable_partition(values.begin(), values.end(), [](const auto& value) { return !value.has_value(); });
    const std::string& name = given.environment[n].name;
    add(InputKind::Variable, name, name_of_variable(name), inputs_.environment[n].size(), values);
  }
  add(InputKind::StandardInput, kStandardInput, kStandardInput, inputs_.standard_input.size(),
      texts(given.standard_input));
  add_pieces(result);
  for (size_t n = 0; n < inputs_.files.size(); ++n) {
    const InputFile& file = given.files[n];
    add(InputKind::File, file.path, name_of_file(file.path), inputs_.files[n].size(),
        file.unknown ? texts(sampled_texts()) : Values{file.content});
  }
  add_clients(result);
  return result;
}

}  // namespace heddle::machine
