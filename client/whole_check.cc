#include "client/whole_check.h"
#include "client/check_request.h"

#include "client/link/daemon_link.h"
#include "client/report/report.h"

namespace heddle::client {

std::variant<Known, Failure> reach(const Options& options) {
  Known known;
  if (auto failure = make_request(options, known.request)) return *failure;
  auto connected = options.no_daemon ? connect_engine() : connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&connected)) return *failure;
  known.backend = std::move(std::get<0>(connected));
  return known;
}

std::variant<Checked, Stop> check(Backend& backend, const v1::CheckRequest& request) {
  Checked out;
  const auto failure = backend.check(request, [&](const v1::Event& event) {
    if (event.has_finding() && event.finding().state() != v1::FINDING_FIXED) {
      const bool seen = event.finding().state() != v1::FINDING_NOT_CONFIRMED;
      (seen ? out.findings : out.not_confirmed)[event.finding().id()] = event.finding();
    }
    if (!event.project().empty()) out.root = event.project();
    if (is_combined_verdict(event)) out.verdict = event.verdict();
  });
  if (failure) return Stop{*failure, ExitCode::Internal};
  if (!out.verdict) return Stop{{"the check ended without a verdict", "see `heddle daemon logs`"}, ExitCode::Internal};
  if (out.verdict->kind() == v1::VERDICT_ERROR)
    return Stop{{out.verdict->message(), ""}, exit_code(*out.verdict, OnInconclusive::Fail)};
  return out;
}

}  // namespace heddle::client
