#include "client/nightly/nightly_json.h"

#include <nlohmann/json.hpp>

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;

// What is written of each structure, and read again: each field is named once. `newer`: not in runs of earlier
// versions.
template <typename Visit>
void fields(Visit& visit, NightlyFinding& f) {
  visit("id", f.id);
  visit("rule", f.rule);
  visit("message", f.message);
  visit("place", f.place);
  visit.newer("edits", f.edits);
}
template <typename Visit>
void fields(Visit& visit, NightlyKind& k) {
  visit("kind", k.name);
  visit("edits", k.edits);
  visit("agreed", k.agreed);
  visit("missed", k.missed);
  visit("unconfirmed", k.unconfirmed);
  visit("fixed", k.fixed);
  visit("inconclusive", k.inconclusive);
}
template <typename Visit>
void fields(Visit& visit, NightlyIncrement& i) {
  visit("kinds", i.kinds);
  visit("functions", i.functions);
  visit("inconclusive", i.inconclusive);
  visit("reported", i.reported);
  visit("fixed", i.fixed);
  visit("at", i.at_unix_ms);
  visit("since", i.since_unix_ms);
}
template <typename Visit>
void fields(Visit& visit, NightlyTarget& t) {
  visit("target", t.name);
  visit("increments", t.verdict_before);
  visit("full", t.verdict_full);
  visit("complete", t.complete);
  visit("agreed", t.agreed);
  visit("missed", t.missed);
  visit("unconfirmed", t.unconfirmed);
  visit("fixed", t.fixed);
  visit.newer("byKindOfEdit", t.kinds);
  visit.newer("lastIncrementUnixMs", t.last_increment_unix_ms);
  visit("executions", t.executions);
  visit.newer("resumed", t.resumed);
  visit("pairsExplored", t.pairs_explored);
  visit("pairsOwed", t.pairs_owed);
  visit("seconds", t.seconds);
}
template <typename Visit>
void fields(Visit& visit, NightlyRun& run) {
  visit("startedUnixMs", run.started_unix_ms);
  visit("targets", run.targets);
}
template <typename Visit>
void fields(Visit& visit, NightlyBefore& before) {
  visit("verdict", before.verdict);
  visit("program", before.program);
  visit("open", before.open);
  visit("keys", before.keys);
  visit("fixed", before.fixed);
  visit("increments", before.increments);
  visit("lastIncrementUnixMs", before.last_increment_unix_ms);
  visit("pairsExplored", before.pairs_explored);
  visit("pairsOwed", before.pairs_owed);
}

struct AnyVisit {  // for the question whether a type has fields
  template <typename T>
  void operator()(const char*, T&) {}
  template <typename T>
  void newer(const char*, T&) {}
};
template <typename T>
concept Structure = requires(AnyVisit visit, T& value) { fields(visit, value); };

class Writer {
 public:
  template <Structure T>
  static Json json_of(const T& value) {
    Writer writer;
    T copy = value;
    fields(writer, copy);
    return writer.json_;
  }
  template <typename T>
  static Json json_of(const T& value) {
    return value;
  }
  template <Structure T>
  static Json json_of(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& value : list) json.push_back(json_of(value));
    return json;
  }
  template <typename T>
  static Json json_of(const std::map<std::string, T>& map) {
    Json json = Json::object();
    for (const auto& [key, value] : map) json[key] = json_of(value);
    return json;
  }

  template <typename T>
  void operator()(const char* name, const T& value) {
    json_[name] = json_of(value);
  }
  template <typename T>
  void newer(const char* name, const T& value) {
    (*this)(name, value);
  }

 private:
  Json json_ = Json::object();
};

// Throws what the library throws where a field is missing or is of another type.
class Reader {
 public:
  template <Structure T>
  static void read(const Json& json, T& value) {
    Reader reader(json);
    fields(reader, value);
  }
  template <typename T>
  static void read(const Json& json, T& value) {
    value = json.get<T>();
  }
  template <Structure T>
  static void read(const Json& json, std::vector<T>& list) {
    for (const Json& entry : json) read(entry, list.emplace_back());
  }
  template <typename T>
  static void read(const Json& json, std::map<std::string, T>& map) {
    for (const auto& [key, entry] : json.items()) read(entry, map[key]);
  }

  template <typename T>
  void operator()(const char* name, T& value) {
    read(json_.at(name), value);
  }
  template <typename T>
  void newer(const char* name, T& value) {
    if (json_.contains(name)) read(json_.at(name), value);
  }

 private:
  explicit Reader(const Json& json) : json_(json) {}
  const Json& json_;
};

Json to_json(const NightlyRun& run) {
  Json json = {{"type", "nightly"}, {"schemaVersion", 1}};
  json.update(Writer::json_of(run));
  return json;
}

}  // namespace

std::optional<NightlyRun> nightly_run_from(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    NightlyRun run;
    Reader::read(json, run);
    return run;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::map<std::string, NightlyBefore> nightly_before_from(const std::string& text) {
  try {
    std::map<std::string, NightlyBefore> before;
    const Json json = Json::parse(text);
    Reader::read(json.at("before"), before);
    return before;
  } catch (const Json::exception&) {
    return {};
  }
}

std::string nightly_running_json(const NightlyRun& run, const std::map<std::string, NightlyBefore>& before) {
  Json json = to_json(run);
  json["before"] = Writer::json_of(before);
  return json.dump() + "\n";
}

std::string nightly_json(const NightlyRun& run) { return to_json(run).dump() + "\n"; }

std::string verification_json(const NightlyRun& run) {
  Json json = to_json(run);
  json["type"] = "verification";
  return json.dump() + "\n";
}

}  // namespace heddle::client
