#include "server/analysis/parallel.h"

namespace heddle::analysis {
namespace {

class ParallelCode {
 public:
  ParallelCode(const Builder& builder, const LibraryRows& rows, Facts& facts)
      : builder_(builder), rows_(rows), facts_(facts), count_(builder.program.function_count()) {}
  void run();

 private:
  void find_creators();
  template <typename Visit>
  void for_each_initialiser(Visit visit) const;
  void find_called_later();
  void visit(FunctionId function);
  std::span<const FunctionId> callees(CodeAddress at) const {
    auto found = facts_.callees.find(at);
    return found == facts_.callees.end() ? std::span<const FunctionId>() : std::span<const FunctionId>(found->second);
  }

  const Builder& builder_;
  const LibraryRows& rows_;
  Facts& facts_;
  const uint32_t count_;
  std::vector<uint8_t> creates_;  // FunctionId: it, or what it calls, creates a thread
  std::vector<uint8_t> entered_;  // FunctionId: it may be called while another thread exists
  std::set<CodeAddress> sites_;   // of creations
  std::vector<FunctionId> work_;
};

void ParallelCode::find_creators() {
  creates_.assign(count_, 0);
  for (const Builder::Creation& creation : builder_.creations) {
    creates_[creation.at.function.value] = 1;
    sites_.insert(creation.at);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Builder::CallEdge& edge : builder_.calls)
      if (creates_[edge.callee.value] && !creates_[edge.at.function.value])
        creates_[edge.at.function.value] = changed = true;
  }
}

template <typename Visit>
void ParallelCode::for_each_initialiser(Visit visit) const {
  for (uint32_t u = 0; u < builder_.program.units().size(); ++u)
    for (const program::Initialiser& initialiser : builder_.program.units()[u]->initialisers) {
      const auto binding = builder_.program.binding(program::UnitId(u), initialiser.function);
      if (binding.kind == program::BindingKind::Function) visit(initialiser, FunctionId(binding.id));
    }
}

// Handlers of exit() and destructors of global objects run after everything else, wherever they were registered. So may
// any other callback of the library.
void ParallelCode::find_called_later() {
  for (const Builder::CallEdge& edge : builder_.calls)
    if (auto row = rows_.find(edge.at); row != rows_.end() && row->second->effect == library::Effect::CallsBack)
      entered_[edge.callee.value] = 1;
  for_each_initialiser([&](const program::Initialiser& initialiser, FunctionId function) {
    if (initialiser.destructor) entered_[function.value] = 1;
  });
}

// Forwards through the blocks: from the first creation on, every instruction and every callee.
void ParallelCode::visit(FunctionId function) {
  std::vector<bool>& mine = facts_.parallel[function.value];
  if (mine.empty()) return;
  const auto& blocks = builder_.graphs[function.value]->blocks();
  std::vector<uint8_t> in(blocks.size(), 0);
  if (!in.empty()) in[0] = entered_[function.value];
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      bool now = in[b];
      for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
        if (now) mine[i] = true;
        for (FunctionId g : callees({function, i})) {
          if (now && !entered_[g.value]) entered_[g.value] = 1, work_.push_back(g);
          now = now || creates_[g.value];
        }
        now = now || sites_.contains({function, i});
      }
      if (now)
        for (uint32_t s : blocks[b].successors)
          if (!in[s]) in[s] = 1, changed = true;
    }
  }
}

// Code of main and of what it calls starts without other threads; all code of the other roles is parallel.
void ParallelCode::run() {
  find_creators();
  facts_.parallel.resize(count_);
  bool before_main = false;
  for_each_initialiser(
      [&](const program::Initialiser&, FunctionId function) { before_main = before_main || creates_[function.value]; });
  if (before_main) return;
  entered_.assign(count_, 0);
  find_called_later();
  for (uint32_t f = 0; f < count_; ++f) {
    const auto& roles = facts_.roles_of[f];
    const bool only_main = !roles.empty() && roles.back().value == 0;
    entered_[f] = entered_[f] || !only_main;
    if (!only_main) continue;
    facts_.parallel[f].assign(builder_.program.function(FunctionId(f)).code.size(), false);
    work_.push_back(FunctionId(f));
  }
  while (!work_.empty()) {
    const FunctionId function = work_.back();
    work_.pop_back();
    visit(function);
  }
}

}  // namespace

void find_parallel_code(const Builder& builder, const LibraryRows& rows, Facts& facts) {
  ParallelCode(builder, rows, facts).run();
}

}  // namespace heddle::analysis
