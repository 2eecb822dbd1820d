#include "tests/judge/report.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace heddle::judge {
namespace {

using nlohmann::json;

std::string percent(uint64_t part, uint64_t of) {
  if (of == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(of));
  return text;
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string row(const std::string& name, const Recall& r) {
  return "  " + padded(name, 24) + padded(std::to_string(r.introduced), 10) +
         padded(percent(r.found, r.introduced), 12) + percent(r.found_by_step1, r.introduced) + "\n";
}

std::string quantiles(std::vector<double> values) {
  if (values.empty()) return "none";
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) { return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))]; };
  char text[128];
  std::snprintf(text, sizeof text, "10 %%: %.3f, 25 %%: %.3f, median %.3f, 75 %%: %.3f, 90 %%: %.3f (%zu edits)",
                at(0.1), at(0.25), at(0.5), at(0.75), at(0.9), values.size());
  return text;
}

void sum(Recall& to, const Recall& from) {
  to.introduced += from.introduced;
  to.found += from.found;
  to.found_by_step1 += from.found_by_step1;
}

}  // namespace

std::string write(const CaseResult& r) {
  json j = {{"index", r.index},
            {"skipped", r.skipped},
            {"incomplete", r.incomplete},
            {"steps", json::array()},
            {"problems", json::array()}};
  for (const Step& s : r.steps) {
    json recall = json::object();
    for (const auto& [rule, x] : s.recall) recall[rule] = {x.introduced, x.found, x.found_by_step1};
    j["steps"].push_back({s.edit, s.large, s.nothing, s.everything, s.full, s.step1, s.step2, s.pairs,
                          s.pairs_incomplete, recall, s.later});
  }
  for (const Problem& p : r.problems) j["problems"].push_back({p.kind, p.text, p.old_text, p.new_text});
  return j.dump();
}

CaseResult read_case(const std::string& line) {
  const json j = json::parse(line);
  CaseResult r;
  r.index = j.at("index");
  r.skipped = j.at("skipped");
  r.incomplete = j.at("incomplete");
  for (const json& s : j.at("steps")) {
    Step step{s.at(0), s.at(1), s.at(2), s.at(3), s.at(4), s.at(5), s.at(6), s.at(7), s.at(8), {}, s.at(10)};
    for (const auto& [rule, x] : s.at(9).items()) step.recall[rule] = {x.at(0), x.at(1), x.at(2)};
    r.steps.push_back(step);
  }
  for (const json& p : j.at("problems")) r.problems.push_back({p.at(0), p.at(1), p.at(2), p.at(3)});
  return r;
}

std::string describe(const CaseResult& result) {
  std::string text;
  if (!result.skipped.empty()) text += "not judged: " + result.skipped + "\n";
  if (result.incomplete) text += "an increment did not end within its limits\n";
  for (const Step& s : result.steps)
    text += s.edit + ": full " + std::to_string(s.full) + " executions, step 1 " + std::to_string(s.step1) + " (" +
            std::to_string(s.pairs) + " pairs), step 2 " + std::to_string(s.step2) +
            (s.large ? ", several groups" : "") + (s.nothing ? ", judged to change nothing" : "") +
            (s.everything ? ", everything" : "") + "\n";
  for (const Step& s : result.steps)
    for (const std::string& error : s.later) text += "not by step 1 alone: " + error + "\n";
  for (const Problem& p : result.problems)
    text += "--- old\n" + p.old_text + "--- new\n" + p.new_text + p.kind + ": " + p.text + "\n";
  if (result.problems.empty()) text += "no problems\n";
  return text;
}

void Report::add(const CaseResult& result) {
  ++cases_;
  incomplete_ += result.incomplete;
  if (!result.skipped.empty()) ++skipped_[result.skipped];
  for (const Step& s : result.steps) {
    ++judged_;
    ++edits_[s.edit];
    nothing_ += s.nothing;
    everything_ += s.everything;
    full_ += s.full;
    step1_ += s.step1;
    step2_ += s.step2;
    pairs_ += s.pairs;
    pairs_incomplete_ += s.pairs_incomplete;
    for (const auto& [rule, r] : s.recall) {
      sum(by_rule_[rule], r);
      sum(by_edit_[s.edit], r);
    }
    for (const std::string& error : s.later) later_.push_back({result.index, s.edit + ": " + error});
    if (s.nothing || s.full == 0) continue;
    if (s.large) large_step1_ratios_.push_back(static_cast<double>(s.step1) / static_cast<double>(s.full));
    (s.large ? large_ratios_ : ratios_).push_back(static_cast<double>(s.step1 + s.step2) / static_cast<double>(s.full));
  }
  for (const Problem& p : result.problems) problems_.push_back({result.index, p});
}

const std::vector<std::pair<uint64_t, Problem>>& Report::problems() {
  std::stable_sort(problems_.begin(), problems_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return problems_;
}

std::string Report::text() {
  std::map<std::string, uint64_t> kinds;
  for (const auto& [index, p] : problems_) ++kinds[p.kind];
  std::string text = std::to_string(cases_) + " cases, " + std::to_string(judged_) + " edits judged (" +
                     std::to_string(nothing_) + " judged to change nothing, " + std::to_string(everything_) +
                     " to concern everything), " + std::to_string(incomplete_) + " increments over their limits, in " +
                     std::to_string(static_cast<int>(seconds)) + " s\n";
  for (const auto& [why, n] : skipped_) text += "  not judged, " + why + ": " + std::to_string(n) + "\n";
  Recall all;
  for (const auto& [rule, r] : by_rule_) sum(all, r);
  text += "errors that edits introduced\n  " + padded("", 24) + padded("number", 10) + padded("found", 12) +
          "by step 1 alone\n" + row("all", all);
  for (const auto& [rule, r] : by_rule_) text += row(rule, r);
  text += "by kind of edit\n";
  for (const auto& [edit, n] : edits_) text += row(edit + " (" + std::to_string(n) + ")", by_edit_[edit]);
  text += "executions: full " + std::to_string(full_) + ", step 1 " + std::to_string(step1_) + ", step 2 " +
          std::to_string(step2_) + "\n";
  text +=
      "pairs: " + std::to_string(pairs_) + ", not explored to their end " + std::to_string(pairs_incomplete_) + "\n";
  text += "increment / full, one group:      " + quantiles(ratios_) + "\n";
  text += "increment / full, several groups: " + quantiles(large_ratios_) + "\n";
  text += "  of these by step 1:              " + quantiles(large_step1_ratios_) + "\n";
  std::sort(later_.begin(), later_.end());
  for (const auto& [index, error] : later_)
    text += "not by step 1 alone: case " + std::to_string(index) + ": " + error.substr(0, error.find('\n')) + "\n";
  text += "problems: " + std::to_string(problems_.size());
  for (const auto& [kind, n] : kinds) text += ", " + kind + " " + std::to_string(n);
  text += "\n";
  for (const auto& [index, p] : problems())
    text += "  case " + std::to_string(index) + ": " + p.kind + ": " + p.text.substr(0, p.text.find('\n')) + "\n";
  return text;
}

}  // namespace heddle::judge
