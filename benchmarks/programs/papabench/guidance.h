// Autopilot tasks: the altitude that is wanted gives a climb, and the climb a pitch and a throttle.
#pragma once

#include "task.h"

extern struct Task altitude_control_task;
extern struct Task climb_control_task;

// The roll that turns the aircraft to the course; used by navigation, which knows both.
int guidance_roll_of_course(int course, int course_wanted, int ground_speed);
