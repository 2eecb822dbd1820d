// An interleaving as a table: one row per line of the project or per step, one column per thread.
//
// In:      the trace of a finding, the style of the output.
// Out:     text lines that fit the width. A line says how many steps are not shown. One column names the thread where
//          the threads do not fit side by side.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>

#include "client/report/source_text.h"
#include "client/report/terminal.h"
#include "client/story/outline.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct TableOptions {
  unsigned indent = 4;
  Detail detail = Detail::Story;
  SourceText* source = nullptr;  // what the lines of the project are read from; null: they are not quoted
};

std::string render_interleaving(const v1::Finding& finding, const Style& style, const TableOptions& options);

}  // namespace heddle::client
