#include "telemetry.h"

#include <assert.h>
#include <pthread.h>

#include "autopilot.h"
#include "estimator.h"
#include "navigation.h"

#define RING_BYTES 64
#define MESSAGE_MAX 24
#define START_BYTE 0x05

enum MessageKind { kAlive, kAttitude, kPosition, kModeOf, kNavigationOf, kSupplyOf, kMessageKinds };

struct Ring {
  pthread_mutex_t lock;
  unsigned char bytes[RING_BYTES];
  int first;
  int used;
  struct TelemetryCounts counts;
};

// A message that is being made.
struct Draft {
  unsigned char bytes[MESSAGE_MAX];
  int length;
  int checksum;
};

static struct Ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void draft_add_byte(struct Draft* draft, int byte) {
  assert(draft->length < MESSAGE_MAX);
  draft->bytes[draft->length++] = (unsigned char)byte;
  draft->checksum = (draft->checksum + byte) & 0xff;
}

static void draft_add_short(struct Draft* draft, int value) {
  draft_add_byte(draft, value & 0xff);
  draft_add_byte(draft, (value >> 8) & 0xff);
}

static void draft_begin(struct Draft* draft, enum MessageKind kind) {
  draft->length = 0;
  draft->checksum = 0;
  draft_add_byte(draft, START_BYTE);
  draft_add_byte(draft, (int)kind);
}

// A message is written whole or not at all.
static void ring_write(const struct Draft* draft) {
  pthread_mutex_lock(&ring.lock);
  if (ring.used + draft->length > RING_BYTES) {
    ring.counts.bytes_lost += draft->length;
  } else {
    for (int i = 0; i < draft->length; i++) {
      ring.bytes[(ring.first + ring.used) % RING_BYTES] = draft->bytes[i];
      ring.used++;
    }
    ring.counts.bytes_written += draft->length;
    ring.counts.messages++;
  }
  pthread_mutex_unlock(&ring.lock);
}

static void draft_end(struct Draft* draft) {
  draft_add_byte(draft, draft->checksum);
  ring_write(draft);
}

static void send_alive(struct Draft* draft, const struct Task* task) {
  draft_begin(draft, kAlive);
  draft_add_short(draft, task->runs_made);
  draft_end(draft);
}

static void send_attitude(struct Draft* draft) {
  const struct Estimate estimate = estimator_copy();
  draft_begin(draft, kAttitude);
  draft_add_short(draft, estimate.roll);
  draft_add_short(draft, estimate.pitch);
  draft_add_short(draft, estimate.course);
  draft_end(draft);
}

static void send_position(struct Draft* draft) {
  const struct Estimate estimate = estimator_copy();
  draft_begin(draft, kPosition);
  draft_add_short(draft, estimate.x / 100);
  draft_add_short(draft, estimate.y / 100);
  draft_add_short(draft, estimate.altitude / 100);
  draft_add_short(draft, estimate.ground_speed);
  draft_end(draft);
}

static void send_mode(struct Draft* draft) {
  const struct Modes modes = autopilot_modes();
  draft_begin(draft, kModeOf);
  draft_add_byte(draft, (int)modes.mode);
  draft_add_byte(draft, (int)modes.lateral);
  draft_add_byte(draft, (int)modes.vertical);
  draft_end(draft);
}

static void send_navigation(struct Draft* draft) {
  const struct NavigationReport report = navigation_report();
  draft_begin(draft, kNavigationOf);
  draft_add_byte(draft, report.block);
  draft_add_byte(draft, report.stage);
  draft_add_short(draft, report.distance_to_home / 100);
  draft_end(draft);
}

static void send_supply(struct Draft* draft) {
  draft_begin(draft, kSupplyOf);
  draft_add_short(draft, autopilot_supply());
  draft_end(draft);
}

// Each run sends one kind of message, in turn.
static void run_reporting(struct Task* task) {
  struct Draft draft;
  switch ((enum MessageKind)(task->runs_made % kMessageKinds)) {
    case kAlive:
      send_alive(&draft, task);
      break;
    case kAttitude:
      send_attitude(&draft);
      break;
    case kPosition:
      send_position(&draft);
      break;
    case kModeOf:
      send_mode(&draft);
      break;
    case kNavigationOf:
      send_navigation(&draft);
      break;
    default:
      send_supply(&draft);
      break;
  }
}

struct TelemetryCounts telemetry_counts(void) {
  pthread_mutex_lock(&ring.lock);
  const struct TelemetryCounts counts = ring.counts;
  pthread_mutex_unlock(&ring.lock);
  return counts;
}

int telemetry_drain(void) {
  pthread_mutex_lock(&ring.lock);
  const int read = ring.used;
  ring.first = (ring.first + ring.used) % RING_BYTES;
  ring.used = 0;
  ring.counts.bytes_read += read;
  pthread_mutex_unlock(&ring.lock);
  return read;
}

struct Task reporting_task = {
    .name = "reporting", .computer = kAutopilot, .period_ms = 100, .handler = run_reporting};
