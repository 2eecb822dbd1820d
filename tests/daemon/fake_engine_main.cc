// An engine that does what the first file of a check tells it to: speaks engine.proto, knows nothing about C.
//
// Each line `// fake: WORD [ARGUMENT]` of the file is one act, in order:
//   finding RULE    a finding with a small trace        clear            nothing
//   sleep MS        works, hears cancels                stuck            for ever, hears nothing
//   crash           dies by a signal                    crash-once FILE  dies unless FILE exists, creates it
//   unit FILE       says that it compiles FILE          garbage          sends what is no frame
//   no-verdict      ends without one                    deaf MS          does not hear cancels for so long
//   error TEXT      a build error                       inconclusive     ends so
//   at ID [FUNCTION]  a data race with this id, in the line where it stands
//   suppressed ID, still ID   the same, suppressed; open before
//   fragment KIND FUNCTION STATE   a changed fragment in this line, with one pair of threads that ends in STATE
//   same            a comparison that found nothing changed
//   program TEXT    the hash of the program, in the verdict
//   unknown NAME    a call of an unknown function in this line: inconclusive
//   usage TEXT      an error that is no build error, of no target
//   answered        the verdict of the first step       until FILE       works until FILE exists, hears cancels
//   known FILE      as until, in a check of what is known only
// A folder `.fake` beside the file is where its ledger is said to be.
// Unsaved texts (overlays) count instead of the disk.
// A second target appears with `target NAME`. Without any act: a clear verdict.
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "server/daemon/frame_channel.h"

namespace {

using namespace heddle;
using daemon::FrameChannel;

struct Act {
  std::string word, argument;
  uint32_t line = 0, column = 0;
};

// Behind spaces and comments.
size_t first_of_code(const std::string& line) {
  size_t at = line.find_first_not_of(" \t");
  while (at != line.npos && line.compare(at, 2, "/*") == 0) {
    at = line.find("*/", at);
    if (at != line.npos) at = line.find_first_not_of(" \t", at + 2);
  }
  return at == line.npos ? 0 : at;
}

std::string text_of(const v1::CheckRequest& check, const std::string& path) {
  for (const v1::Overlay& overlay : check.overlays()) {
    if (overlay.path() == path) return overlay.text();
  }
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Act> read_acts(const v1::CheckRequest& check, const std::string& path) {
  std::vector<Act> acts;
  std::istringstream file(text_of(check, path));
  uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string mark = "// fake: ";
    const size_t at = line.find(mark);
    if (at == line.npos) continue;
    std::istringstream words(line.substr(at + mark.size()));
    Act act;
    words >> act.word;
    std::getline(words >> std::ws, act.argument);
    while (!act.argument.empty() && act.argument.back() == '\r') act.argument.pop_back();
    act.line = number;
    act.column = static_cast<uint32_t>(first_of_code(line) + 1);
    acts.push_back(act);
  }
  return acts;
}

class Engine {
 public:
  explicit Engine(int fd) : channel_(fd) {}

  int run() {
    while (channel_.state() == FrameChannel::State::Open) {
      if (hear(-1)) return 0;
      while (!pending_.empty()) {
        const v1::Frame frame = pending_.front();
        pending_.erase(pending_.begin());
        cancelled_ = 0;
        perform(frame);
      }
    }
    return 0;
  }

 private:
  // Waits for frames, answers questions, keeps checks. True: shut down.
  bool hear(int timeout_ms) {
    pollfd entry{channel_.fd(), POLLIN, 0};
    poll(&entry, 1, timeout_ms);
    for (v1::Frame& frame : channel_.receive()) {
      if (frame.has_shutdown()) return true;
      if (frame.has_cancel())
        cancelled_ = frame.cancel().generation();
      else if (frame.has_check() || frame.has_replay())
        pending_.push_back(frame);
      else
        answer(frame);
    }
    if (channel_.state() != FrameChannel::State::Open) std::exit(0);
    return false;
  }

  void send(v1::Frame& frame) {
    channel_.send(frame);
    while (channel_.wants_write()) {
      pollfd entry{channel_.fd(), POLLOUT, 0};
      poll(&entry, 1, -1);
      channel_.flush();
    }
  }

