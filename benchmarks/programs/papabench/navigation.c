#include "navigation.h"

#include <assert.h>
#include <pthread.h>

#include "autopilot.h"
#include "estimator.h"
#include "fixed_point.h"
#include "flight_plan.h"
#include "gps.h"
#include "guidance.h"

#define REACHED 1500           // centimetres from a waypoint
#define CARROT 4000            // centimetres ahead on a line or a circle
#define HOME_RADIUS 5000
#define TOO_FAR_FROM_HOME 40000
#define STAGES_OF_ONE_RUN 4
#define RUNS_PER_SECOND 4

// Where the plan stands. The reporting task reads it.
struct Navigation {
  pthread_mutex_t lock;
  int block;
  int stage;
  int runs_in_stage;
  int stages_completed;
  int distance_to_home;
};

// What one run decides.
struct Wish {
  int course;
  int altitude;
  int completed;
  enum AutopilotMode mode;
};

static struct Navigation navigation = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- Ways to fly ---------------------------------------------------------------------------------------------------

static int course_to(const struct Estimate* estimate, int x, int y) {
  return arc_tangent(y - estimate->y, x - estimate->x);
}

static void fly_to(const struct Estimate* estimate, const struct Waypoint* to, struct Wish* wish) {
  wish->course = course_to(estimate, to->x, to->y);
  wish->altitude = to->altitude;
  wish->completed = distance_between(estimate->x, estimate->y, to->x, to->y) < REACHED;
}

// A point on the line, ahead of the place that is nearest to the aircraft.
static void fly_line(const struct Estimate* estimate, const struct Waypoint* from, const struct Waypoint* to,
                     struct Wish* wish) {
  const int length = distance_between(from->x, from->y, to->x, to->y);
  if (length == 0) {
    wish->completed = 1;
    return;
  }
  const long along = ((long)(estimate->x - from->x) * (to->x - from->x) +
                      (long)(estimate->y - from->y) * (to->y - from->y)) / length;
  const int carrot = clamp((int)along + CARROT, 0, length);
  const int x = interpolate(carrot, 0, from->x, length, to->x);
  const int y = interpolate(carrot, 0, from->y, length, to->y);
  wish->course = course_to(estimate, x, y);
  wish->altitude = interpolate(carrot, 0, from->altitude, length, to->altitude);
  wish->completed = along > length - REACHED;
}

static void fly_circle(const struct Estimate* estimate, const struct Waypoint* centre, int radius, struct Wish* wish) {
  const int bearing = arc_tangent(estimate->y - centre->y, estimate->x - centre->x);
  const int ahead = bearing + scale(CARROT, 573, radius > 0 ? radius : 1);
  const int x = centre->x + scale(radius, cosine(ahead), SINE_ONE);
  const int y = centre->y + scale(radius, sine(ahead), SINE_ONE);
  wish->course = course_to(estimate, x, y);
  wish->altitude = centre->altitude;
}

static void fly_home(const struct Estimate* estimate, struct Wish* wish) {
  const struct Waypoint* home = plan_waypoint(HOME_WAYPOINT);
  if (distance_between(estimate->x, estimate->y, home->x, home->y) > HOME_RADIUS) {
    fly_to(estimate, home, wish);
  } else {
    fly_circle(estimate, home, HOME_RADIUS, wish);
  }
  wish->completed = 0;
}

// ---- The plan ------------------------------------------------------------------------------------------------------

static void fly_stage(const struct Stage* stage, int runs_in_stage, const struct Estimate* estimate,
                      struct Wish* wish) {
  switch (stage->kind) {
    case kGoTo:
      fly_to(estimate, plan_waypoint(stage->to), wish);
      break;
    case kFollowLine:
      fly_line(estimate, plan_waypoint(stage->from), plan_waypoint(stage->to), wish);
      break;
    case kCircle:
      fly_circle(estimate, plan_waypoint(stage->to), stage->argument, wish);
      wish->completed = runs_in_stage >= 2 * RUNS_PER_SECOND;
      break;
    case kClimbTo:
      wish->altitude = stage->argument + 500;
      wish->completed = estimate->altitude >= stage->argument;
      break;
    case kWait:
      fly_circle(estimate, plan_waypoint(stage->to), HOME_RADIUS, wish);
      wish->completed = runs_in_stage >= stage->argument * RUNS_PER_SECOND;
      break;
    case kSetMode:
      wish->mode = stage->argument == 3 ? kHome : kAuto2;
      wish->completed = 1;
      break;
    case kNextBlock:
      wish->completed = 1;
      break;
  }
}

static void advance_locked(struct Navigation* n, const struct Stage* stage) {
  n->runs_in_stage = 0;
  n->stages_completed++;
  if (stage->kind == kNextBlock) {
    n->block = stage->argument;
    n->stage = 0;
  } else {
    n->stage++;
  }
}

// Flies the stage that the plan stands at; goes on to the next ones while they are completed at once.
static void follow_plan(const struct Estimate* estimate, struct Wish* wish) {
  pthread_mutex_lock(&navigation.lock);
  for (int i = 0; i < STAGES_OF_ONE_RUN; i++) {
    const struct Block* block = plan_block(navigation.block);
    assert(navigation.stage < block->count);
    const struct Stage* stage = &block->stages[navigation.stage];
    wish->completed = 0;
    fly_stage(stage, navigation.runs_in_stage++, estimate, wish);
    if (!wish->completed) break;
    advance_locked(&navigation, stage);
  }
  pthread_mutex_unlock(&navigation.lock);
}

static void note_distance(int distance) {
  pthread_mutex_lock(&navigation.lock);
  navigation.distance_to_home = distance;
  pthread_mutex_unlock(&navigation.lock);
}

// ---- The task ------------------------------------------------------------------------------------------------------

static void read_gps(void) {
  struct Packet packet;
  struct GpsPosition position;
  if (!gps_line_read(&packet)) return;
  if (gps_parse(&packet, &position)) estimator_update_from_gps(&position);
}

static void run_navigation(struct Task* task) {
  read_gps();
  if (task->runs_made % RUNS_PER_SECOND == RUNS_PER_SECOND - 1) estimator_count_second();
  const struct Modes modes = autopilot_modes();
  if (modes.lateral != kLateralCourse) return;
  const struct Estimate estimate = estimator_copy();
  const struct Setpoints before = autopilot_setpoints();
  struct Wish wish = {before.course, before.altitude, 0, modes.mode};
  const int distance = distance_between(estimate.x, estimate.y, 0, 0);
  note_distance(distance);
  if (distance > TOO_FAR_FROM_HOME) wish.mode = kHome;
  if (wish.mode == kHome) {
    fly_home(&estimate, &wish);
  } else {
    follow_plan(&estimate, &wish);
  }
  if (wish.mode != modes.mode) autopilot_enter(wish.mode);
  autopilot_want_course(wish.course, wish.altitude);
  autopilot_want_attitude(guidance_roll_of_course(estimate.course, wish.course, estimate.ground_speed), before.pitch);
}

struct NavigationReport navigation_report(void) {
  pthread_mutex_lock(&navigation.lock);
  const struct NavigationReport report = {navigation.block, navigation.stage, navigation.stages_completed,
                                          navigation.distance_to_home};
  pthread_mutex_unlock(&navigation.lock);
  return report;
}

struct Task navigation_task = {
    .name = "navigation", .computer = kAutopilot, .period_ms = 250, .handler = run_navigation};
