#include "client/lsp/relevance.h"

#include <algorithm>

namespace heddle::client::lsp {
namespace {

constexpr size_t kTextsMax = 6, kWishesMax = 16;

}  // namespace

Relevance::Relevance(MainLoop& loop, std::function<void(const std::string&)> ready)
    : loop_(loop),
      ready_(std::move(ready)),
      typing_(std::make_shared<frontend::TypingProcess>("")),
      worker_(std::make_unique<Worker>()) {}

Relevance::~Relevance() {
  alive_.reset();
  typing_->interrupt();
  worker_.reset();  // what runs there ends first
}

void Relevance::set_database_directory(const std::string& directory) {
  known_.clear();
  asked_.clear();
  wishes_.clear();
  typing_->interrupt();
  worker_->post([typing = std::move(typing_)]() mutable { typing.reset(); });
  typing_ = std::make_shared<frontend::TypingProcess>(directory);
}

void Relevance::set_unsaved(const Snapshot& snapshot) { unsaved_ = snapshot; }

void Relevance::forget(const std::string& path) {
  for (const auto& [text, meaning] : known_[path]) asked_.erase(text);
  known_.erase(path);
}

const frontend::Meaning* Relevance::meaning(const std::string& path, const TextPtr& text) {
  auto& known = known_[path];
  if (const auto found = known.find(text); found != known.end()) return &found->second;
  if (!asked_.insert(text).second) return nullptr;
  wishes_.push_back({path, text});
  if (wishes_.size() > kWishesMax) {
    asked_.erase(wishes_.front().text);
    wishes_.erase(wishes_.begin());
  }
  if (!working_) work();
  return nullptr;
}

bool Relevance::awaited(const std::string& path, const TextPtr& text) const {
  const auto known = known_.find(path);
  return asked_.contains(text) && (known == known_.end() || !known->second.contains(text));
}

void Relevance::work() {
  if (wishes_.empty()) return;
  working_ = true;
  const Wish wish = wishes_.back();
  wishes_.pop_back();
  std::vector<frontend::Overlay> overlays = {{wish.path, wish.text->content()}};
  for (const auto& [path, state] : unsaved_) {
    if (state.dirty && path != wish.path) overlays.push_back({path, state.text->content()});
  }
  worker_->post([this, wish, typing = typing_, overlays = std::move(overlays), alive = std::weak_ptr<bool>(alive_)] {
    auto meaning = std::make_shared<frontend::Meaning>(typing->meaning(wish.path, overlays));
    loop_.post([this, wish, meaning, typing, alive] {
      if (alive.expired()) return;
      working_ = false;
      if (typing == typing_) {
        auto& known = known_[wish.path];
        if (known.size() >= kTextsMax) {
          // Texts that are held only here go first.
          auto oldest =
              std::find_if(known.begin(), known.end(), [](const auto& entry) { return entry.first.use_count() <= 2; });
          if (oldest == known.end()) oldest = known.begin();
          asked_.erase(oldest->first);
          known.erase(oldest);
        }
        known[wish.text] = std::move(*meaning);
        ready_(wish.path);
      }
      work();
    });
  });
}

}  // namespace heddle::client::lsp
