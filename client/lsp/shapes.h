// The protocol's objects (`docs/LSP.md`) from messages of the daemon.
//
// In:      messages, texts.
// Out:     JSON.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; read() is false for JSON that is no such object.
#pragma once

#include <string>

#include "client/lsp/connection.h"
#include "client/lsp/findings.h"
#include "client/lsp/text.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::lsp {

Json json_of(const Position& position);
Json json_of(const Range& range);
// False: it is no such object.
bool read(const Json& json, Position& position);
bool read(const Json& json, Range& range);

Json verdict_json(const v1::Verdict& verdict, uint64_t generation, int64_t unix_ms);
Json suppression_json(const v1::Suppression& suppression);
Json pair_json(const v1::Pair& pair, int index, uint64_t interleavings);
// Of the pairs of a fragment, the state that says most.
std::string fragment_state(const TargetState& target, uint32_t fragment);
std::string finding_state(const v1::Finding& finding);
// "2 pairs clear, 1 with findings": of pairs of one function.
std::string pairs_in_words(const std::vector<const v1::Pair*>& pairs, size_t findings);

}  // namespace heddle::client::lsp
