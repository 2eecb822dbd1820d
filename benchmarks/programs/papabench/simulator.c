#include "simulator.h"

#include "environment.h"
#include "fixed_point.h"
#include "gps.h"
#include "infrared.h"
#include "servos.h"

#define GRAVITY 981
#define SPEED_LEAST 800
#define SPEED_MOST 2200
#define ROLL_MOST 600
#define PITCH_MOST 350
#define SKY 400
#define STEP_MS 50

// ---- Flight model: from the pulses of the servos to the next position ----------------------------------------------

static int deflection(const struct ServoPulses* servos, enum Servo servo, int neutral) {
  return clamp(servos->pulses[servo] - neutral, -500, 500);
}

static void turn(struct Aircraft* aircraft, const struct ServoPulses* servos) {
  const int ailerons = (deflection(servos, kLeftAileron, 1500) + deflection(servos, kRightAileron, 1500)) / 2;
  const int roll_wanted = scale(ailerons, ROLL_MOST, 450);
  const int pitch_wanted = scale(deflection(servos, kElevator, 1520), PITCH_MOST, 400);
  aircraft->roll += (roll_wanted - aircraft->roll) / 4;
  aircraft->pitch += (pitch_wanted - aircraft->pitch) / 3;
  aircraft->roll = clamp(aircraft->roll, -ROLL_MOST, ROLL_MOST);
  aircraft->pitch = clamp(aircraft->pitch, -PITCH_MOST, PITCH_MOST);
  // A coordinated turn: the rate is gravity times the tangent of the roll, by the speed.
  const int cosine_of_roll = cosine(aircraft->roll);
  const int rate = (int)((long)GRAVITY * sine(aircraft->roll) / (cosine_of_roll > 0 ? cosine_of_roll : 1) * 573 /
                         (aircraft->speed > 0 ? aircraft->speed : 1));
  aircraft->heading = normalise_angle(aircraft->heading + scale(rate, STEP_MS, 1000));
}

static void accelerate(struct Aircraft* aircraft, int throttle_percent) {
  const int speed_wanted = interpolate(throttle_percent, 0, SPEED_LEAST, 100, SPEED_MOST);
  const int lost_by_climbing = scale(speed_wanted, sine(aircraft->pitch), 2 * SINE_ONE);
  aircraft->speed += (speed_wanted - lost_by_climbing - aircraft->speed) / 8;
  aircraft->climb = scale(aircraft->speed, sine(aircraft->pitch), SINE_ONE);
  if (throttle_percent < 30) aircraft->climb -= 2 * (30 - throttle_percent);
}

static void move(struct Aircraft* aircraft, const struct Wind* wind) {
  const int level = scale(aircraft->speed, cosine(aircraft->pitch), SINE_ONE);
  const int east = scale(level, cosine(aircraft->heading), SINE_ONE) + wind->east;
  const int north = scale(level, sine(aircraft->heading), SINE_ONE) + wind->north;
  aircraft->x += scale(east, STEP_MS, 1000);
  aircraft->y += scale(north, STEP_MS, 1000);
  aircraft->altitude += scale(aircraft->climb, STEP_MS, 1000);
  if (aircraft->altitude < 0) aircraft->altitude = 0;
  aircraft->time_ms += STEP_MS;
}

static void run_flight_model(struct Task* task) {
  (void)task;
  const struct ServoPulses servos = servos_read();
  const int throttle_percent = (servos.pulses[kMotor] - 1000) / 10;
  struct Aircraft aircraft = environment_aircraft();
  const struct Wind wind = environment_wind(aircraft.altitude);
  turn(&aircraft, &servos);
  accelerate(&aircraft, throttle_percent);
  move(&aircraft, &wind);
  environment_set_aircraft(&aircraft);
  environment_use_supply(throttle_percent);
}

// ---- Sensors: from the true position to what the devices say -------------------------------------------------------

static void run_gps(struct Task* task) {
  const struct Aircraft aircraft = environment_aircraft();
  const struct Wind wind = environment_wind(aircraft.altitude);
  struct GpsPosition position;
  struct Packet packet;
  const int level = scale(aircraft.speed, cosine(aircraft.pitch), SINE_ONE);
  const int east = scale(level, cosine(aircraft.heading), SINE_ONE) + wind.east;
  const int north = scale(level, sine(aircraft.heading), SINE_ONE) + wind.north;
  position.fix = kFix3D;
  position.east = aircraft.x - aircraft.x % 10;
  position.north = aircraft.y - aircraft.y % 10;
  position.altitude = aircraft.altitude - aircraft.altitude % 100;
  position.ground_speed = distance_between(0, 0, east, north);
  position.climb = aircraft.climb;
  position.course = arc_tangent(north, east);
  position.time_ms = task_time_ms(task);
  gps_encode(&position, &packet);
  gps_line_write(&packet);
}

static void run_infrared(struct Task* task) {
  (void)task;
  const struct Aircraft aircraft = environment_aircraft();
  const int left_right = scale(SKY, sine(aircraft.roll), SINE_ONE);
  const int front_back = scale(SKY, sine(aircraft.pitch), SINE_ONE);
  const int top = scale(SKY, cosine(aircraft.roll), SINE_ONE);
  infrared_add_sample(915 + left_right, 921 + front_back, 512 - scale(top, cosine(aircraft.pitch), SINE_ONE));
}

struct Task flight_model_task = {
    .name = "flight model", .computer = kSimulator, .period_ms = STEP_MS, .handler = run_flight_model};
struct Task simulated_gps_task = {
    .name = "simulated gps", .computer = kSimulator, .period_ms = 250, .handler = run_gps};
struct Task simulated_ir_task = {
    .name = "simulated infrared", .computer = kSimulator, .period_ms = 50, .handler = run_infrared};
