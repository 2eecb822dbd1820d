// Random numbers whose state the program may see or set: drand48 and its like (one state for the process), and the
// generators of random_r, whose state is the caller's. Both as the C library computes them.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// What threads that call drand48 and its like share.
static struct {
  uint64_t x = 0, factor = 0x5deece66d, added = 0xb;
  unsigned short before[3] = {};
} drand48_state;

namespace {

constexpr uint64_t kMask48 = (uint64_t{1} << 48) - 1;

uint64_t step48(uint64_t x) { return (x * drand48_state.factor + drand48_state.added) & kMask48; }
uint64_t next48() { return drand48_state.x = step48(drand48_state.x); }
uint64_t number_of(const unsigned short* part) { return part[0] | uint64_t{part[1]} << 16 | uint64_t{part[2]} << 32; }
uint64_t next48(unsigned short* part) {
  const uint64_t x = step48(number_of(part));
  for (int n = 0; n < 3; ++n) part[n] = static_cast<unsigned short>(x >> 16 * n);
  return x;
}
double fraction(uint64_t x) { return static_cast<double>(x) / static_cast<double>(uint64_t{1} << 48); }
void set_factors(uint64_t factor, uint64_t added) {
  drand48_state.factor = factor;
  drand48_state.added = added;
}

// Additive feedback over `degree` words, the second tap `separation` after the first (random(3)).
constexpr int kDegree[] = {0, 7, 15, 31, 63}, kSeparation[] = {0, 3, 1, 3, 1};
constexpr size_t kBytes[] = {8, 32, 64, 128, 256};
constexpr int kTypes = 5;

// In front of the words: the type and where the second tap stands.
int32_t kind_word(const random_data* data) {
  const int type = data->rand_type;
  return type == 0 ? 0 : kTypes * static_cast<int32_t>(data->rptr - data->state) + type;
}
void set_type(random_data* data, int type, int32_t* state) {
  data->rand_type = type;
  data->rand_deg = kDegree[type];
  data->rand_sep = kSeparation[type];
  data->state = state;
  data->end_ptr = state + kDegree[type];
}
int refuse() {
  errno = EINVAL;
  return -1;
}

}  // namespace

extern "C" {

double drand48() { return fraction(next48()); }
long lrand48() { return static_cast<long>(next48() >> 17); }
long mrand48() { return static_cast<int32_t>(next48() >> 16); }
double erand48(unsigned short part[3]) { return fraction(next48(part)); }
long nrand48(unsigned short part[3]) { return static_cast<long>(next48(part) >> 17); }
long jrand48(unsigned short part[3]) { return static_cast<int32_t>(next48(part) >> 16); }
void srand48(long seed) {
  drand48_state.x = (static_cast<uint64_t>(seed) & 0xffffffff) << 16 | 0x330e;
  set_factors(0x5deece66d, 0xb);
}
unsigned short* seed48(unsigned short part[3]) {
  for (int n = 0; n < 3; ++n) drand48_state.before[n] = static_cast<unsigned short>(drand48_state.x >> 16 * n);
  drand48_state.x = number_of(part);
  set_factors(0x5deece66d, 0xb);
  return drand48_state.before;
}
void lcong48(unsigned short part[7]) {
  drand48_state.x = number_of(part);
  set_factors(number_of(part + 3), part[6]);
}

int random_r(random_data* data, int32_t* result) {
  if (data == nullptr || result == nullptr || data->state == nullptr) return refuse();
  if (data->rand_type == 0) {
    *result = data->state[0] =
        static_cast<int32_t>((static_cast<uint32_t>(data->state[0]) * 1103515245u + 12345u) & 0x7fffffff);
    return 0;
  }
  const uint32_t sum = static_cast<uint32_t>(*data->fptr) + static_cast<uint32_t>(*data->rptr);
  *data->fptr = static_cast<int32_t>(sum);
  *result = static_cast<int32_t>(sum >> 1);
  if (++data->fptr == data->end_ptr) data->fptr = data->state;
  if (++data->rptr == data->end_ptr) data->rptr = data->state;
  return 0;
}

int srandom_r(unsigned seed, random_data* data) {
  if (data == nullptr || data->state == nullptr) return refuse();
  int32_t word = seed == 0 ? 1 : static_cast<int32_t>(seed);
  data->state[0] = word;
  if (data->rand_type == 0) return 0;
  for (int n = 1; n < data->rand_deg; ++n) {
    word = static_cast<int32_t>(int64_t{16807} * (word % 127773) - int64_t{2836} * (word / 127773));
    if (word < 0) word += 2147483647;
    data->state[n] = word;
  }
  data->fptr = data->state + data->rand_sep;
  data->rptr = data->state;
  for (int n = 0; n < 10 * data->rand_deg; ++n) {
    int32_t unused;
    random_r(data, &unused);
  }
  return 0;
}

int initstate_r(unsigned seed, char* buffer, size_t size, random_data* data) {
  if (data == nullptr || buffer == nullptr || size < kBytes[0]) return refuse();
  if (data->state != nullptr) data->state[-1] = kind_word(data);
  int type = kTypes - 1;
  while (size < kBytes[type]) --type;
  set_type(data, type, reinterpret_cast<int32_t*>(buffer) + 1);
  srandom_r(seed, data);
  data->state[-1] = kind_word(data);
  return 0;
}

int setstate_r(char* buffer, random_data* data) {
  if (data == nullptr || buffer == nullptr) return refuse();
  if (data->state != nullptr) data->state[-1] = kind_word(data);
  int32_t* const state = reinterpret_cast<int32_t*>(buffer) + 1;
  const int type = state[-1] % kTypes, second = state[-1] / kTypes;
  if (type < 0) return refuse();
  set_type(data, type, state);
  if (type == 0) return 0;
  data->rptr = state + second;
  data->fptr = state + (second + kSeparation[type]) % kDegree[type];
  return 0;
}

}  // extern "C"
