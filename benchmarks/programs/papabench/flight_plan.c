#include "flight_plan.h"

static const struct Waypoint kWaypoints[] = {
    {"home", 0, 0, 4000},      {"north field", 2000, 9000, 5000}, {"mill", 11500, 7500, 5000},
    {"lake", 14000, -3000, 6000}, {"east road", 8000, -8000, 5000},  {"standby", 2500, -1500, 4500},
};

static const struct Stage kClimbOut[] = {
    {kClimbTo, 0, 0, 2500},
    {kGoTo, 0, 1, 0},
    {kNextBlock, 0, 0, 1},
};

static const struct Stage kSurveyOfFields[] = {
    {kFollowLine, 1, 2, 0}, {kFollowLine, 2, 3, 0}, {kCircle, 3, 3, 4000},
    {kWait, 3, 3, 20},      {kFollowLine, 3, 4, 0}, {kNextBlock, 0, 0, 2},
};

static const struct Stage kReturn[] = {
    {kFollowLine, 4, 5, 0},
    {kCircle, 5, 5, 6000},
    {kWait, 5, 5, 30},
    {kSetMode, 0, 0, 3},
    {kNextBlock, 0, 0, 0},
};

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static const struct Block kBlocks[] = {
    {"climb out", kClimbOut, COUNT(kClimbOut)},
    {"survey of the fields", kSurveyOfFields, COUNT(kSurveyOfFields)},
    {"return", kReturn, COUNT(kReturn)},
};

int plan_waypoints(void) { return COUNT(kWaypoints); }

const struct Waypoint* plan_waypoint(int index) { return &kWaypoints[index]; }

int plan_blocks(void) { return COUNT(kBlocks); }

const struct Block* plan_block(int index) { return &kBlocks[index]; }

static int is_waypoint(int index) { return index >= 0 && index < plan_waypoints(); }

static int is_sound_stage(const struct Stage* stage) {
  if (!is_waypoint(stage->from) || !is_waypoint(stage->to)) return 0;
  if (stage->kind == kNextBlock) return stage->argument >= 0 && stage->argument < plan_blocks();
  return stage->argument >= 0;
}

int plan_is_sound(void) {
  for (int b = 0; b < plan_blocks(); b++) {
    const struct Block* block = plan_block(b);
    if (block->count == 0 || block->stages[block->count - 1].kind != kNextBlock) return 0;
    for (int s = 0; s < block->count; s++) {
      if (!is_sound_stage(&block->stages[s])) return 0;
    }
  }
  return 1;
}
