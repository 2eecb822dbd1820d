// PapaBench: the two computers of a small unmanned aircraft, and a simulator that flies it.
// Models:     jPapaBench, the Java form of the real-time benchmark, measured by the pairwise paper. The fly-by-wire computer
//             reads the radio and moves the servos; the autopilot navigates and stabilises; both talk over a bus. The
//             simulator turns the servos into a flight and the flight into what the sensors see. Each task is a thread of
//             one entry with a handler. Every shared state is a monitor; the original's estimator is not.
// Threads:    main, 7 tasks as in the paper (flight model, gps, infrared, navigation, stabilisation, link, check of the
//             autopilot's values); 14 with -DALL_TASKS=1.
// Size:       3,261 lines in Java.
// Parameters: RUNS of the slow tasks, FAST_RUNS of the fast ones (2 to 20 in the paper, 48 together), ALL_TASKS.
// Scaled:     -DRUNS=2 -DFAST_RUNS=10
// State:      large
#include <assert.h>

#include "autopilot.h"
#include "bus.h"
#include "estimator.h"
#include "flight_plan.h"
#include "fly_by_wire.h"
#include "guidance.h"
#include "link.h"
#include "navigation.h"
#include "radio_control.h"
#include "simulator.h"
#include "stabilisation.h"
#include "task.h"
#include "telemetry.h"

#ifndef RUNS
#define RUNS 1
#endif
#ifndef FAST_RUNS
#define FAST_RUNS 1
#endif
#ifndef ALL_TASKS
#define ALL_TASKS 0
#endif

static struct Schedule schedule;

static void add_seven_tasks(void) {
  schedule_add(&schedule, &flight_model_task, FAST_RUNS);
  schedule_add(&schedule, &simulated_gps_task, RUNS);
  schedule_add(&schedule, &simulated_ir_task, RUNS);
  schedule_add(&schedule, &navigation_task, RUNS);
  schedule_add(&schedule, &stabilisation_task, FAST_RUNS);
  schedule_add(&schedule, &link_send_task, FAST_RUNS);
  schedule_add(&schedule, &check_autopilot_values_task, FAST_RUNS);
}

static void add_other_tasks(void) {
  schedule_add(&schedule, &test_ppm_task, FAST_RUNS);
  schedule_add(&schedule, &send_to_autopilot_task, FAST_RUNS);
  schedule_add(&schedule, &check_failsafe_task, RUNS);
  schedule_add(&schedule, &radio_control_task, FAST_RUNS);
  schedule_add(&schedule, &altitude_control_task, RUNS);
  schedule_add(&schedule, &climb_control_task, RUNS);
  schedule_add(&schedule, &reporting_task, RUNS);
}

static void check_bus(void) {
  const struct BusCounts commands = bus_counts_of_commands();
  const struct FlyByWireReport report = fly_by_wire_report();
  assert(commands.sent == link_messages_sent() && commands.damaged == 0);
  assert(commands.received == report.commands_used);
  assert(report.last_command <= commands.sent);
  const struct BusCounts radio = bus_counts_of_radio();
  assert(radio.damaged == 0 && radio.received == radio_control_report().messages);
}

static void check_flight(void) {
  const struct Estimate estimate = estimator_copy();
  assert(estimate.infrared_updates == FAST_RUNS && estimate.gps_updates <= RUNS);
  assert(autopilot_commands().number == FAST_RUNS);
  assert(autopilot_setpoints().navigation_runs <= RUNS);
  const struct NavigationReport report = navigation_report();
  assert(report.block < plan_blocks() && report.stage < plan_block(report.block)->count);
}

static void check_telemetry(void) {
  telemetry_drain();
  const struct TelemetryCounts counts = telemetry_counts();
  assert(counts.bytes_read == counts.bytes_written);
}

int main(void) {
  assert(plan_is_sound());
  add_seven_tasks();
  if (ALL_TASKS) add_other_tasks();
  schedule_start(&schedule);
  schedule_join(&schedule);
  assert(schedule_runs_missing(&schedule) == 0);
  check_bus();
  check_flight();
  check_telemetry();
  return 0;
}
