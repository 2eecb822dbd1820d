#include "examples/tour/show.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "examples/tour/judge.h"

namespace heddle::tour {
namespace {

using Json = nlohmann::json;

constexpr size_t kStepsMax = 10, kColumnsWidth = 129, kPlaceWidth = 12, kGapMin = 10, kPairsMax = 4, kFragmentsMax = 3;

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

// Steps that tell the story: the places of the finding, and before its end synchronisation and where another thread
// took over. In order; `left_out` counts what is missing in front of each.
struct Telling {
  Json step;
  size_t left_out = 0;
};

std::vector<Telling> telling_steps(const Json& trace) {
  std::vector<size_t> chosen;
  size_t decisive = 0;
  for (const Json& step : trace) decisive += step.value("decisive", false);
  size_t others = decisive < kStepsMax ? kStepsMax - decisive : 0;
  for (size_t i = trace.size(); i-- > 0;) {
    const std::string action = trace[i].value("action", "");
    const bool plain = action.rfind("read ", 0) == 0 || action.rfind("write ", 0) == 0 || action.rfind("...", 0) == 0;
    const bool important = trace[i].value("decisive", false);
    if (!important && (others == 0 || (plain && !trace[i].value("switched", false)))) continue;
    others -= !important;
    chosen.insert(chosen.begin(), i);
  }
  std::vector<Telling> steps;
  size_t next = 0;
  for (const size_t i : chosen) {
    steps.push_back({trace[i], i - next});
    next = i + 1;
  }
  return steps;
}

// The end of the interleaving, one column per thread.
void show_trace(std::ostream& out, const Json& trace) {
  const std::vector<Telling> steps = telling_steps(trace);
  std::vector<std::string> threads;
  for (const Telling& telling : steps) {
    const std::string name = telling.step.value("thread", "");
    if (std::find(threads.begin(), threads.end(), name) == threads.end()) threads.push_back(name);
  }
  if (threads.empty()) return;
  std::sort(threads.begin(), threads.end());
  const size_t width = kColumnsWidth / threads.size();
  const auto row = [&](const char* mark, const std::string& place, const std::vector<std::string>& cells) {
    out << "      " << mark << " " << fitted(place, kPlaceWidth);
    for (const std::string& cell : cells) out << "│ " << fitted(cell, width - 2);
    out << "\n";
  };
  row(" ", "", threads);
  for (const Telling& telling : steps) {
    if (telling.left_out >= kGapMin) out << "        ... " << telling.left_out << " steps\n";
    std::vector<std::string> cells(threads.size());
    const size_t column = std::find(threads.begin(), threads.end(), telling.step.value("thread", "")) - threads.begin();
    cells[column] = telling.step.value("action", "");
    row(telling.step.value("decisive", false) ? "●" : " ", place_text(telling.step.value("place", Json::object())),
        cells);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

// What is not in a longest common subsequence of lines.
void show_change(std::ostream& out, const std::string& before, const std::string& after) {
  const std::vector<std::string> a = lines_of(before), b = lines_of(after);
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
      out << "      - " << a[i++] << "\n";
    } else {
      out << "      + " << b[j++] << "\n";
    }
  }
}

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
    out << "      " << (follows_from_another(finding) ? "leads to: " : "")
        << (places.empty() ? "" : place_text(places[0]) + ": ") << finding.value("message", "") << " ["
        << finding.value("rule", "") << "]\n";
    if (first) show_trace(out, finding.value("trace", Json::array()));
    first = false;
  }
}

}  // namespace heddle::tour
