// Paths of a project in a form that holds in every folder it is checked out to.
//
// In:      the folders of a project: its root, and that of its compile database.
// Out:     texts and messages in which these folders stand as placeholders, and back.
// Cost:    linear in the texts.
// Owns:    the folders' names.
// Threads: values.
// Fails:   never. A folder that is too short to stand out from other text stays as it is.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <utility>
#include <vector>

namespace heddle::engine {

class PortablePaths {
 public:
  PortablePaths(const std::string& root, const std::string& build_folder);

  std::string without_folders(std::string text) const;
  void without_folders(google::protobuf::Message& message) const;
  void with_folders(google::protobuf::Message& message) const;

 private:
  std::vector<std::pair<std::string, std::string>> names_;  // folder, placeholder
};

}  // namespace heddle::engine
