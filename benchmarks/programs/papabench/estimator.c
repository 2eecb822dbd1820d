#include "estimator.h"

#include <assert.h>
#include <pthread.h>

#include "fixed_point.h"

#define AIR_SPEED_NOMINAL 1250
#define WIND_FILTER 8
#define ROLL_NEUTRAL (-5)
#define PITCH_NEUTRAL 10

struct Estimator {
  pthread_mutex_t lock;
  struct Estimate estimate;
  int last_gps_ms;
  int has_attitude;
};

static struct Estimator estimator = {.lock = PTHREAD_MUTEX_INITIALIZER, .estimate = {.altitude = 3000}};

// The difference between the speed over the ground and that through the air, filtered.
static void estimate_wind_locked(struct Estimator* e) {
  struct Estimate* estimate = &e->estimate;
  const int east = scale(estimate->ground_speed, cosine(estimate->course), SINE_ONE);
  const int north = scale(estimate->ground_speed, sine(estimate->course), SINE_ONE);
  const int air_east = scale(AIR_SPEED_NOMINAL, cosine(estimate->course), SINE_ONE);
  const int air_north = scale(AIR_SPEED_NOMINAL, sine(estimate->course), SINE_ONE);
  estimate->wind_east += (east - air_east - estimate->wind_east) / WIND_FILTER;
  estimate->wind_north += (north - air_north - estimate->wind_north) / WIND_FILTER;
}

void estimator_update_from_gps(const struct GpsPosition* position) {
  if (position->fix == kNoFix) return;
  pthread_mutex_lock(&estimator.lock);
  struct Estimate* estimate = &estimator.estimate;
  assert(position->time_ms >= estimator.last_gps_ms);
  estimator.last_gps_ms = position->time_ms;
  estimate->x = position->east;
  estimate->y = position->north;
  if (position->fix == kFix3D) {
    estimate->altitude = position->altitude;
    estimate->climb = position->climb;
  }
  estimate->ground_speed = position->ground_speed;
  estimate->course = position->course;
  estimate_wind_locked(&estimator);
  estimate->gps_updates++;
  pthread_mutex_unlock(&estimator.lock);
}

void estimator_update_from_infrared(const struct IrReading* reading) {
  pthread_mutex_lock(&estimator.lock);
  estimator.estimate.roll = normalise_angle(reading->roll - ROLL_NEUTRAL);
  estimator.estimate.pitch = clamp(reading->pitch - PITCH_NEUTRAL, -QUARTER_CIRCLE, QUARTER_CIRCLE);
  estimator.estimate.infrared_updates++;
  estimator.has_attitude = 1;
  pthread_mutex_unlock(&estimator.lock);
}

void estimator_take_off(void) {
  pthread_mutex_lock(&estimator.lock);
  if (estimator.estimate.flight_time_s == 0) estimator.estimate.flight_time_s = 1;
  pthread_mutex_unlock(&estimator.lock);
}

void estimator_count_second(void) {
  pthread_mutex_lock(&estimator.lock);
  if (estimator.estimate.flight_time_s > 0) estimator.estimate.flight_time_s++;
  pthread_mutex_unlock(&estimator.lock);
}

struct Estimate estimator_copy(void) {
  pthread_mutex_lock(&estimator.lock);
  assert(estimator.has_attitude == (estimator.estimate.infrared_updates > 0));
  const struct Estimate copy = estimator.estimate;
  pthread_mutex_unlock(&estimator.lock);
  return copy;
}
