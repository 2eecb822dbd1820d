// The autopilot's knowledge of the aircraft: where it is, how it moves, how it lies in the air.
//
// Several tasks write parts of it. A task that needs several values takes a copy, so that they belong together.
#pragma once

#include "gps.h"
#include "infrared.h"

struct Estimate {
  int x, y, altitude;         // centimetres, from the home point
  int roll, pitch, course;    // tenths of a degree
  int ground_speed, climb;    // centimetres per second
  int wind_east, wind_north;  // centimetres per second
  int flight_time_s;          // 0: on the ground
  int gps_updates;
  int infrared_updates;
};

void estimator_update_from_gps(const struct GpsPosition* position);
void estimator_update_from_infrared(const struct IrReading* reading);
void estimator_take_off(void);
void estimator_count_second(void);
struct Estimate estimator_copy(void);
