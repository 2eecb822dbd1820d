// The edit filter: whether an edit can matter to threads at all. libclang answers in a process of its own; answers are
// remembered per text.
//
// In:      texts of a file.
// Out:     their meanings (`server/frontend/typing/typing_process.h`), as soon as they are known.
// Owns:    the thread that asks, the process, the last six meanings per file.
// Threads: the loop's thread; `ready` is called on it.
// Fails:   never. A text that libclang cannot parse has a meaning with an empty hash: then every edit matters.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "client/lsp/documents.h"
#include "client/lsp/worker.h"
#include "server/base/loop.h"
#include "server/frontend/typing/typing_process.h"

namespace heddle::client::lsp {

class Relevance {
 public:
  Relevance(base::Loop& loop, std::function<void(const std::string& path)> ready);
  ~Relevance();
  // Null: not known yet; it is asked for, and `ready` says when it is known. The newest text comes first; of more than
  // 16 that wait the oldest is dropped.
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

  base::Loop& loop_;
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
