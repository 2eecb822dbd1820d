#include "client/whole_check.h"

#include <algorithm>
#include <vector>

#include "client/check_request.h"

#include "client/link/daemon_link.h"
#include "client/one_finding.h"
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

namespace {

std::variant<Checked, Stop> check_once(Backend& backend, const v1::CheckRequest& request) {
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

// Of lone files in a folder: the programs that were checked there.
std::variant<std::vector<std::string>, Stop> known_programs(Backend& backend, const v1::CheckRequest& request) {
  v1::PairsRequest question;
  question.set_root(request.root());
  *question.mutable_project() = request;
  const auto known = backend.pairs(question);
  if (const auto* failure = std::get_if<Failure>(&known)) return Stop{*failure, ExitCode::Internal};
  const v1::PairsResponse& response = std::get<v1::PairsResponse>(known);
  std::vector<std::string> names;
  for (const v1::TargetPairs& target : response.targets()) names.push_back(target.target());
  if (names.empty()) return Stop{{response.error(), "heddle check file.c"}};
  return names;
}

void add(const Checked& more, Checked& all) {
  all.findings.insert(more.findings.begin(), more.findings.end());
  all.not_confirmed.insert(more.not_confirmed.begin(), more.not_confirmed.end());
  all.root = more.root;
  if (!all.verdict) return void(all.verdict = more.verdict);
  for (const std::string& warning : more.verdict->warnings())
    if (std::ranges::find(all.verdict->warnings(), warning) == all.verdict->warnings().end())
      all.verdict->add_warnings(warning);
  if (more.verdict->kind() == v1::VERDICT_INCONCLUSIVE) all.verdict->set_kind(v1::VERDICT_INCONCLUSIVE);
}

}  // namespace

std::variant<Checked, Stop> check(Backend& backend, const v1::CheckRequest& request) {
  if (!request.target().empty() || !is_about_lone_files(request)) return check_once(backend, request);
  const auto programs = known_programs(backend, request);
  if (const auto* stop = std::get_if<Stop>(&programs)) return *stop;
  Checked all;
  v1::CheckRequest one = request;
  for (const std::string& program : std::get<std::vector<std::string>>(programs)) {
    one.set_target(program);
    const auto checked = check_once(backend, one);
    if (const auto* stop = std::get_if<Stop>(&checked)) return *stop;
    add(std::get<Checked>(checked), all);
  }
  return all;
}

}  // namespace heddle::client
