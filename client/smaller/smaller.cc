#include "client/smaller/smaller.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "client/report/report.h"
#include "client/smaller/bounds.h"

namespace heddle::client::smaller {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t kFew = 2;
constexpr uint64_t kTriedMost = 100;  // what a number may be to be tried as it is
constexpr size_t kBoundsMost = 8, kFilesMost = 200;

struct Number {
  std::string path;
  Bound bound;
  uint64_t now = kFew;
};

// "program:Suite.Name" -> "Suite.Name".
std::string test_case_of(const std::string& target) {
  const size_t colon = target.find(':');
  return colon == std::string::npos ? std::string() : target.substr(colon + 1);
}

struct Outcome {
  bool complete = false;
  uint64_t interleavings = 0;
  std::optional<v1::Finding> finding;  // the first one
};

class Search {
 public:
  Search(Backend& backend, const v1::CheckRequest& request, const v1::Event& verdict, const fix::ReadText& read,
         double seconds, const std::function<bool()>& cancelled)
      : backend_(backend),
        request_(request),
        target_(verdict.target()),
        read_(read),
        until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        cancelled_(cancelled) {
    find_numbers(verdict.verdict().scope());
    // Those of the test case first, then those that start threads: the others are the first to get their number back.
    std::stable_sort(numbers_.begin(), numbers_.end(), [](const Number& a, const Number& b) {
      return std::pair(!a.bound.test_case.empty(), a.bound.starts_threads) >
             std::pair(!b.bound.test_case.empty(), b.bound.starts_threads);
    });
    if (numbers_.size() > kBoundsMost) numbers_.resize(kBoundsMost);
  }

  std::optional<v1::Smaller> run() {
    if (numbers_.empty()) return std::nullopt;
    Outcome best = explored();
    if (!best.complete) return std::nullopt;
    for (size_t n = numbers_.size(); n-- > 0 && !best.finding;) {
      Number& number = numbers_[n];
      if (number.bound.value > kTriedMost) continue;
      number.now = number.bound.value;
      if (all_as_they_are()) {
        number.now = kFew;
        continue;
      }
      if (const Outcome larger = explored(); larger.complete)
        best = larger;
      else
        number.now = kFew;
    }
    return described(best);
  }

 private:
  // A constant of a header may bound a loop of another file.
  void find_numbers(const v1::Scope& scope) {
    const std::map<std::string, std::string> texts = texts_of(scope);
    std::vector<LoopHead> heads;
    for (const auto& [path, text] : texts)
      for (LoopHead& head : loop_heads_of(text)) heads.push_back(std::move(head));
    for (const auto& [path, text] : texts)
      for (Bound& bound : bounds_of(text, heads))
        if (concerns(bound, test_case_of(target_))) numbers_.push_back({path, std::move(bound)});
  }

  // The files with the program's code, and the headers in quotes that lie relative to them: those may have nothing but
  // macros.
  std::map<std::string, std::string> texts_of(const v1::Scope& scope) const {
    static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re", std::regex::multiline);
    std::map<std::string, std::string> out;
    std::vector<std::string> left(scope.program_files().begin(), scope.program_files().end());
    while (!left.empty() && out.size() < kFilesMost) {
      const std::string path = std::move(left.back());
      left.pop_back();
      const std::optional<std::string> text = out.contains(path) ? std::nullopt : read_(path);
      if (!text) continue;
      for (auto it = std::sregex_iterator(text->begin(), text->end(), include); it != std::sregex_iterator(); ++it)
        left.push_back((std::filesystem::path(path).parent_path() / (*it)[1].str()).lexically_normal().string());
      out.emplace(path, *text);
    }
    return out;
  }

  double seconds_left() const { return std::chrono::duration<double>(until_ - Clock::now()).count(); }
  bool all_as_they_are() const {
    return std::all_of(numbers_.begin(), numbers_.end(), [](const Number& n) { return n.now == n.bound.value; });
  }

