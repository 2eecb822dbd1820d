// rand, random, drand48: glibc's generators, so that a seeded program draws the same numbers as natively.
//
// One generator for all threads, as in glibc; where several use it, each draw is a scheduling point (sync/states.cc).
// Bytes from the system come from a generator per thread: what others draw decides nothing about them.
#include <cerrno>
#include <cstring>

#include "server/machine/library/support.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine::models {
namespace {

constexpr int kDegree = 31, kSeparation = 3;

// glibc's additive feedback generator (random_r, TYPE_3).
struct Generator {
  int32_t value[kDegree];
  uint32_t front, rear;
  uint32_t seeded;
};

uint32_t draw(Generator& s) {
  const uint32_t sum = static_cast<uint32_t>(s.value[s.front]) + static_cast<uint32_t>(s.value[s.rear]);
  s.value[s.front] = static_cast<int32_t>(sum);
  s.front = (s.front + 1) % kDegree;
  s.rear = (s.rear + 1) % kDegree;
  return sum >> 1;
}

void seed(Generator& s, uint32_t number) {
  int32_t word = static_cast<int32_t>(number == 0 ? 1 : number);
  s.value[0] = word;
  for (int i = 1; i < kDegree; i++) {  // 16807 * word mod 2^31 - 1, without overflow
    const int64_t high = word / 127773, low = word % 127773;
    word = static_cast<int32_t>(16807 * low - 2836 * high);
    if (word < 0) word += 2147483647;
    s.value[i] = word;
  }
  s.front = kSeparation;
  s.rear = 0;
  s.seeded = 1;
  for (int i = 0; i < kDegree * 10; i++) draw(s);
}

static_assert(sizeof(Generator) <= kGeneratorState.size);
Pointer generator(Guest& g) { return g.process_object(kGeneratorState.name, kGeneratorState.size); }

bool load_generator(Guest& g, Pointer& at, Generator& s) {
  at = generator(g);
  if (!load(g, at, s)) return false;
  if (s.seeded == 0) seed(s, 1);
  return true;
}
bool load_entropy(Guest& g, Pointer& at, Generator& s) {
  at = g.thread_object("heddle.entropy", sizeof(Generator));
  if (!load(g, at, s)) return false;
  if (s.seeded == 0) seed(s, 1 + g.thread().value);
  return true;
}

Status rand_(Guest& g) {
  Pointer at;
  Generator s;
  if (!load_generator(g, at, s)) return Status::Faulted;
  const uint32_t value = draw(s);
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, uint64_t{value});
}

Status srand_(Guest& g) {
  Generator s;
  seed(s, static_cast<uint32_t>(g.argument(0)));
  return done_if(store(g, generator(g), s));
}

Status rand_r_(Guest& g) {
  uint32_t next;
  if (!load(g, g.pointer(0), next)) return Status::Faulted;
  const auto step = [&next] { return next = next * 1103515245 + 12345; };
  uint32_t value = (step() / 65536) % 2048;
  value = value << 10 ^ (step() / 65536) % 1024;
  value = value << 10 ^ (step() / 65536) % 1024;
  if (!store(g, g.pointer(0), next)) return Status::Faulted;
  return done(g, uint64_t{value});
}

// 48-bit linear congruence of numbers of the caller. (That of the process: server/frontend/support/random_state.cc.)
constexpr uint64_t kMask48 = (uint64_t{1} << 48) - 1;
uint64_t step48(uint64_t x) { return (x * 0x5deece66dull + 0xb) & kMask48; }

bool next48_array(Guest& g, uint64_t& x) {
  uint16_t part[3];
  if (!load(g, g.pointer(0), part)) return false;
  x = step48(part[0] | uint64_t{part[1]} << 16 | uint64_t{part[2]} << 32);
  for (int i = 0; i < 3; i++) part[i] = static_cast<uint16_t>(x >> (16 * i));
  return store(g, g.pointer(0), part);
}
double as_fraction(uint64_t x) { return static_cast<double>(x) / static_cast<double>(uint64_t{1} << 48); }

template <bool (*next)(Guest&, uint64_t&)>
Status fraction48(Guest& g) {
  uint64_t x;
  if (!next(g, x)) return Status::Faulted;
  g.result_double(as_fraction(x));
  return Status::Done;
}
template <bool (*next)(Guest&, uint64_t&)>
Status positive48(Guest& g) {
  uint64_t x;
  if (!next(g, x)) return Status::Faulted;
  return done(g, x >> 17);
}
template <bool (*next)(Guest&, uint64_t&)>
Status signed48(Guest& g) {
  uint64_t x;
  if (!next(g, x)) return Status::Faulted;
  return done(g, static_cast<uint64_t>(int64_t{static_cast<int32_t>(x >> 16)}));
}
Status arc4random_(Guest& g) {
  Pointer at;
  Generator s;
  if (!load_entropy(g, at, s)) return Status::Faulted;
  const uint32_t value = draw(s);
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, uint64_t{value});
}
Status arc4random_uniform_(Guest& g) {
  Pointer at;
  Generator s;
  if (!load_entropy(g, at, s)) return Status::Faulted;
  const uint32_t value = draw(s), bound = static_cast<uint32_t>(g.argument(0));
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, uint64_t{bound < 2 ? 0 : value % bound});
}

// getrandom(buffer, size, flags), getentropy(buffer, size), arc4random_buf(buffer, size): reproducible bytes.
bool random_bytes(Guest& g) {
  Pointer at;
  Generator s;
  if (!load_entropy(g, at, s)) return false;
  for (uint64_t i = 0; i < g.argument(1); i++) {
    const uint8_t byte = static_cast<uint8_t>(draw(s) >> 8);
    if (!store(g, after(g.pointer(0), i), byte)) return false;
  }
  return store(g, at, s);
}
Status getrandom_(Guest& g) {
  constexpr uint64_t kBlocking = 1, kBest = 2, kAny = 4;
  const uint64_t flags = g.argument(2) & 0xffffffff;
  if ((flags & ~(kBlocking | kBest | kAny)) != 0 || (flags & (kBest | kAny)) == (kBest | kAny))
    return failed_long(g, EINVAL, -1);
  if (!random_bytes(g)) return Status::Faulted;
  return done(g, g.argument(1));
}
Status getentropy_(Guest& g) {
  if (g.argument(1) > 256) return failed(g, EIO);
  if (!random_bytes(g)) return Status::Faulted;
  return done_int(g, 0);
}
Status arc4random_buf_(Guest& g) { return done_if(random_bytes(g)); }

constexpr BuiltinRow kRows[] = {
    {"rand", rand_},
    {"random", rand_},
    {"srand", srand_},
    {"srandom", srand_},
    {"rand_r", rand_r_},
    {"erand48", fraction48<next48_array>},
    {"nrand48", positive48<next48_array>},
    {"jrand48", signed48<next48_array>},
    {"arc4random", arc4random_},
    {"arc4random_uniform", arc4random_uniform_},
    {"arc4random_buf", arc4random_buf_},
    {"getrandom", getrandom_},
    {"getentropy", getentropy_},
};

}  // namespace

std::span<const BuiltinRow> random_rows() { return kRows; }

}  // namespace heddle::machine::models
