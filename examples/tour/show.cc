#include "examples/tour/show.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>

#include "examples/tour/judge.h"

namespace heddle::tour {
namespace {

using Json = nlohmann::json;

constexpr size_t kStepsMax = 14, kColumnsWidth = 96, kPairsMax = 4, kFragmentsMax = 4;

std::string milliseconds(double ms) {
  if (ms < 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text,
                ms < 10      ? "%.1f ms"
                : ms < 10000 ? "%.0f ms"
                             : "%.2f s",
                ms < 10000 ? ms : ms / 1000);
  return text;
}

std::string fitted(std::string text, size_t width) {
  size_t columns = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;  // inside a character
    if (++columns > width) {
      text.resize(i);
      return text;
    }
  }
  return text + std::string(width - columns, ' ');
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string place_text(const Json& place) {
  return file_name(place.value("file", "")) + ":" + std::to_string(place.value("line", 0u));
}

std::string joined(const std::vector<std::string>& parts, size_t most) {
  std::string text;
  for (size_t i = 0; i < parts.size() && i < most; ++i) text += (i ? ", " : "") + parts[i];
  if (parts.size() > most) text += ", and " + std::to_string(parts.size() - most) + " more";
  return text;
}

// The last steps of the interleaving, one column per thread.
void show_trace(std::ostream& out, const Json& trace) {
  std::vector<Json> steps(trace.begin(), trace.end());
  const size_t first = steps.size() > kStepsMax ? steps.size() - kStepsMax : 0;
  std::vector<std::string> threads;
  for (size_t i = first; i < steps.size(); ++i) {
    const std::string name = steps[i].value("thread", "");
    if (std::find(threads.begin(), threads.end(), name) == threads.end()) threads.push_back(name);
  }
  if (threads.empty()) return;
  std::sort(threads.begin(), threads.end());
  const size_t width = kColumnsWidth / threads.size();
  out << "        ";
  for (const std::string& thread : threads) out << fitted(thread, width);
  out << "\n";
  if (first > 0) out << "        ... " << first << " earlier steps\n";
  for (size_t i = first; i < steps.size(); ++i) {
    const Json& step = steps[i];
    const size_t column = std::find(threads.begin(), threads.end(), step.value("thread", "")) - threads.begin();
    out << (step.value("decisive", false) ? "      > " : "        ") << std::string(column * width, ' ')
        << fitted(place_text(step.value("place", Json::object())) + " " + step.value("action", ""), width - 1) << "\n";
  }
}

}  // namespace

void show_verdict(std::ostream& out, const Answer& answer) {
  const Json& verdict = answer.verdict();
  const Json stats = verdict.value("stats", Json::object());
  out << fitted(verdict.value("verdict", "no verdict"), 13);
  const double step1 = answer.arrival("target_verdict", "step1"), diffed = answer.arrival("diffed");
  out << "after " << milliseconds(answer.wall_ms);
  if (diffed >= 0)
    out << " (impact " << milliseconds(diffed) << (step1 >= 0 ? ", step 1 " + milliseconds(step1) : "") << ")";
  const auto executions = stats.value("executions", 0u);
  if (executions == 0) {
    out << ", nothing to explore";
  } else {
    out << ", " << stats.value("pairs", 0u) << " pairs, " << executions << " interleavings";
  }
  out << "\n";
}

void show_impact(std::ostream& out, const Answer& answer) {
  for (const Event* event : answer.of_type("diffed")) {
    std::vector<std::string> fragments, pairs;
    for (const Json& fragment : event->data.value("fragments", Json::array()))
      fragments.push_back(fragment.value("description", "") + " (" + file_name(fragment.value("file", "")) + ":" +
                          std::to_string(fragment.value("beginLine", 0u)) + ")");
    std::set<std::string> seen;
    for (const Json& pair : event->data.value("pairs", Json::array())) {
      const std::string text = pair.value("modified", "") + " with " + pair.value("other", "");
      if (pair.value("chosen", false) && seen.insert(text).second) pairs.push_back(text);
    }
    if (!fragments.empty()) out << "      changed  " << joined(fragments, kFragmentsMax) << "\n";
    if (!pairs.empty()) out << "      pairs    " << joined(pairs, kPairsMax) << "\n";
  }
}

void show_findings(std::ostream& out, const Answer& answer) {
  bool first = true;
  for (const Json& finding : open_findings(answer)) {
    const Json places = finding.value("places", Json::array());
    out << "      " << (places.empty() ? "" : place_text(places[0]) + ": ") << finding.value("message", "") << " ["
        << finding.value("rule", "") << "]\n";
    if (first) show_trace(out, finding.value("trace", Json::array()));
    first = false;
  }
}

}  // namespace heddle::tour