  // A program that asserts what its numbers make fails for another reason, however its threads are scheduled: that is
  // no outcome. What else is found before the assertion is one, and so is an assertion that other interleavings pass.
  Outcome explored() {
    Outcome out;
    constexpr double kSecondsLeast = 0.5;
    if (cancelled_() || seconds_left() < kSecondsLeast) return out;
    std::optional<v1::Verdict> verdict;
    std::optional<v1::Finding> assertion;
    const auto failure = backend_.check(trial(), [&](const v1::Event& event) {
      if (is_combined_verdict(event)) verdict = event.verdict();
      if (!event.has_finding() || event.finding().has_suppressed()) return;
      std::optional<v1::Finding>& first = event.finding().rule() == "assertion" ? assertion : out.finding;
      if (!first) first = event.finding();
    });
    if (!out.finding && verdict && !verdict->scope().never_ends()) out.finding = assertion;
    if (failure || !verdict || (assertion && !out.finding)) return Outcome();
    out.complete = out.finding || verdict->kind() == v1::VERDICT_CLEAR;
    out.interleavings = verdict->stats().executions();
    return out;
  }

  v1::CheckRequest trial() const {
    v1::CheckRequest out = request_;
    out.set_trial(true);
    out.set_full(true);
    out.set_target(target_);
    out.set_client("smaller " + std::to_string(getpid()));
    out.set_time_limit_seconds(seconds_left());
    std::map<std::string, std::vector<fix::Replacement>> edits;
    for (const Number& number : numbers_)
      for (fix::Replacement edit : number.bound.edits) {
        edit.text = std::to_string(number.now);
        if (number.now != number.bound.value) edits[number.path].push_back(std::move(edit));
      }
    for (auto& [path, replaced] : edits) {
      std::sort(replaced.begin(), replaced.end(),
                [](const fix::Replacement& a, const fix::Replacement& b) { return a.begin < b.begin; });
      v1::Overlay& overlay = *out.add_overlays();
      overlay.set_path(path);
      overlay.set_text(fix::applied(read_(path).value_or(""), replaced));
    }
    return out;
  }

  v1::Smaller described(const Outcome& outcome) const {
    v1::Smaller out;
    for (const Number& number : numbers_) {
      if (number.now == number.bound.value) continue;
      v1::NumberChange& change = *out.add_changes();
      change.set_name(number.bound.name);
      change.set_from(number.bound.value);
      change.set_to(number.now);
      change.mutable_place()->set_file(number.path);
      change.mutable_place()->set_line(number.bound.line);
      change.mutable_place()->set_column(number.bound.column);
    }
    out.set_interleavings(outcome.interleavings);
    if (outcome.finding) *out.mutable_finding() = *outcome.finding;
    return out;
  }

  Backend& backend_;
  const v1::CheckRequest& request_;
  const std::string target_;
  const fix::ReadText& read_;
  const Clock::time_point until_;
  const std::function<bool()>& cancelled_;
  std::vector<Number> numbers_;
};

}  // namespace

bool is_too_large(const v1::CheckRequest& request, const v1::Event& verdict) {
  const bool of_the_disk = request.overlays().empty() && request.base().empty() && !request.has_base_texts() &&
                           request.harness().empty() && !request.has_rerun() && !request.trial();
  return of_the_disk && verdict.has_verdict() && verdict.verdict().step() == "final" && !verdict.target().empty() &&
         verdict.verdict().kind() == v1::VERDICT_INCONCLUSIVE && !verdict.verdict().scope().program_files().empty();
}

std::optional<v1::Smaller> smaller_configuration(Backend& backend, const v1::CheckRequest& request,
                                                 const v1::Event& verdict, const fix::ReadText& read, double seconds,
                                                 const std::function<bool()>& cancelled) {
  return Search(backend, request, verdict, read, seconds, cancelled).run();
}

}  // namespace heddle::client::smaller
