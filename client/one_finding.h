// Questions about findings: which one is meant, and why it is none.
//
// In:      the options; what the engine knows of the id.
// Out:     the finding, or a failure with the way to choose one.
// Owns:    nothing.
// Threads: any.
// Fails:   by value.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client/command_line/options.h"
#include "client/link/backend.h"

namespace heddle::client {

// Several programs have the finding.
Failure open_in_several(const std::string& id, const std::vector<std::string>& programs);
// Of lone files that the user did not name: the request is about the program that has the finding. A failure: none was
// checked here, or none has it.
std::optional<Failure> name_program(Backend& backend, const std::string& id, v1::CheckRequest& request);
// For one finding, or for all that are open: an empty id.
v1::ShowRequest question_about(const std::string& id, const v1::CheckRequest& project);
// No file was named, and no database names any: the question is about what was checked last.
bool is_about_lone_files(const v1::CheckRequest& request);
// Of all that are open those that are about one of the request's files, if it has any: a place is in it, or, where no
// database says what belongs together, a step.
void keep_those_of_files(const v1::CheckRequest& request, v1::ShowResponse& response);
// Of those the finding that is open; empty: none is. A failure: several are.
std::variant<std::string, Failure> only_open(Backend& backend, const v1::CheckRequest& request);
// One finding, of a question that is about one.
std::variant<v1::Finding, Failure> one_shown(const std::variant<v1::ShowResponse, Failure>& shown);
// "heddle show queue.c": the word is a file, no id.
std::optional<Failure> file_for_id(const Options& options);

}  // namespace heddle::client
