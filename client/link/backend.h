// The daemon, or an engine of the command's own (--no-daemon). Both speak the same messages.
//
// In:      requests.
// Out:     events on the calling thread, and answers.
// Owns:    the connection; with --no-daemon the engine.
// Threads: one caller at a time; interrupt() from any.
// Fails:   by value: a Failure if the other side cannot be reached, goes away, or cannot do it (watch without a
//          daemon).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct Failure {
  std::string message, remedy;
};
using EventHandler = std::function<void(const v1::Event&)>;

class Backend {
 public:
  virtual ~Backend() = default;
  // Return when the stream has ended. After interrupt() these three return soon, now and later, without a Failure.
  virtual std::optional<Failure> check(const v1::CheckRequest& request, const EventHandler& handler) = 0;
  virtual std::optional<Failure> watch(const v1::CheckRequest& request, const EventHandler& handler) = 0;
  virtual std::optional<Failure> replay(const v1::ReplayRequest& request, const EventHandler& handler) = 0;
  virtual std::variant<v1::ShowResponse, Failure> show(const v1::ShowRequest& request) = 0;
  virtual std::variant<v1::PairsResponse, Failure> pairs(const v1::PairsRequest& request) = 0;
  virtual std::variant<v1::ExplainResponse, Failure> explain(const v1::ExplainRequest& request) = 0;
  virtual std::variant<v1::StatusResponse, Failure> status(const v1::StatusRequest& request) = 0;
  virtual void interrupt() = 0;
};

std::variant<std::unique_ptr<Backend>, Failure> connect_engine();  // --no-daemon

}  // namespace heddle::client
