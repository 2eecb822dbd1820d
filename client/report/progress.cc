#include "client/report/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "client/report/numbers.h"
#include "client/report/phase_words.h"
#include "server/text/grouped.h"

namespace heddle::client {
namespace {

constexpr double kQuietSeconds = 0.5;
constexpr unsigned kBarWidth = 20;

void write_error(const std::string& text) {
  [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(const Style& style, bool enabled) : style_(style), enabled_(enabled) { restart(); }

void Progress::restart() {
  erase();
  const base::MutexLock lock(mutex_);
  started_ = std::chrono::steady_clock::now();
  running_ = true;
  phase_ = "starting";
  done_ = of_ = 0;
  executions_ = 0;
}

void Progress::event(const v1::Event& event) {
  if (!enabled_) return;
  const base::MutexLock lock(mutex_);
  if (event.has_started()) {
    phase_ = "compiling";
  } else if (event.has_diffed()) {
    phase_ = "exploring";
  } else if (event.has_progress()) {
    const v1::Progress& progress = event.progress();
    phase_ = phase_words(progress.phase());
    if (!progress.unit().empty()) phase_ += " " + style_.path(progress.unit());
    // Where all threads run together there are no pairs to count.
    const std::string& phase = progress.phase();
    const bool pairs = phase != "step2" && phase != "consequences" && phase != "full" && phase != "weak";
    if (!pairs)
      done_ = of_ = 0;
    else if (progress.of() > 0)
      done_ = progress.done(), of_ = progress.of();
    executions_ = std::max(executions_, progress.stats().executions());
  } else if (event.has_pair_started()) {
    of_ = event.pair_started().of();
  } else if (event.has_pair_finished()) {
    done_ = event.pair_finished().index() + 1;
    of_ = event.pair_finished().of();
  } else if (event.has_verdict()) {
    running_ = event.verdict().step() == "step1" || !event.target().empty();
  }
}

void Progress::tick() {
  if (!enabled_) return;
  const base::MutexLock lock(mutex_);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  if (!running_ || seconds < kQuietSeconds) return;
  write_error("\r" + line(phase_, done_, of_, executions_, seconds, style_) + "\x1b[K");
  drawn_ = true;
}

void Progress::erase() {
  const base::MutexLock lock(mutex_);
  if (drawn_) write_error("\r\x1b[K");
  drawn_ = false;
}

std::string Progress::line(const std::string& phase, uint32_t done, uint32_t of, uint64_t executions, double seconds,
                           const Style& style) {
  std::string text;
  if (of > 0) {
    const unsigned full = std::min(kBarWidth, done * kBarWidth / of);
    for (unsigned i = 0; i < kBarWidth; ++i) {
      text += i < full ? (style.unicode ? "█" : "#") : (style.unicode ? "░" : ".");
    }
    text += "  " + std::to_string(done) + "/" + std::to_string(of) + " pairs";
  }
  const std::string start = text.empty() ? phase : phase + "  " + text;
  std::string end;
  if (executions > 0) end = "  " + text::grouped(executions) + (executions == 1 ? " interleaving" : " interleavings");
  char time[32];
  std::snprintf(time, sizeof time, "  %.1f s", seconds);
  std::string result = start + end + time;
  if (display_width(result) >= style.width) result = (text.empty() ? phase : text) + time;
  if (display_width(result) >= style.width) result = time + 2;
  return result;
}

}  // namespace heddle::client
