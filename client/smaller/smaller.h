// A smaller configuration of a program that is too large to be explored: fewer threads, tasks or rounds.
//
// In:      the request of a check, and the verdict of a target that ended at its time limit, or whose paths are
//          too long.
// Out:     the largest configuration found that is explored to its end, with what it shows. It says nothing about the
//          program as it stands.
// Cost:    trial checks, for the seconds given.
// Owns:    nothing; no file is written.
// Threads: one; blocks.
// Fails:   by value: none, if no smaller configuration compiles and is explored in time.
#pragma once

#include <functional>
#include <optional>

#include "client/fix/situation.h"
#include "client/link/backend.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client::smaller {

// Whether the target could be explored no further in its time, and its numbers may be changed: the texts are the
// disk's.
bool is_too_large(const v1::CheckRequest& request, const v1::Event& verdict);

std::optional<v1::Smaller> smaller_configuration(Backend& backend, const v1::CheckRequest& request,
                                                 const v1::Event& verdict, const fix::ReadText& read, double seconds,
                                                 const std::function<bool()>& cancelled);

}  // namespace heddle::client::smaller
