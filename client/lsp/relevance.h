// Can an edit matter to threads at all? Asked of libclang in a process of its own, remembered per text.
//
// In:      texts of a file. Out: their meanings (server/frontend/typing/typing_process.h), as soon as they are known.
// Owns:    a thread that asks, the process, the last meanings. Threads: the loop's; `ready` is called there.
// Fails:   a file that libclang cannot parse has no meaning: then every edit matters.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "client/lsp/documents.h"
#include "client/lsp/main_loop.h"
#include "client/lsp/worker.h"
#include "server/frontend/typing/typing_process.h"

namespace heddle::client::lsp {

class Relevance {
 public:
  Relevance(MainLoop& loop, std::function<void(const std::string& path)> ready);
  ~Relevance();
  // None: asked for; `ready` will say so. Of several texts asked for in a row the newest come first.
  const frontend::Meaning* meaning(const std::string& path, const TextPtr& text);
  bool awaited(const std::string& path, const TextPtr& text) const;  // asked for and not known yet
  void set_database_directory(const std::string& directory);         // also: it changed
  void set_unsaved(const Snapshot& snapshot);                        // other files' texts from now on
  void forget(const std::string& path);                              // closed

 private:
  struct Wish {
    std::string path;
    TextPtr text;
  };
  void work();

  MainLoop& loop_;
  const std::function<void(const std::string&)> ready_;
  std::map<std::string, std::map<TextPtr, frontend::Meaning>> known_;
  std::vector<Wish> wishes_;  // newest last
  std::set<TextPtr> asked_;
  bool working_ = false;
  Snapshot unsaved_;
  std::shared_ptr<frontend::TypingProcess> typing_;  // asked on the worker only
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<Worker> worker_;
};

}  // namespace heddle::client::lsp