  void answer(const v1::Frame& question) {
    v1::Frame frame;
    frame.set_request(question.request());
    if (question.has_status()) {
      frame.mutable_status_is()->set_complete(true);
      frame.mutable_status_is()->set_open_findings(findings_);
      frame.mutable_status_is()->add_targets("main");
      const v1::CheckRequest& project = question.status().project();
      const std::string file = project.files().empty() ? "" : project.files(0);
      const std::string ledger = file.substr(0, file.rfind('/') + 1) + ".fake";
      if (access(ledger.c_str(), F_OK) == 0) frame.mutable_status_is()->set_cache_folder(ledger);
    } else if (question.has_show()) {
      if (question.show().id() == "none")
        frame.mutable_shown()->set_error("there is no finding none");
      else
        *frame.mutable_shown()->add_findings() = finding("data-race", "");
    } else if (question.has_pairs()) {
      v1::TargetPairs& target = *frame.mutable_paired()->add_targets();
      target.set_target("main");
      *target.mutable_diffed() = diffed("");
    } else {
      frame.mutable_explained();
    }
    send(frame);
  }

  static v1::Diffed diffed(const std::string& file) {
    v1::Diffed diffed;
    v1::Fragment& fragment = *diffed.add_fragments();
    fragment.set_kind("inserted");
    fragment.set_description("write of counter");
    fragment.set_file(file.empty() ? "/project/a.c" : file);
    fragment.set_begin_line(3);
    fragment.set_end_line(3);
    fragment.set_function("worker");
    v1::Pair& pair = *diffed.add_pairs();
    pair.set_modified("worker");
    pair.set_other("worker");
    pair.set_chosen(true);
    pair.set_reason("both reach the fragment");
    v1::Pair& skipped = *diffed.add_pairs();
    skipped.set_modified("worker");
    skipped.set_other("logger");
    skipped.set_reason("logger touches no object of the fragment");
    return diffed;
  }

  static v1::Diffed diffed(const std::string& file, const std::vector<Act>& acts, std::vector<std::string>& states) {
    v1::Diffed diffed;
    for (const Act& act : acts) {
      if (act.word != "fragment") continue;
      std::istringstream words(act.argument);
      std::string kind, function, state;
      words >> kind >> function >> state;
      v1::Fragment& fragment = *diffed.add_fragments();
      fragment.set_kind(kind);
      fragment.set_description(kind + " in " + function);
      fragment.set_file(file);
      fragment.set_begin_line(act.line);
      fragment.set_end_line(act.line);
      fragment.set_begin_column(act.column);
      fragment.set_function(function);
      v1::Pair& pair = *diffed.add_pairs();
      pair.set_fragment(static_cast<uint32_t>(diffed.fragments_size() - 1));
      pair.set_modified("worker");
      pair.set_other("worker " + std::to_string(states.size()));
      pair.set_chosen(true);
      pair.set_state("queued");
      states.push_back(state);
    }
    return diffed;
  }

  // The comparison that the acts describe; the state in which each of its pairs ends.
  std::vector<std::string> compare(uint64_t request, const std::string& file, const std::vector<Act>& acts) {
    std::vector<std::string> states;
    v1::Event compared;
    compared.set_target("main");
    *compared.mutable_diffed() = diffed(file, acts, states);
    const bool same = std::any_of(acts.begin(), acts.end(), [](const Act& act) { return act.word == "same"; });
    if (same || !states.empty()) event(request, compared);
    return states;
  }

  void tell_pairs(uint64_t request, const std::string& file, const std::vector<Act>& acts,
                  const std::vector<std::string>& states) {
    std::vector<std::string> again;
    v1::Diffed compared = diffed(file, acts, again);
    for (size_t i = 0; i < states.size(); ++i) {
      v1::Event finished;
      finished.set_target("main");
      v1::Pair& pair = *finished.mutable_pair_finished()->mutable_pair();
      pair = compared.pairs(static_cast<int>(i));
      pair.set_state(states[i]);
      event(request, finished);
    }
  }

  static v1::Finding finding(const std::string& rule, const std::string& file) {
    v1::Finding finding;
    finding.set_rule(rule);
    finding.set_id("0123456789ab");
    finding.set_message("data race on 'counter'");
    const char* threads[] = {"main.0 (worker)", "main.1 (worker)"};
    for (int i = 0; i < 2; ++i) {
      v1::Place& place = *finding.add_places();
      place.set_file(file);
      place.set_line(static_cast<uint32_t>(3 + i));
      place.set_column(5);
      place.set_function("worker");
      place.set_thread(threads[i]);
      place.set_role("writes counter");
      v1::TraceStep& step = *finding.add_trace();
      step.set_thread(threads[i]);
      step.set_thread_number(static_cast<uint32_t>(i + 1));
      *step.mutable_place() = place;
      step.set_action("write counter = 1 (was 0)");
      step.set_switched(i > 0);
      step.set_decisive(true);
    }
    return finding;
  }

