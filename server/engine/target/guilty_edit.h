// Which changed fragments a finding runs through: what an edit did that made it so.
//
// In:      what a check found changed, a finding of the same check.
// Out:     at most kGuiltyMost fragments, the likeliest first: those around the finding's places, then those that its
//          interleaving executes. Deleted code counts before inserted code.
// Owns:    nothing.
// Threads: pure function, callable anywhere.
// Fails:   never; none where the edit is elsewhere.
#pragma once

#include <cstddef>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

inline constexpr size_t kGuiltyMost = 2;
std::vector<v1::Fragment> guilty_edit(const v1::Diffed& diffed, const v1::Finding& finding);
// Did a later edit take back what the fragment names first? What was deleted is there again, also a lock of another kind;
// what was inserted is gone; what was changed is changed again.
bool is_undone(const v1::Fragment& fragment, const v1::Diffed& later);

}  // namespace heddle::engine
