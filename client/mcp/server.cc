#include "client/mcp/server.h"

#include <algorithm>
#include <exception>
#include <string>

#include "client/mcp/tools.h"

namespace heddle::client {
namespace {

using Json = nlohmann::json;

constexpr const char* kRevisions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};  // the newest first
constexpr int kNotJson = -32700, kNoRequest = -32600, kNoMethod = -32601, kWrongParameters = -32602, kInternal = -32603;
constexpr const char* kInstructions =
    "Heddle explores the interleavings of multithreaded C and C++ programs. Call `check` after an edit: it compares "
    "with "
    "the version before and says which data races, deadlocks or failed assertions the edit made possible. Call "
    "`interleaving` for the steps that lead to a finding. Call `try_patch` before you write a fix: it checks the new "
    "text "
    "without writing it. `clear` counts within the scope and the assumptions that the answer names; `inconclusive` is "
    "not clear.";

Json error(int code, const std::string& message) { return {{"code", code}, {"message", message}}; }

Json initialized(const Json& parameters) {
  const auto given = parameters.find("protocolVersion");
  const std::string asked = given != parameters.end() && given->is_string() ? given->get<std::string>() : "";
  const bool known = std::find(std::begin(kRevisions), std::end(kRevisions), asked) != std::end(kRevisions);
  return {{"protocolVersion", known ? asked : kRevisions[0]},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "heddle"}, {"version", HEDDLE_VERSION}}},
          {"instructions", kInstructions}};
}

// The members of the answer to a request: `result` or `error`.
Json answer(const std::string& method, const Json& parameters) {
  if (method == "initialize") return {{"result", initialized(parameters)}};
  if (method == "ping") return {{"result", Json::object()}};
  if (method == "tools/list") return {{"result", {{"tools", list_of_tools()}}}};
  if (method != "tools/call") return {{"error", error(kNoMethod, "there is no method '" + method + "'")}};
  const auto name = parameters.find("name");
  if (name == parameters.end() || !name->is_string())
    return {{"error", error(kWrongParameters, "tools/call needs the name of a tool")}};
  const Json arguments = parameters.value("arguments", Json::object());
  const ToolAnswer called = call_tool(name->get<std::string>(), arguments.is_null() ? Json::object() : arguments);
  if (!called.mistake.empty()) return {{"error", error(kWrongParameters, called.mistake)}};
  return {{"result", called.result}};
}

// The answer to a line; null: none is due.
Json answer_to(const std::string& line) {
  const Json message = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const auto with = [](const Json& id, Json members) {
    members["jsonrpc"] = "2.0";
    members["id"] = id;
    return members;
  };
  if (message.is_discarded()) return with(nullptr, {{"error", error(kNotJson, "this line is no JSON")}});
  const bool request = message.is_object() && message.contains("method") && message["method"].is_string();
  if (!request) {
    const bool response = message.is_object() && (message.contains("result") || message.contains("error"));
    if (response) return nullptr;  // nothing was asked
    return with(nullptr, {{"error", error(kNoRequest, "a request is an object with `method`")}});
  }
  if (!message.contains("id")) return nullptr;  // a notification
  if (!message["id"].is_string() && !message["id"].is_number())
    return with(nullptr, {{"error", error(kNoRequest, "the `id` of a request is a string or a number")}});
  const Json parameters = message.value("params", Json::object());
  if (!parameters.is_object() && !parameters.is_null())
    return with(message["id"], {{"error", error(kWrongParameters, "`params` is an object")}});
  try {
    return with(message["id"], answer(message["method"], parameters.is_null() ? Json::object() : parameters));
  } catch (const std::exception& problem) {  // the next request is answered, whatever this one holds
    return with(message["id"], {{"error", error(kInternal, problem.what())}});
  }
}

}  // namespace

void run_mcp(std::istream& in, std::ostream& out) {
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Json response = answer_to(line);
    if (response.is_null()) continue;
    out << response.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace heddle::client
