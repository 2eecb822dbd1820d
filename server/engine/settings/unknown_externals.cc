#include "server/engine/settings/unknown_externals.h"

#include <algorithm>
#include <optional>

namespace heddle::engine {

namespace {

machine::UnknownCall policy(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  constexpr machine::UnknownCall kPolicies[] = {machine::UnknownCall::Stop, machine::UnknownCall::Fresh,
                                                machine::UnknownCall::Ignore};
  return kPolicies[yaml.choice(node, what, {"stop", "fresh", "ignore-with-note"})];
}

std::vector<machine::ValueRange> ranges(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  std::vector<machine::ValueRange> result;
  std::optional<int64_t> least, most;
  yaml.mapping(node, what,
               {{"min", [&](const YAML::Node& v) { least = yaml.integer(v, "min"); }},
                {"max", [&](const YAML::Node& v) { most = yaml.integer(v, "max"); }},
                {"one-of", [&](const YAML::Node& list) {
                   yaml.list(list, "one-of", [&](const YAML::Node& item) {
                     const int64_t value = yaml.integer(item, "a value of one-of");
                     const auto same = [&](const machine::ValueRange& known) { return known.least == value; };
                     if (std::any_of(result.begin(), result.end(), same))
                       yaml.fail(item, std::to_string(value) + " is there twice under one-of", "keep one of them");
                     result.push_back({value, value});
                   });
                 }}});
  if (least.has_value() != most.has_value()) yaml.fail(node, what + " has one end only", "give both `min` and `max`");
  if (least && *least > *most)
    yaml.fail(node, what + " is empty: min " + std::to_string(*least) + " is above max " + std::to_string(*most),
              "exchange them");
  if (least) result.push_back({*least, *most});
  if (result.empty()) yaml.fail(node, what + " has no value", "give `min` and `max`, or at least one under one-of");
  return result;
}

// {fresh: {min: 0, max: 100}} or {fresh: {one-of: [1, 2]}}
machine::UnknownPolicy fresh(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  machine::UnknownPolicy result{machine::UnknownCall::Fresh};
  bool given = false;
  yaml.mapping(node, what, {{"fresh", [&](const YAML::Node& values) {
                               given = true;
                               result.values = ranges(yaml, values, "fresh of " + what);
                             }}});
  if (!given) yaml.fail(node, what + " says nothing", "write {fresh: {min: 0, max: 100}}, or one word");
  return result;
}

}  // namespace

void read_unknown_externals(const YamlReader& yaml, const YAML::Node& node, machine::UnknownCalls& out) {
  if (!node.IsMap()) {
    out.otherwise.how = policy(yaml, node, "unknown-externals");
    return;
  }
  yaml.names(node, "unknown-externals", [&](const YAML::Node& key, const YAML::Node& value) {
    const std::string name = key.as<std::string>();
    const std::string what = "unknown-externals of '" + name + "'";
    machine::UnknownPolicy& to = name == "default" ? out.otherwise : out.by_name[name];
    to = value.IsMap() ? fresh(yaml, value, what) : machine::UnknownPolicy{policy(yaml, value, what)};
  });
}

}  // namespace heddle::engine
