#include "server/daemon/service.h"

#include <unistd.h>

#include <deque>

#include "server/base/mutex.h"

namespace heddle::daemon {
namespace {

// A client's stream. gRPC keeps a plain pointer to it until OnDone, which `self_` stands for.
class Stream final : public grpc::ServerWriteReactor<v1::Event>, public EventSink {
 public:
  static std::shared_ptr<Stream> make(base::Loop& loop, Hub& hub) {
    std::shared_ptr<Stream> stream(new Stream(loop, hub));
    stream->self_ = stream;
    return stream;
  }

  void event(const std::shared_ptr<const v1::Event>& event) override {
    {
      const base::MutexLock lock(mutex_);
      if (finished_ || cancelled_) return;
      queue_.push_back(event);
    }
    proceed();
  }

  void finish() override {
    {
      const base::MutexLock lock(mutex_);
      finished_ = true;
    }
    proceed();
  }

  void OnWriteDone(bool ok) override {
    {
      const base::MutexLock lock(mutex_);
      writing_ = false;
      queue_.pop_front();
      if (!ok) give_up();
    }
    proceed();
  }

  void OnCancel() override {
    {
      const base::MutexLock lock(mutex_);
      give_up();
    }
    proceed();
    leave_hub();
  }

  void OnDone() override {
    leave_hub();
    self_.reset();
  }

 private:
  Stream(base::Loop& loop, Hub& hub) : loop_(loop), hub_(hub) {}

  // What is being written stays at the front until gRPC gives it back.
  void give_up() HEDDLE_REQUIRES(mutex_) {
    cancelled_ = true;
    queue_.resize(writing_ ? 1 : 0);
  }

  void proceed() {
    const v1::Event* next = nullptr;
    bool end = false, cancelled = false;
    {
      const base::MutexLock lock(mutex_);
      if (writing_ || ended_) return;
      if (!queue_.empty()) {
        writing_ = true;
        next = queue_.front().get();
      } else if (finished_ || cancelled_) {
        ended_ = end = true;
        cancelled = cancelled_ && !finished_;
      }
    }
    if (next) StartWrite(next);
    if (end) Finish(cancelled ? grpc::Status::CANCELLED : grpc::Status::OK);
  }

  void leave_hub() {
    if (std::shared_ptr<Stream> self = self_) {
      loop_.post([&hub = hub_, self] { hub.leave(self); });
    }
  }

  base::Loop& loop_;
  Hub& hub_;
  std::shared_ptr<Stream> self_;  // set before gRPC knows of it, reset in OnDone
  base::Mutex mutex_;
  std::deque<std::shared_ptr<const v1::Event>> queue_ HEDDLE_GUARDED_BY(mutex_);
  bool writing_ HEDDLE_GUARDED_BY(mutex_) = false;
  bool finished_ HEDDLE_GUARDED_BY(mutex_) = false;   // the hub has no more
  bool cancelled_ HEDDLE_GUARDED_BY(mutex_) = false;  // the client wants no more
  bool ended_ HEDDLE_GUARDED_BY(mutex_) = false;      // Finish was called
};

// The request and response of a unary call live until its reactor finishes.
template <typename Work>
grpc::ServerUnaryReactor* on_loop(base::Loop& loop, grpc::CallbackServerContext* context, Work work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  loop.post([reactor, work] { work([reactor] { reactor->Finish(grpc::Status::OK); }); });
  return reactor;
}

}  // namespace

Service::Service(base::Loop& loop, Hub& hub, std::string socket, uint64_t build)
    : loop_(loop),
      hub_(hub),
      socket_(std::move(socket)),
      build_(std::to_string(build)),
      started_(std::chrono::steady_clock::now()) {}

grpc::ServerUnaryReactor* Service::Handshake(grpc::CallbackServerContext* context, const v1::HandshakeRequest*,
                                             v1::HandshakeResponse* response) {
  response->set_version(kVersion);
  response->set_protocol(kProtocol);
  response->set_pid(getpid());
  response->set_build(build_);
  loop_.post([this] { hub_.touch(); });
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<v1::Event>* Service::Check(grpc::CallbackServerContext*, const v1::CheckRequest* request) {
  const auto stream = Stream::make(loop_, hub_);
  loop_.post([this, stream, request = *request] { hub_.check(request, stream); });
  return stream.get();
}

grpc::ServerWriteReactor<v1::Event>* Service::Watch(grpc::CallbackServerContext*, const v1::WatchRequest* request) {
  const auto stream = Stream::make(loop_, hub_);
  loop_.post([this, stream, request = request->check()] { hub_.watch(request, stream); });
  return stream.get();
}

grpc::ServerWriteReactor<v1::Event>* Service::Replay(grpc::CallbackServerContext*, const v1::ReplayRequest* request) {
  const auto stream = Stream::make(loop_, hub_);
  loop_.post([this, stream, request = *request] { hub_.replay(request, stream); });
  return stream.get();
}

grpc::ServerUnaryReactor* Service::Cancel(grpc::CallbackServerContext* context, const v1::CancelRequest* request,
                                          v1::CancelResponse* response) {
  return on_loop(loop_, context, [this, request, response](auto finish) {
    response->set_cancelled(hub_.cancel(*request));
    finish();
  });
}

grpc::ServerUnaryReactor* Service::Status(grpc::CallbackServerContext* context, const v1::StatusRequest* request,
                                          v1::StatusResponse* response) {
  return on_loop(loop_, context, [this, request, response](auto finish) {
    hub_.status(*request, [this, response, finish](v1::StatusResponse answer) {
      *response = std::move(answer);
      response->set_version(kVersion);
      response->set_pid(getpid());
      response->set_uptime_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count());
      response->set_socket(socket_);
      finish();
    });
  });
}

grpc::ServerUnaryReactor* Service::Show(grpc::CallbackServerContext* context, const v1::ShowRequest* request,
                                        v1::ShowResponse* response) {
  return on_loop(loop_, context, [this, request, response](auto finish) {
    hub_.show(*request, [response, finish](v1::ShowResponse answer) {
      *response = std::move(answer);
      finish();
    });
  });
}

grpc::ServerUnaryReactor* Service::Pairs(grpc::CallbackServerContext* context, const v1::PairsRequest* request,
                                         v1::PairsResponse* response) {
  return on_loop(loop_, context, [this, request, response](auto finish) {
    hub_.pairs(*request, [response, finish](v1::PairsResponse answer) {
      *response = std::move(answer);
      finish();
    });
  });
}

grpc::ServerUnaryReactor* Service::Explain(grpc::CallbackServerContext* context, const v1::ExplainRequest* request,
                                           v1::ExplainResponse* response) {
  return on_loop(loop_, context, [this, request, response](auto finish) {
    hub_.explain(*request, [response, finish](v1::ExplainResponse answer) {
      *response = std::move(answer);
      finish();
    });
  });
}

grpc::ServerUnaryReactor* Service::Shutdown(grpc::CallbackServerContext* context, const v1::ShutdownRequest*,
                                            v1::ShutdownResponse* response) {
  response->set_pid(getpid());
  return on_loop(loop_, context, [this](auto finish) {
    finish();
    hub_.shut_down();
  });
}

}  // namespace heddle::daemon
