// What only an engine knows: are known races found, are the settings valid, which targets does the project have.
//
// In:      the request of the project; whether it is a folder of single files.
// Out:     lines "c", "c++", "settings", "targets", "cache".
// Cost:    two small checks; compiling the project if the engine does not know it, at most 20 s.
// Owns:    engines of its own and a temporary folder, until it returns. Nothing is remembered of the project.
// Threads: one, and one that keeps the time.
// Fails:   by lines of state Error.
#pragma once

#include "client/doctor/finding_line.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

DoctorLines example_lines();
DoctorLines project_lines(const v1::CheckRequest& request, bool single_files);

}  // namespace heddle::client