  void event(uint64_t request, v1::Event event) {
    v1::Frame frame;
    frame.set_request(request);
    *frame.mutable_event() = std::move(event);
    send(frame);
  }

  void verdict(uint64_t request, const std::string& target, const v1::Verdict& verdict) {
    v1::Event out;
    out.set_target(target);
    *out.mutable_verdict() = verdict;
    event(request, out);
  }

  void done(uint64_t request) {
    v1::Frame frame;
    frame.set_request(request);
    frame.mutable_done();
    send(frame);
  }

  // True: cancelled.
  bool work(uint64_t request, int ms) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    return work(request, [end] { return std::chrono::steady_clock::now() >= end; });
  }
  bool work(uint64_t request, const std::function<bool()>& ends) {
    while (!ends()) {
      if (hear(1)) std::exit(0);
      if (cancelled_ == request) return true;
    }
    return false;
  }

  // A check as far as it has come.
  struct Check {
    uint64_t request = 0;
    std::string file;
    std::vector<std::string> targets = {"main"};
    v1::Verdict result;
    bool diffed_sent = false;
    bool known_only = false;
  };

  static v1::Verdict clear_verdict() {
    v1::Verdict result;
    result.set_step("final");
    result.mutable_stats()->set_pairs(1);
    result.mutable_stats()->set_executions(7);
    result.mutable_stats()->mutable_ms()->set_total(4);
    result.mutable_stats()->mutable_ms()->set_first_finding(-1);
    result.mutable_scope()->set_pairs_explored(1);
    result.mutable_scope()->set_step1(v1::STEP_COMPLETE);
    result.mutable_scope()->set_step2(v1::STEP_COMPLETE);
    result.mutable_scope()->set_compared_with("nothing: first check");
    return result;
  }

