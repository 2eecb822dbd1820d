// Clients from outside of the program: by the project's settings they connect to its listening sockets and send unknown
// bytes. What a descriptor is, is guest text (server/frontend/support/sockets.cc); here is what comes from outside.
#include <algorithm>

#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/symbolic/values.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

constexpr const char* kClients = "heddle.clients";  // how many have connected, four bytes

const Inputs& given(const Machine::State& s) {
  static const Inputs kNothing;
  return s.options_.inputs ? *s.options_.inputs : kNothing;
}

uint32_t clients_that_came(const Machine::State& s) {
  const auto known = s.process_objects_.find(std::string_view(kClients));
  if (known == s.process_objects_.end()) return 0;
  return static_cast<uint32_t>(s.peek(Pointer::make(known->second, 0), 4));
}

// int heddle.next_client(int connects): its number, from 1; 0: no more will come. The caller holds a lock.
Status next_client(Guest& g) {
  Machine::State& s = static_cast<CallGuest&>(g).s;
  const uint32_t next = clients_that_came(s) + 1;
  if (next > given(s).clients) return models::done_int(g, 0);
  if (g.int_argument(0) != 0 && !g.write(Pointer::make(s.process_object(kClients, 4), 0), &next, 4))
    return Status::Faulted;
  return models::done_int(g, static_cast<int32_t>(next));
}

Status clients(Guest& g) {
  return models::done_int(g, static_cast<int32_t>(given(static_cast<CallGuest&>(g).s).clients));
}
Status client_bytes(Guest& g) {
  return models::done_int(g, static_cast<int32_t>(given(static_cast<CallGuest&>(g).s).client_bytes));
}

// Where data is sampled: those that fit.
std::vector<std::string> samples(uint64_t most) {
  std::vector<std::string> texts = sampled_texts();
  std::erase_if(texts, [&](const std::string& text) { return text.size() > most; });
  return texts;
}

// long heddle.receive(int client, void* to, size_t most): the next bytes, any number of them; none: it sends no more.
void receive(SyncCall& call) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const Pointer to{call.argument(1)};
  const bool symbolic = s.options_.unknown_data == UnknownData::Symbolic;
  const std::string text = symbolic ? std::string(call.alternative, '0') : samples(call.argument(2))[call.alternative];
  if (!text.empty() && !s.write(t, to, text.data(), static_cast<uint32_t>(text.size()))) return;
  if (symbolic) s.make_unknown(t, to, text.size(), name_of_client(static_cast<uint32_t>(call.argument(0))), true);
  call.event.value_read = text.size();
  call.result(text.size());
}

}  // namespace

uint32_t outside_alternatives(const Machine::State& s, const Thread& t) {
  const CallInfo& info = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  const uint64_t most = t.stack[t.fp + info.site->arguments[2].slot];
  if (s.options_.unknown_data != UnknownData::Symbolic) return static_cast<uint32_t>(samples(most).size());
  return static_cast<uint32_t>(std::min<uint64_t>(most, kUnknownLengthMost)) + 1;
}

bool Machine::all_clients_came() const {
  const uint32_t all = given(*state_).clients;
  return all != 0 && clients_that_came(*state_) == all;
}

// What they sent, as far as the program read it.
void Machine::State::add_clients(std::vector<InputText>& all) const {
  if (options_.unknown_data != UnknownData::Symbolic) return;
  for (uint32_t n = 1; n <= clients_that_came(*this); ++n) {
    const std::string name = name_of_client(n);
    const auto found = std::find(inputs_.unknown.begin(), inputs_.unknown.end(), name);
    all.push_back(
        {InputKind::Connection, name, unknown_text(static_cast<uint32_t>(found - inputs_.unknown.begin())), false});
  }
}

std::span<const VisibleRow> outside_rows() {
  static const VisibleRow rows[] = {
      {"heddle.receive", OperationKind::DataChoice, -1, -1, false, receive, {}, kReceives},
  };
  return rows;
}

std::span<const BuiltinRow> outside_builtins() {
  static const BuiltinRow rows[] = {
      {"heddle.client_bytes", client_bytes},
      {"heddle.clients", clients},
      {"heddle.next_client", next_client},
  };
  return rows;
}

}  // namespace heddle::machine
