// `heddle doctor`: is everything there that a check needs?
//
// In:      the request of the current folder, and where the user is.
// Out:     one line each, as text or JSON lines; true if no line is an error.
// Owns:    nothing after it returns; what `fix` mends, see the README.
// Threads: one.
// Fails:   never; what is wrong is a line.
#pragma once

#include <cstdio>
#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct DoctorQuestion {
  v1::CheckRequest request;
  std::string folder;         // where the user is
  bool single_files = false;  // there is no project here
  bool fix = false, json = false;
  Style style;
};
bool run_doctor(const DoctorQuestion& question, std::FILE* out);

}  // namespace heddle::client
