#include "server/base/content_hash.h"

// The functions come with the header: short inputs are as frequent as files, and nothing is linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heddle::base {

ContentHash content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace heddle::base
