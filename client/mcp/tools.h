// The tools that `heddle mcp` offers, and their answers.
//
// In:      the name of a tool and its arguments, as JSON.
// Out:     the table as the protocol lists it; answers as the protocol wants them.
// Cost:    a process per call, and the check that it makes.
// Owns:    nothing; texts of try_patch lie in a temporary folder until it returns.
// Threads: one; blocks while a check runs.
// Fails:   wrong arguments and unknown tools by value: what is wrong, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle::client {

nlohmann::json list_of_tools();
struct ToolAnswer {
  nlohmann::json result;
  std::string mistake;  // in the call; empty: there is a result
};
ToolAnswer call_tool(const std::string& name, const nlohmann::json& arguments);

}  // namespace heddle::client
