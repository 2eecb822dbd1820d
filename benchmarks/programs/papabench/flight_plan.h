// The flight plan: waypoints, and blocks of stages that say what to do between them.
#pragma once

struct Waypoint {
  const char* name;
  int x, y, altitude;  // centimetres, from the home point
};

enum StageKind { kGoTo, kFollowLine, kCircle, kClimbTo, kWait, kSetMode, kNextBlock };

struct Stage {
  enum StageKind kind;
  int from, to;  // waypoints
  int argument;  // radius, altitude, seconds or block, by the kind
};

struct Block {
  const char* name;
  const struct Stage* stages;
  int count;
};

#define HOME_WAYPOINT 0

int plan_waypoints(void);
const struct Waypoint* plan_waypoint(int index);
int plan_blocks(void);
const struct Block* plan_block(int index);
int plan_is_sound(void);  // each stage names waypoints and blocks that there are
