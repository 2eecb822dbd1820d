// Follows a change forwards through registers, private memory, arguments, results and conditions to the interaction
// statements and checks that it affects. It stops at shared memory: a store of a changed value there is a changed
// statement, whose effect on other threads is explored.
//
// In:      facts and views of the new version; what changed.
// Out:     the affected statements, once each.
// Cost:    linear in what is affected; every function that the change reaches gets a view.
// Owns:    its marks; refers to the views, which must outlive it.
// Threads: one.
// Fails:   never.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>

#include "server/edit/view.h"

namespace heddle::edit {

// Views of one version, made at first use.
class Views {
 public:
  Views(const Facts& facts, const Summaries& summaries) : facts_(facts), summaries_(summaries) {}
  const FunctionView& of(FunctionId f) {
    auto& view = views_[f];
    if (!view) view = std::make_unique<FunctionView>(facts_, summaries_, f);
    return *view;
  }
  const Facts& facts() const { return facts_; }
  const Summaries& summaries() const { return summaries_; }

 private:
  const Facts& facts_;
  const Summaries& summaries_;
  std::map<FunctionId, std::unique_ptr<FunctionView>> views_;
};

class Propagation {
 public:
  explicit Propagation(Views& views) : views_(views) {}

  void effect_changed(CodeAddress at);      // the effect is new or differs: its value and what it writes
  void occurrence_changed(CodeAddress at);  // whether it happens differs
  void hazard_changed(CodeAddress at);      // whether it fails or ends may differ
  void operands_changed(CodeAddress call, const std::vector<uint32_t>& operands);  // of a call; numbers as in the view
  void object_changed(ObjectId object);       // contents of a private object differ
  void write_gone(ObjectId object);           // a statement that wrote it is gone: it may be read unwritten
  void result_changed(FunctionId function);   // what it returns differs
  void leaving_changed(FunctionId function);  // whether it returns differs: an exception, a longjmp, an endless loop
  void parameters_changed(FunctionId function);
  void run();

  bool call_matters(CodeAddress at);  // of a function that interacts, or may fail or never end

  const std::set<CodeAddress>& statements() const { return statements_; }    // affected interactions, checks and calls
  const std::set<CodeAddress>& occurrences() const { return occurrences_; }  // those whose conditions differ
  const std::set<CodeAddress>& consumers() const { return consumers_; }      // those whose operands differ

 private:
  void value(CodeAddress at);
  void consumer(CodeAddress at);
  void pass_arguments(const FunctionView& view, CodeAddress at, const std::vector<uint32_t>& changed);
  void new_threads(CodeAddress at);
  void parameter(FunctionId function, Slot slot);
  void writes(const FunctionView& view, uint32_t index);
  void look_at_hazard(const FunctionView& view, uint32_t index);
  bool differs(CodeAddress definition, Slot slot) const;  // kParameter: the parameter in the slot
  bool has_hazard(FunctionId function);                   // it or what it calls
  bool contents_decide(CodeAddress at) const;             // whether a library call fails, by what it reads
  const std::vector<CodeAddress>& readers(ObjectId object);
  bool is_call_of_ours(CodeAddress at) const { return views_.facts().callees.contains(at); }

  Views& views_;
  std::set<CodeAddress> statements_, values_, consumers_, occurrences_, hazards_;
  std::set<ObjectId> objects_;
  std::set<FunctionId> results_, leaving_;
  std::map<FunctionId, bool> has_hazard_;
  std::set<std::pair<FunctionId, Slot>> parameters_;
  std::vector<std::function<void()>> work_;
  bool indexed_ = false;
  std::map<ObjectId, std::vector<CodeAddress>> readers_;
};

}  // namespace heddle::edit
