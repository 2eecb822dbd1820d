// Writes bytes to a descriptor until all are written.
//
// In:      an open descriptor that blocks.
// Out:     the bytes, in order.
// Owns:    nothing.
// Threads: one at a time per descriptor.
// Fails:   false at the first error, which errno names; a part may be written.
#pragma once

#include <string_view>

namespace heddle::disk {

bool write_all(int fd, std::string_view bytes);

}  // namespace heddle::disk
