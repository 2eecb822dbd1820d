// `heddle mcp`: the Model Context Protocol on standard input and output.
//
// In:      messages of JSON-RPC 2.0, one per line, until the input ends.
// Out:     one line per request.
// Owns:    nothing.
// Threads: one.
// Fails:   never; mistakes are answered with the protocol's errors.
// Source:  Model Context Protocol, revision 2025-06-18: Base Protocol, Lifecycle, Tools.
#pragma once

#include <istream>
#include <ostream>

namespace heddle::client {

void run_mcp(std::istream& in, std::ostream& out);

}  // namespace heddle::client
