// The simulator's tasks: they fly the aircraft and feed its sensors.
#pragma once

#include "task.h"

extern struct Task flight_model_task;
extern struct Task simulated_gps_task;
extern struct Task simulated_ir_task;
