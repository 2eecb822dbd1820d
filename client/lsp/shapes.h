// The protocol's objects (`docs/LSP.md`) from messages of the daemon.
//
// In:      messages, texts.
// Out:     JSON.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; read() is false for JSON that is no such object.
#pragma once

#include <string>
#include <vector>

#include "client/lsp/connection.h"
#include "client/lsp/findings.h"
#include "client/lsp/text.h"
#include "client/lsp/verdict_model.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::lsp {

Json json_of(const Position& position);
Json json_of(const Range& range);
// False: it is no such object.
bool read(const Json& json, Position& position);
bool read(const Json& json, Range& range);

Json verdict_json(const v1::Verdict& verdict, uint64_t generation, int64_t unix_ms);
Json suppression_json(const v1::Suppression& suppression);
Json pair_json(const v1::Pair& pair, int index, uint64_t interleavings, const Answer& answer);
// {state, code?, reason?}
Json answer_json(const Answer& answer);
// What mends what an answer says: {title, command}; null: nothing does, or only an edit.
Json remedy_json(const std::string& code, bool interleaving_view);
std::string finding_state(const v1::Finding& finding);
// "2 pairs clear, 1 with a finding": of pairs of one function.
std::string pairs_in_words(const std::vector<Answer>& pairs);

}  // namespace heddle::client::lsp
