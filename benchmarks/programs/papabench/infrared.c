#include "infrared.h"

#include <assert.h>
#include <pthread.h>

#include "fixed_point.h"

#define LEFT_RIGHT_NEUTRAL 915
#define FRONT_BACK_NEUTRAL 921
#define TOP_NEUTRAL 512
#define CONTRAST_LEAST 50
#define DEGREES_PER_CONTRAST 750  // tenths of a degree at full contrast

// The last samples of one converter, and their sum.
struct Average {
  int samples[IR_SAMPLES];
  int next;
  int filled;
  int sum;
};

struct Infrared {
  pthread_mutex_t lock;
  struct Average left_right;
  struct Average front_back;
  struct Average top;
  int samples_taken;
};

static struct Infrared sensors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void average_add(struct Average* average, int sample) {
  if (average->filled == IR_SAMPLES) {
    average->sum -= average->samples[average->next];
  } else {
    average->filled++;
  }
  average->samples[average->next] = sample;
  average->sum += sample;
  average->next = (average->next + 1) % IR_SAMPLES;
}

static int average_value(const struct Average* average, int neutral) {
  return average->filled == 0 ? 0 : average->sum / average->filled - neutral;
}

void infrared_add_sample(int left_right, int front_back, int top) {
  pthread_mutex_lock(&sensors.lock);
  average_add(&sensors.left_right, left_right);
  average_add(&sensors.front_back, front_back);
  average_add(&sensors.top, top);
  sensors.samples_taken++;
  pthread_mutex_unlock(&sensors.lock);
}

static int angle_of(int difference, int contrast) {
  if (contrast < CONTRAST_LEAST) return 0;
  return clamp(scale(difference, DEGREES_PER_CONTRAST, contrast), -QUARTER_CIRCLE, QUARTER_CIRCLE);
}

struct IrReading infrared_read(void) {
  struct IrReading reading;
  pthread_mutex_lock(&sensors.lock);
  assert(sensors.left_right.filled == sensors.front_back.filled && sensors.top.filled == sensors.front_back.filled);
  reading.contrast = absolute(average_value(&sensors.top, TOP_NEUTRAL));
  reading.roll = angle_of(average_value(&sensors.left_right, LEFT_RIGHT_NEUTRAL), reading.contrast);
  reading.pitch = angle_of(average_value(&sensors.front_back, FRONT_BACK_NEUTRAL), reading.contrast);
  pthread_mutex_unlock(&sensors.lock);
  return reading;
}
