#include "gps.h"

#include <pthread.h>
#include <string.h>

#define SYNC_1 0xb5
#define SYNC_2 0x62
#define HEADER_BYTES 4
#define PAYLOAD_BYTES 32
#define CHECK_AT (HEADER_BYTES + PAYLOAD_BYTES)
#define KIND_POSITION 7

struct Line {
  pthread_mutex_t lock;
  struct Packet packet;
  int fresh;
  int written;
  int read;
};

static struct Line line = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void put_word(unsigned char* at, int value) {
  const unsigned bits = (unsigned)value;
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(bits >> (8 * i));
}

static int get_word(const unsigned char* at) {
  unsigned bits = 0;
  for (int i = 0; i < 4; i++) bits |= (unsigned)at[i] << (8 * i);
  return (int)bits;
}

// Two running sums over everything between the marks and the check bytes.
static void add_up(const struct Packet* packet, unsigned char* first, unsigned char* second) {
  unsigned char a = 0, b = 0;
  for (int i = 2; i < CHECK_AT; i++) {
    a = (unsigned char)(a + packet->bytes[i]);
    b = (unsigned char)(b + a);
  }
  *first = a;
  *second = b;
}

void gps_encode(const struct GpsPosition* position, struct Packet* packet) {
  unsigned char* payload = packet->bytes + HEADER_BYTES;
  memset(packet, 0, sizeof *packet);
  packet->bytes[0] = SYNC_1;
  packet->bytes[1] = SYNC_2;
  packet->bytes[2] = KIND_POSITION;
  packet->bytes[3] = PAYLOAD_BYTES;
  put_word(payload, (int)position->fix);
  put_word(payload + 4, position->east);
  put_word(payload + 8, position->north);
  put_word(payload + 12, position->altitude);
  put_word(payload + 16, position->ground_speed);
  put_word(payload + 20, position->climb);
  put_word(payload + 24, position->course);
  put_word(payload + 28, position->time_ms);
  add_up(packet, &packet->bytes[CHECK_AT], &packet->bytes[CHECK_AT + 1]);
}

static int is_intact(const struct Packet* packet) {
  unsigned char first, second;
  if (packet->bytes[0] != SYNC_1 || packet->bytes[1] != SYNC_2) return 0;
  if (packet->bytes[2] != KIND_POSITION || packet->bytes[3] != PAYLOAD_BYTES) return 0;
  add_up(packet, &first, &second);
  return packet->bytes[CHECK_AT] == first && packet->bytes[CHECK_AT + 1] == second;
}

int gps_parse(const struct Packet* packet, struct GpsPosition* position) {
  const unsigned char* payload = packet->bytes + HEADER_BYTES;
  if (!is_intact(packet)) return 0;
  const int fix = get_word(payload);
  if (fix < kNoFix || fix > kFix3D) return 0;
  position->fix = (enum GpsFix)fix;
  position->east = get_word(payload + 4);
  position->north = get_word(payload + 8);
  position->altitude = get_word(payload + 12);
  position->ground_speed = get_word(payload + 16);
  position->climb = get_word(payload + 20);
  position->course = get_word(payload + 24);
  position->time_ms = get_word(payload + 28);
  return 1;
}

void gps_line_write(const struct Packet* packet) {
  pthread_mutex_lock(&line.lock);
  line.packet = *packet;
  line.fresh = 1;
  line.written++;
  pthread_mutex_unlock(&line.lock);
}

int gps_line_read(struct Packet* packet) {
  pthread_mutex_lock(&line.lock);
  const int fresh = line.fresh;
  if (fresh) {
    *packet = line.packet;
    line.fresh = 0;
    line.read++;
  }
  pthread_mutex_unlock(&line.lock);
  return fresh;
}
