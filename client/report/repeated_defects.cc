#include "client/report/repeated_defects.h"

#include <algorithm>
#include <set>

#include "client/report/numbers.h"

namespace heddle::client {

namespace {

constexpr size_t kNamesMost = 3;

std::string text_of(const v1::Place& place) {
  return place.file() + ":" + std::to_string(place.line()) + ":" + std::to_string(place.column());
}

bool is_fault(const v1::Finding& finding) {
  static const std::set<std::string> kBetweenThreads = {"data-race", "deadlock", "livelock", "lost-signal"};
  return !kBetweenThreads.contains(finding.rule());
}

// "work.lock" -> "work", "malloc@list.c:14#2.lock" -> "malloc@list.c:14"
std::string owner_of(const std::string& object) {
  const size_t site = object.find('@'), line = site == object.npos ? 0 : object.find(':', site);
  return object.substr(0, object.find_first_of(".[+#", line == object.npos ? site : line));
}

// Of code that programs share, which object a thread waits for is the caller's concern, and so no part of the defect. But
// what waits for the objects of several owners was given them: by another caller it is given others.
void add_objects(const v1::Finding& finding, std::set<std::string>& key) {
  std::set<std::string> objects, owners;
  for (const v1::Place& place : finding.places()) {
    const std::string& role = place.role();
    const size_t begin = role.find('\''), end = begin == role.npos ? begin : role.find('\'', begin + 1);
    if (end == role.npos) continue;
    const std::string object = role.substr(begin + 1, end - begin - 1);
    objects.insert(object);
    owners.insert(owner_of(object));
  }
  if (owners.size() > 1) key.merge(objects);
}

// A fault is known by its place, an error between threads by all of them.
std::string key_of(const v1::Finding& finding) {
  std::set<std::string> places;
  for (const v1::Place& place : finding.places()) {
    places.insert(text_of(place));
    if (is_fault(finding)) break;
  }
  if (!is_fault(finding) && finding.rule() != "data-race") add_objects(finding, places);
  std::string key = finding.rule();
  for (const std::string& place : places) key += "\n" + place;
  return key;
}

}  // namespace

bool RepeatedDefects::repeats(const v1::Finding& finding) {
  if (finding.places().empty()) return false;
  const std::string key = key_of(finding);
  const auto [known, fresh] = shown_.try_emplace(key, Shown{finding.id(), finding.target(), {}});
  if (fresh) order_.push_back(key);
  Shown& shown = known->second;
  if (shown.target == finding.target()) return false;
  ++count_;
  if (std::find(shown.others.begin(), shown.others.end(), finding.target()) == shown.others.end())
    shown.others.push_back(finding.target());
  return true;
}

bool RepeatedDefects::shown(const v1::Finding& finding) const {
  return is_fault(finding) && !finding.places().empty() && shown_.contains(key_of(finding));
}

std::vector<std::string> RepeatedDefects::lines() const {
  std::vector<std::string> out;
  for (const std::string& key : order_) {
    const Shown& shown = shown_.at(key);
    if (shown.others.empty()) continue;
    std::string line = "finding " + shown.id + " is also in " + counted(shown.others.size(), "other program") + ": ";
    for (size_t n = 0; n < std::min(kNamesMost, shown.others.size()); ++n)
      line += (n > 0 ? ", " : "") + shown.others[n];
    if (shown.others.size() > kNamesMost) line += " and " + std::to_string(shown.others.size() - kNamesMost) + " more";
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace heddle::client
