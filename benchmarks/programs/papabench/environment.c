#include "environment.h"

#include <assert.h>
#include <pthread.h>

#include "fixed_point.h"

#define GROUND_WIND_EAST 100
#define GROUND_WIND_NORTH (-50)
#define WIND_LAYERS 4
#define LAYER_HEIGHT 5000
#define FULL_SUPPLY 126000  // millionths of the supply that a decivolt stands for

struct World {
  pthread_mutex_t lock;
  struct Aircraft aircraft;
  long supply;
};

static struct World world = {PTHREAD_MUTEX_INITIALIZER, {0, 0, 3000, 0, 0, 0, 1000, 0, 0}, FULL_SUPPLY};

// The wind turns to the right and grows with the height; it never changes.
static const struct Wind kLayers[WIND_LAYERS] = {{0, 0}, {60, -20}, {140, -90}, {180, -200}};

struct Aircraft environment_aircraft(void) {
  pthread_mutex_lock(&world.lock);
  const struct Aircraft aircraft = world.aircraft;
  pthread_mutex_unlock(&world.lock);
  return aircraft;
}

void environment_set_aircraft(const struct Aircraft* aircraft) {
  pthread_mutex_lock(&world.lock);
  assert(aircraft->time_ms > world.aircraft.time_ms);
  world.aircraft = *aircraft;
  pthread_mutex_unlock(&world.lock);
}

struct Wind environment_wind(int altitude) {
  const int layer = clamp(altitude / LAYER_HEIGHT, 0, WIND_LAYERS - 1);
  const int next = clamp(layer + 1, 0, WIND_LAYERS - 1);
  const int above = clamp(altitude - layer * LAYER_HEIGHT, 0, LAYER_HEIGHT);
  struct Wind wind;
  wind.east = GROUND_WIND_EAST + interpolate(above, 0, kLayers[layer].east, LAYER_HEIGHT, kLayers[next].east);
  wind.north = GROUND_WIND_NORTH + interpolate(above, 0, kLayers[layer].north, LAYER_HEIGHT, kLayers[next].north);
  return wind;
}

int environment_supply_decivolts(void) {
  pthread_mutex_lock(&world.lock);
  const int supply = (int)(world.supply / 1000);
  pthread_mutex_unlock(&world.lock);
  return supply;
}

void environment_use_supply(int throttle_percent) {
  pthread_mutex_lock(&world.lock);
  world.supply -= 1 + throttle_percent / 10;
  if (world.supply < 0) world.supply = 0;
  pthread_mutex_unlock(&world.lock);
}
