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

// The number of an argument, from 0.
uint32_t argument(const YamlReader& yaml, const YAML::Node& node, const std::string& key) {
  const int64_t number = yaml.integer(node, key);
  if (number < 1 || number > int64_t{machine::kFilledArguments})
    yaml.fail(node, key + " is " + std::to_string(number),
              "count the arguments from 1; one of the first " + std::to_string(machine::kFilledArguments));
  return static_cast<uint32_t>(number - 1);
}

uint64_t bytes(const YamlReader& yaml, const YAML::Node& node, const std::string& key) {
  const int64_t number = yaml.integer(node, key);
  if (number < 1 || number > static_cast<int64_t>(machine::kFilledMost))
    yaml.fail(node, key + " is " + std::to_string(number),
              "give a number of bytes from 1 to " + std::to_string(machine::kFilledMost));
  return static_cast<uint64_t>(number);
}

// 1 or {argument: 1, size: 16} or {argument: 1, size-argument: 2, times: 4}
machine::UnknownFill fill(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  machine::UnknownFill result;
  if (node.IsScalar()) {
    result.argument = argument(yaml, node, "an argument of " + what);
    return result;
  }
  bool given = false;
  uint64_t size = 0, times = 0;
  yaml.mapping(
      node, what,
      {{"argument",
        [&](const YAML::Node& v) {
          given = true;
          result.argument = argument(yaml, v, "argument");
        }},
       {"size-argument", [&](const YAML::Node& v) { result.size_argument = argument(yaml, v, "size-argument"); }},
       {"size", [&](const YAML::Node& v) { size = bytes(yaml, v, "size"); }},
       {"times", [&](const YAML::Node& v) { times = bytes(yaml, v, "times"); }}});
  if (!given) yaml.fail(node, what + " says not by which argument", "write {argument: 1}");
  if (size != 0 && result.size_argument) yaml.fail(node, what + " has two sizes", "give size or size-argument");
  if (times != 0 && !result.size_argument)
    yaml.fail(node, what + " has times without size-argument", "give size-argument, or size alone");
  if (result.size_argument == result.argument)
    yaml.fail(node, what + " takes the size from the pointer", "give the number of the argument that has the size");
  result.bytes = result.size_argument ? times : size;
  return result;
}

std::vector<machine::UnknownFill> fills(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  std::vector<machine::UnknownFill> result;
  if (!node.IsSequence()) return {fill(yaml, node, what)};
  yaml.list(node, what, [&](const YAML::Node& item) {
    const machine::UnknownFill one = fill(yaml, item, what);
    const auto same = [&](const machine::UnknownFill& known) { return known.argument == one.argument; };
    if (std::any_of(result.begin(), result.end(), same))
      yaml.fail(item, what + " has argument " + std::to_string(one.argument + 1) + " twice", "keep one of them");
    result.push_back(one);
  });
  if (result.empty()) yaml.fail(node, what + " is empty", "write [1] or leave it out");
  return result;
}

// {fresh: {min: 0, max: 100}}, {fresh: {one-of: [1, 2]}} or {fills: [1]}, or both keys
machine::UnknownPolicy fresh(const YamlReader& yaml, const YAML::Node& node, const std::string& what) {
  machine::UnknownPolicy result{machine::UnknownCall::Fresh};
  bool given = false;
  const auto values = [&](const YAML::Node& v) {
    given = true;
    result.values = ranges(yaml, v, "fresh of " + what);
  };
  const auto filled = [&](const YAML::Node& v) {
    given = true;
    result.fills = fills(yaml, v, "fills of " + what);
  };
  yaml.mapping(node, what, {{"fresh", values}, {"fills", filled}});
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
    if (name == "default" && !to.fills.empty())
      yaml.fail(value, "not all functions fill the same arguments", "write fills under the name of a function");
  });
}

}  // namespace heddle::engine
