#include "client/report/inputs.h"

namespace heddle::client {

nlohmann::ordered_json inputs_of(const v1::Finding& finding) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const v1::Input& input : finding.inputs()) {
    if (input.given() || input.kind() == "function") continue;
    Json one = {{"kind", input.kind()}, {"name", input.name()}, {"value", input.text()}};
    if (input.argument() != 0) one["name"] = input.name() + ", argument " + std::to_string(input.argument());
    if (input.missing()) one["value"] = Json();
    if (!input.shown().empty()) one["shown"] = input.shown();
    if (input.has_place()) {
      one["file"] = input.place().file();
      one["line"] = input.place().line();
      one["column"] = input.place().column();
      one["thread"] = input.place().thread();
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace heddle::client
