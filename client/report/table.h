// An interleaving as a table: one row per step, one column per thread.
//
// In:      the trace of a finding, the style of the output.
// Out:     text lines that fit the width. Rows are cut (a line says how many) if there are more than rows_max. Where
//          the threads do not fit side by side, one column names the thread instead.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct TableOptions {
  unsigned indent = 4;
  size_t rows_max = 32;  // 0: all
};

std::string render_interleaving(const v1::Finding& finding, const Style& style, const TableOptions& options);

}  // namespace heddle::client
