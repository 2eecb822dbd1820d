// The simulated world: where the aircraft really is, how it lies in the air, and what the air does.
#pragma once

struct Aircraft {
  int x, y;       // centimetres, east and north of the home point
  int altitude;   // centimetres
  int roll, pitch, heading;  // tenths of a degree
  int speed;      // centimetres per second, through the air
  int climb;      // centimetres per second
  int time_ms;
};

struct Wind {
  int east, north;  // centimetres per second
};

struct Aircraft environment_aircraft(void);
void environment_set_aircraft(const struct Aircraft* aircraft);
struct Wind environment_wind(int altitude);
int environment_supply_decivolts(void);
void environment_use_supply(int throttle_percent);
