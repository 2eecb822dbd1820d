// The edits that the demo and the benchmark save into the examples, and the verdict each must get.
//
// In:      the text of a source file of the example; a round, which makes the text new without changing its kind, so
//          that a repeated measurement is not answered from the books. Round 0 is the edit as a person would make it.
// Out:     the edited text.
// Fails:   apply() throws std::runtime_error if the example no longer contains what the edit replaces.
// Owns:    constant data. Threads: constant data.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::tour {

struct Edit {
  std::string name;
  std::string file;                                          // relative to the example
  std::string unit = {};                                     // of a header: a file that includes it
  std::vector<std::pair<std::string, std::string>> changes;  // old text (occurs once) -> new text; @ becomes the round
  std::string rule;                                          // of a finding that must be reported; empty: clear
  std::vector<std::string> also;                             // rules of its consequences, which may be reported too
  std::vector<std::string> lines;                            // texts of lines, one of which must be among its places
  std::string elsewhere = {};                                // or the file where what it breaks shows, at any line
  bool harmless = false;                                     // must start no exploration
};

struct Example {
  std::string name;                      // of its folder
  std::string introduction;              // one sentence
  std::vector<std::string> syntax_only;  // the compiler that a save is measured against, without the file
  std::vector<Edit> edits;
};

Example jobserver();
Example quoteserver();
const std::vector<Example>& examples();
std::vector<std::string> example_names();

std::string apply(const Edit& edit, const std::string& text, int round);

}  // namespace heddle::tour
