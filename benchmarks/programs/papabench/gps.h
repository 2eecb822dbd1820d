// The satellite receiver: the simulator writes packets of bytes, the autopilot parses them.
#pragma once

#define PACKET_BYTES 40

enum GpsFix { kNoFix, kFix2D, kFix3D };

struct GpsPosition {
  enum GpsFix fix;
  int east, north, altitude;     // centimetres
  int ground_speed, climb;       // centimetres per second
  int course;                    // tenths of a degree
  int time_ms;
};

struct Packet {
  unsigned char bytes[PACKET_BYTES];
};

void gps_encode(const struct GpsPosition* position, struct Packet* packet);
int gps_parse(const struct Packet* packet, struct GpsPosition* position);  // 0: damaged

// The line between the receiver and the autopilot: the last packet.
void gps_line_write(const struct Packet* packet);
int gps_line_read(struct Packet* packet);  // 0: nothing came since the last read
