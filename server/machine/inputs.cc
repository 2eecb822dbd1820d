// What the project gives the program, in guest memory; and the choices among the values of unknown inputs.
#include "server/machine/inputs.h"

#include "server/machine/library_stream.h"
#include "server/machine/model.h"

namespace heddle::machine {

const std::vector<std::string>& sampled_texts() {
  static const std::vector<std::string> texts = {"", "0", "1", "-1", "2147483647", "x"};
  return texts;
}

// The hidden objects are the same in every interleaving: all texts are made here, choices only select among them.
void Machine::State::prepare_inputs() {
  static const Inputs kNothing;
  const Inputs& given = options_.inputs ? *options_.inputs : kNothing;
  const auto text = [&](const std::string& value) {
    return uint64_t{make_hidden_object(value.size() + 1, value.c_str(), true)} << 32;
  };
  inputs_.argument_vector = process_object("heddle.argv", static_cast<uint32_t>(given.arguments.size() + 2) * 8);
  inputs_.arguments.push_back({text("program")});
  for (const std::vector<std::string>& values : given.arguments) {
    inputs_.arguments.emplace_back();
    for (const std::string& value : values) inputs_.arguments.back().push_back(text(value));
  }
  inputs_.environment_vector =
      process_object("heddle.environment", static_cast<uint32_t>(given.environment.size() + 1) * 8);
  for (const EnvironmentVariable& variable : given.environment) {
    inputs_.environment.emplace_back();
    for (const std::optional<std::string>& value : variable.values)
      inputs_.environment.back().push_back(value ? text(variable.name + "=" + *value) : 0);
  }
  inputs_.standard_input = given.standard_input;
  const auto add_choice = [&](size_t count) {
    if (count > 1) inputs_.choices.push_back(static_cast<uint32_t>(count));
  };
  for (const auto& values : inputs_.arguments) add_choice(values.size());
  for (const auto& values : inputs_.environment) add_choice(values.size());
  add_choice(inputs_.standard_input.size());
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

// All choices are made: the program's view of its inputs is written.
void Machine::State::settle_inputs(Thread& t) {
  uint32_t choice = 0;
  const auto chosen = [&](size_t count) -> uint64_t {
    return count > 1 ? peek(Pointer::make(inputs_.chosen, ++choice * 4), 4) : 0;
  };
  const auto put_address = [&](uint32_t object, uint32_t index, uint64_t address) {
    write(t, Pointer::make(object, index * 8), &address, 8);
  };
  for (uint32_t n = 0; n < inputs_.arguments.size(); ++n)
    put_address(inputs_.argument_vector, n, inputs_.arguments[n][chosen(inputs_.arguments[n].size())]);
  uint32_t set = 0;
  for (const std::vector<uint64_t>& values : inputs_.environment) {
    const uint64_t address = values[chosen(values.size())];
    if (address != 0) put_address(inputs_.environment_vector, set++, address);
  }
  CallGuest& guest = *guest_;
  guest.begin(t, nullptr, nullptr, t.fp);
  if (!inputs_.standard_input.empty())
    models::give_standard_input(guest, inputs_.standard_input[chosen(inputs_.standard_input.size())]);
  if (options_.inputs)
    for (const InputFile& file : options_.inputs->files) models::give_file(guest, file.path, file.content);
}

}  // namespace heddle::machine
