// Converts plain data of the stages to protobuf messages, and formats counts and times.
//
// In:      findings, statistics, results, diagnostics, fragments, pairs, an impact; numbers.
// Out:     messages and short texts.
// Owns:    nothing; values.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/explorer.pb.h"
#include "heddle/v1/heddle.pb.h"
#include "server/edit/edit.h"
#include "server/explore/explore.h"
#include "server/frontend/frontend.h"
#include "server/text/numbers.h"
#include "server/verdict/merge.h"

namespace heddle::engine {

using text::counted;
using verdict::add;

v1::Place place_to_proto(const detect::SourcePlace& place);
v1::Finding to_proto(const detect::Finding& finding);
v1::Statistics to_proto(const explore::Statistics& statistics);
v1::JobResult to_proto(const explore::Result& result);
v1::Diagnostic to_proto(const frontend::Diagnostic& diagnostic);
v1::Fragment to_proto(const analysis::Facts& facts, const edit::Fragment& fragment);
v1::Pair to_proto(const analysis::Facts& facts, const edit::Pair& pair);
// Everything of the impact; `relevant` may be null.
v1::Diffed to_proto(const analysis::Facts& facts, const edit::Impact& impact, const edit::Relevant* relevant);

std::string thread_text(const analysis::Facts& facts, edit::ThreadName name);  // "main", "worker #1"

std::string memory_model_name(uint32_t model);  // of a v1::MemoryModel, as on the command line

}  // namespace heddle::engine