  // Does what an engine should not do.
  void misbehave(const Act& act) {
    if (act.word == "deaf") std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(act.argument.c_str())));
    if (act.word == "stuck")
      for (;;) pause();
    if (act.word == "crash") raise(SIGKILL);
    if (act.word == "crash-once" && access(act.argument.c_str(), F_OK) != 0) {
      std::ofstream(act.argument) << "crashed\n";
      raise(SIGKILL);
    }
    if (act.word == "garbage") {
      const char bytes[] = "\xff\xff\xff\xffthis is no frame";
      [[maybe_unused]] const ssize_t n = write(channel_.fd(), bytes, sizeof bytes);
      pause();
    }
  }

  void report_unit(uint64_t request, const std::string& unit) {
    v1::Event progress;
    progress.mutable_progress()->set_phase("compile");
    progress.mutable_progress()->set_unit(unit);
    event(request, progress);
  }

  static void set_build_error(Check& check, const std::string& message) {
    v1::Diagnostic& diagnostic = *check.result.add_diagnostics();
    diagnostic.set_severity("error");
    diagnostic.set_file(check.file);
    diagnostic.set_line(1);
    diagnostic.set_column(2);
    diagnostic.set_message(message);
    check.result.set_kind(v1::VERDICT_ERROR);
    check.result.set_error(v1::ERROR_BUILD);
    check.result.set_message("1 file does not compile");
  }

  static void set_usage_error(v1::Verdict& result, const std::string& message) {
    result.set_kind(v1::VERDICT_ERROR);
    result.set_error(v1::ERROR_USAGE);
    result.set_message(message);
    if (message.starts_with("no program of the project")) result.add_targets("main");  // others are there
  }

  static void add_unknown(Check& check, const Act& act) {
    v1::Verdict& result = check.result;
    v1::UnknownExternal& external = *result.mutable_scope()->add_unknown_externals();
    external.set_name(act.argument);
    external.set_calls(1);
    v1::Place& place = *external.add_places();
    place.set_file(check.file);
    place.set_line(act.line);
    place.set_column(act.column);
    result.mutable_scope()->add_limits("calls '" + act.argument + "', which the project does not define (" +
                                       check.file + ":" + std::to_string(act.line) + ")");
    if (result.kind() == v1::VERDICT_CLEAR) result.set_kind(v1::VERDICT_INCONCLUSIVE);
    result.set_message("not everything could be explored: " + result.scope().limits(0));
  }

  // At the place of the act itself, of one thread alone.
  static v1::Finding finding_at(const Act& act, const std::string& file) {
    v1::Finding race = finding("data-race", file);
    const size_t space = act.argument.find(' ');
    race.set_id(act.argument.substr(0, space));
    race.mutable_places()->DeleteSubrange(1, 1);
    race.mutable_trace()->DeleteSubrange(1, 1);
    race.mutable_places(0)->set_line(act.line);
    race.mutable_places(0)->set_column(act.column);
    if (space != act.argument.npos) race.mutable_places(0)->set_function(act.argument.substr(space + 1));
    if (act.word == "still") race.set_state(v1::FINDING_STILL_THERE);
    if (act.word == "suppressed") race.mutable_suppressed()->set_reason("known");
    *race.mutable_trace(0)->mutable_place() = race.places(0);
    return race;
  }

  void report_finding(Check& check, const v1::Finding& finding) {
    v1::Event found;
    found.set_target("main");
    *found.mutable_finding() = finding;
    event(check.request, found);
    if (finding.has_suppressed()) return;
    check.result.set_kind(v1::VERDICT_FINDINGS);
    check.result.set_findings(check.result.findings() + 1);
    check.result.set_open_findings(check.result.findings());
    findings_ = check.result.findings();
  }

  void report_fragments(Check& check) {
    if (std::exchange(check.diffed_sent, true)) return;
    v1::Event diff;
    diff.set_target("main");
    *diff.mutable_diffed() = diffed(check.file);
    event(check.request, diff);
  }

  // True: the check ends without the verdict that the acts made so far.
  bool perform(const Act& act, Check& check) {
    misbehave(act);
    if (act.word == "sleep") return work(check.request, std::atoi(act.argument.c_str()));
    if (act.word == "until" || (act.word == "known" && check.known_only))
      return work(check.request, [&] { return access(act.argument.c_str(), F_OK) == 0; });
    if (act.word == "no-verdict") return true;
    if (act.word == "unit") report_unit(check.request, act.argument);
    if (act.word == "target") check.targets.push_back(act.argument);
    if (act.word == "program") check.result.set_program(act.argument);
    if (act.word == "error") set_build_error(check, act.argument);
    if (act.word == "unknown") add_unknown(check, act);
    if (act.word == "answered") {
      v1::Verdict first = check.result;
      first.set_step("step1");
      verdict(check.request, "main", first);
    }
    if (act.word == "inconclusive") {
      check.result.set_kind(v1::VERDICT_INCONCLUSIVE);
      check.result.set_message("the time limit was reached");
    }
    if (act.word == "usage") {
      set_usage_error(check.result, act.argument);
      verdict(check.request, "", check.result);
      return true;
    }
    if (act.word == "at" || act.word == "suppressed" || act.word == "still")
      report_finding(check, finding_at(act, check.file));
    if (act.word == "finding") {
      report_fragments(check);
      report_finding(check, finding(act.argument, check.file));
    }
    return false;
  }

  void perform(const v1::Frame& frame) {
    const v1::CheckRequest& asked = frame.has_check() ? frame.check() : frame.replay().project();
    Check check;
    check.request = frame.request();
    check.file = asked.files_size() > 0 ? asked.files(0) : asked.root() + "/main.c";
    check.result = clear_verdict();
    check.known_only = asked.ledger_only();
    v1::Event started;
    started.mutable_started()->set_compared_with("nothing: first check");
    event(check.request, started);
    v1::Frame files;
    files.set_request(check.request);
    files.mutable_files()->set_root(asked.root());
    files.mutable_files()->add_files(check.file);
    send(files);
    const std::vector<Act> acts = read_acts(asked, check.file);
    const std::vector<std::string> states = compare(check.request, check.file, acts);
    check.diffed_sent = !states.empty();
    for (const Act& act : acts)
      if (perform(act, check)) return done(check.request);
    tell_pairs(check.request, check.file, acts, states);
    for (const std::string& target : check.targets) {
      v1::Verdict first = check.result;
      first.set_step("step1");
      verdict(check.request, target, first);
      verdict(check.request, target, check.result);
    }
    verdict(check.request, "", check.result);
    done(check.request);
  }

  FrameChannel channel_;
  std::vector<v1::Frame> pending_;
  uint64_t cancelled_ = 0;
  uint32_t findings_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || std::string(argv[1]) != "--channel-fd") return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return Engine(std::atoi(argv[2])).run();
}
