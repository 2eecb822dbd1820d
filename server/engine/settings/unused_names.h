// Names under `unknown-externals` that decide no call: misspelled, or of a function that something defines by now.
//
// In:      the policies of the settings; the images of a check's programs; the settings files, outer ones first.
// Out:     a warning at each such name of the innermost file. Outer files serve other projects, too.
// Owns:    the names.
// Threads: one.
// Fails:   never.
// From:    docs/SETTINGS.md, "Unknown functions".
#pragma once

#include <set>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/settings/project_settings.h"

namespace heddle::engine {

class UnusedNames {
 public:
  // The image's functions that nothing defines, called or not, are no longer among the names.
  void meet(const machine::Image& image, const machine::UnknownCalls& calls);
  std::vector<v1::Diagnostic> warnings(const machine::UnknownCalls& calls, const std::string& file,
                                       const FileReader& read) const;

 private:
  std::set<std::string> used_;
};

}  // namespace heddle::engine
