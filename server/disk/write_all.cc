#include "server/disk/write_all.h"

#include <errno.h>
#include <unistd.h>

namespace heddle::disk {

bool write_all(int fd, std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (wrote > 0)
      done += static_cast<size_t>(wrote);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

}  // namespace heddle::disk
