// The gRPC face of the hub: turns calls into closures on the loop and sinks into streams.
//
// In:      calls of `proto/heddle/v1/heddle.proto`.
// Out:     answers and streams of events.
// Owns:    nothing; the loop and the hub must outlive it. A stream lives until gRPC has ended it.
// Threads: gRPC's threads call in. They answer the handshake at once, and post every other call to the loop, which
//          answers it. No thread waits.
// Fails:   a client that goes away or whose deadline passes leaves its check, which ends if no other client listens.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <string>

#include "heddle/v1/heddle.grpc.pb.h"
#include "server/base/loop.h"
#include "server/daemon/hub.h"

namespace heddle::daemon {

inline constexpr uint32_t kProtocol = 1;
inline constexpr char kVersion[] = HEDDLE_VERSION;

class Service final : public v1::Heddle::CallbackService {
 public:
  Service(base::Loop& loop, Hub& hub, std::string socket, uint64_t build);

  grpc::ServerUnaryReactor* Handshake(grpc::CallbackServerContext*, const v1::HandshakeRequest*,
                                      v1::HandshakeResponse*) override;
  grpc::ServerWriteReactor<v1::Event>* Check(grpc::CallbackServerContext*, const v1::CheckRequest*) override;
  grpc::ServerWriteReactor<v1::Event>* Watch(grpc::CallbackServerContext*, const v1::WatchRequest*) override;
  grpc::ServerWriteReactor<v1::Event>* Replay(grpc::CallbackServerContext*, const v1::ReplayRequest*) override;
  grpc::ServerUnaryReactor* Cancel(grpc::CallbackServerContext*, const v1::CancelRequest*,
                                   v1::CancelResponse*) override;
  grpc::ServerUnaryReactor* Status(grpc::CallbackServerContext*, const v1::StatusRequest*,
                                   v1::StatusResponse*) override;
  grpc::ServerUnaryReactor* Show(grpc::CallbackServerContext*, const v1::ShowRequest*, v1::ShowResponse*) override;
  grpc::ServerUnaryReactor* Pairs(grpc::CallbackServerContext*, const v1::PairsRequest*, v1::PairsResponse*) override;
  grpc::ServerUnaryReactor* Explain(grpc::CallbackServerContext*, const v1::ExplainRequest*,
                                    v1::ExplainResponse*) override;
  grpc::ServerUnaryReactor* Shutdown(grpc::CallbackServerContext*, const v1::ShutdownRequest*,
                                     v1::ShutdownResponse*) override;

 private:
  // Constant after construction.
  base::Loop& loop_;
  Hub& hub_;
  const std::string socket_;
  const std::string build_;
  const std::chrono::steady_clock::time_point started_;
};

}  // namespace heddle::daemon
