#include "server/engine/store/seal.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "server/disk/folder.h"
#include "server/disk/read.h"

namespace heddle::engine {
namespace {

constexpr const char* kKeyFile = "ledger.key";

uint64_t word_at(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

struct State {
  uint64_t a, b, c, d;

  void round() {
    a += b, b = std::rotl(b, 13), b ^= a, a = std::rotl(a, 32);
    c += d, d = std::rotl(d, 16), d ^= c;
    a += d, d = std::rotl(d, 21), d ^= a;
    c += b, b = std::rotl(b, 17), b ^= c, c = std::rotl(c, 32);
  }
  void take(uint64_t word) {
    d ^= word;
    round(), round();
    a ^= word;
  }
  uint64_t finish() {
    round(), round(), round(), round();
    return a ^ b ^ c ^ d;
  }
};

std::string given(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Where the key may be, best first.
std::vector<std::string> key_folders() {
  std::vector<std::string> folders;
  if (const std::string state = given("HEDDLE_STATE_DIR"); !state.empty()) folders.push_back(state);
  if (const std::string state = given("XDG_STATE_HOME"); state.starts_with('/')) folders.push_back(state + "/heddle");
  if (const std::string home = given("HOME"); home.starts_with('/')) folders.push_back(home + "/.local/state/heddle");
  if (const std::string cache = given("HEDDLE_CACHE_DIR"); !cache.empty()) folders.push_back(cache);
  return folders;
}

Seal::Key key_of(std::string_view text) {
  // A phrase of any length; what a file holds is random already.
  const auto parts = siphash({0x686564646c65, 0x6c6564676572}, text);
  return {parts[0], parts[1]};
}

std::optional<std::string> known_key(const std::string& folder) {
  const std::string path = folder + "/" + kKeyFile;
  struct stat info{};
  const bool own = ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::getuid() &&
                   (info.st_mode & 0077) == 0;
  std::optional<std::string> text = own ? disk::read_regular(path, 4096) : std::nullopt;
  return text && text->size() >= Seal::kTagBytes ? text : std::nullopt;
}

// The first of several engines that start at once wins.
bool make_key(const std::string& folder, std::string_view text) {
  const disk::Folder at = disk::Folder::open(folder, {}, disk::Folder::Missing::Make);
  return at.writable() && at.write_first(kKeyFile, text);
}

}  // namespace

std::array<uint64_t, 2> siphash(const Seal::Key& key, std::string_view bytes) {
  State s{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d ^ 0xee, key[0] ^ 0x6c7967656e657261,
          key[1] ^ 0x7465646279746573};
  const size_t whole = bytes.size() / 8 * 8;
  for (size_t n = 0; n < whole; n += 8) s.take(word_at(bytes.data() + n));
  uint64_t last = uint64_t{bytes.size()} << 56;
  for (size_t n = whole; n < bytes.size(); ++n)
    last |= uint64_t{static_cast<unsigned char>(bytes[n])} << (8 * (n - whole));
  s.take(last);
  s.c ^= 0xee;
  const uint64_t low = s.finish();
  s.b ^= 0xdd;
  return {low, s.finish()};
}

Seal Seal::of_user() {
  if (const std::string phrase = given("HEDDLE_LEDGER_KEY"); !phrase.empty()) return Seal(key_of(phrase));
  char fresh[32];
  if (::getrandom(fresh, sizeof fresh, 0) != static_cast<ssize_t>(sizeof fresh)) std::abort();
  for (const std::string& folder : key_folders()) {
    if (const auto known = known_key(folder)) return Seal(key_of(*known));
    if (!make_key(folder, {fresh, sizeof fresh})) continue;
    if (const auto known = known_key(folder)) return Seal(key_of(*known));
  }
  return Seal(key_of({fresh, sizeof fresh}));
}

std::string Seal::close(std::string_view place, std::string_view bytes) const {
  // The place has a length of its own: none can be taken for another one with the beginning of the bytes.
  const auto inner = siphash(key_, place);
  const auto tag = siphash({key_[0] ^ inner[0], key_[1] ^ inner[1]}, bytes);
  std::string out(kTagBytes, '\0');
  std::memcpy(out.data(), tag.data(), kTagBytes);
  out += bytes;
  return out;
}

std::optional<std::string> Seal::open(std::string_view place, std::string_view sealed) const {
  if (sealed.size() < kTagBytes) return std::nullopt;
  const auto inner = siphash(key_, place);
  const auto tag = siphash({key_[0] ^ inner[0], key_[1] ^ inner[1]}, sealed.substr(kTagBytes));
  if (std::memcmp(sealed.data(), tag.data(), kTagBytes) != 0) return std::nullopt;
  return std::string(sealed.substr(kTagBytes));
}

}  // namespace heddle::engine
