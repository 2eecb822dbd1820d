#include "server/edit/kinds.h"

#include <algorithm>
#include <array>

#include "server/edit/fragments.h"

namespace heddle::edit {
namespace {

using analysis::InteractionKind;

// What a statement is to its author; private: only what is done with the value matters. Of what a library call does,
// the first of these counts.
enum class Subject : uint8_t { Thread, Join, Signal, Lock, Unlock, Assertion, Call, Statement, Private };

Subject subject_of(InteractionKind kind) {
  switch (kind) {
    case InteractionKind::Create: return Subject::Thread;
    case InteractionKind::Join: return Subject::Join;
    case InteractionKind::Wait:
    case InteractionKind::Signal:
    case InteractionKind::SemaphoreWait:
    case InteractionKind::SemaphorePost:
    case InteractionKind::Barrier:
    case InteractionKind::Once: return Subject::Signal;
    case InteractionKind::Lock:
    case InteractionKind::TryLock:
    case InteractionKind::ReadLock: return Subject::Lock;
    case InteractionKind::Unlock: return Subject::Unlock;
    case InteractionKind::Read:
    case InteractionKind::AtomicRead: return Subject::Private;
    default: return Subject::Statement;
  }
}

bool atomic(const Instruction& i) {
  return i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore || i.op == Opcode::AtomicUpdate ||
         i.op == Opcode::CompareExchange || i.op == Opcode::Fence;
}

// One version, as far as the statements of a function are concerned.
struct Version {
  const Facts& facts;
  Views& views;

  // Of memory that no other thread sees.
  bool is_store(CodeAddress at) const {
    const Opcode op = facts.program->instruction(at).op;
    return op == Opcode::Store || op == Opcode::MemoryCopy || op == Opcode::MemorySet || op == Opcode::Return;
  }

  Subject subject(CodeAddress at) const {
    const FunctionView& view = views.of(at.function);
    if (const Interaction* interaction = view.interaction(at.index)) return subject_of(interaction->kind);
    if (view.calls_unknown(at.index)) return Subject::Call;
    if (view.fails(at.index)) return Subject::Assertion;
    const auto callees = views.summaries().callees(at);
    if (callees.empty()) return is_store(at) ? Subject::Private : Subject::Statement;
    const auto own = [&](FunctionId f) { return facts.program->function(f).in_project; };
    if (std::any_of(callees.begin(), callees.end(), own)) return Subject::Call;
    std::set<FunctionId> seen(callees.begin(), callees.end());
    std::vector<FunctionId> work(callees.begin(), callees.end());
    Subject found = Subject::Statement;
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (const Interaction& interaction : facts.interactions_of(f))
        found = std::min(found, subject_of(interaction.kind));
      const auto& code = facts.program->function(f).code;
      for (uint32_t i = 0; i < code.size(); ++i)
        for (FunctionId callee : views.summaries().callees({f, i}))
          if (!own(callee) && seen.insert(callee).second) work.push_back(callee);
    }
    return found;
  }
};

struct Counts {
  std::multiset<std::string> inserted, deleted;  // descriptions
  bool changed = false;

  // Sequences that were only put elsewhere.
  bool moved() const { return !inserted.empty() && inserted == deleted; }
};

class Namer {
 public:
  explicit Namer(ChangeSet& changes)
      : changes_(changes),
        old_{changes.versions().before(), changes.old_views()},
        new_{changes.versions().after(), changes.new_views()} {}

  std::vector<EditKind> run() {
    kinds_ = changes_.without_place;
    for (const Edited& edited : changes_.edited) count(edited);
    locks();
    three(Subject::Signal, EditKind::SignalDropped, EditKind::SignalAdded, EditKind::SignalChanged);
    three(Subject::Thread, EditKind::ThreadDropped, EditKind::ThreadAdded, EditKind::ThreadChanged);
    if (any(Subject::Join)) kinds_.insert(EditKind::ThreadChanged);
    three(Subject::Call, EditKind::CallDropped, EditKind::CallAdded, EditKind::StatementMoved);
    three(Subject::Statement, EditKind::StatementDropped, EditKind::StatementAdded, EditKind::StatementMoved);
    if (any(Subject::Assertion)) kinds_.insert(EditKind::AssertionChanged);
    if (kinds_.contains(EditKind::TypeChanged))  // that is why they differ
      for (EditKind kind :
           {EditKind::ValueChanged, EditKind::ConditionChanged, EditKind::InitialValue, EditKind::StatementMoved})
        kinds_.erase(kind);
    // What is read or stored for something else is reported with that.
    if (kinds_.empty())
      three(Subject::Private, EditKind::StatementDropped, EditKind::StatementAdded, EditKind::StatementMoved);
    if (kinds_.empty()) kinds_.insert(changes_.differing.empty() ? EditKind::NothingThatRuns : EditKind::ValueChanged);
    return {kinds_.begin(), kinds_.end()};
  }

 private:
  bool any(Subject subject) const {
    const auto found = counts_.find(subject);
    return found != counts_.end() &&
           (found->second.changed || !found->second.inserted.empty() || !found->second.deleted.empty());
  }

  void count(const Edited& edited) {
    const bool has_old = edited.before != FunctionDiff::kNone, has_new = edited.after != FunctionDiff::kNone;
    const FunctionId old_function = changes_.versions().old_of(edited.function);
    const CodeAddress before{old_function, edited.before}, after{edited.function, edited.after};
    if (!has_new) {
      counts_[old_.subject(before)].deleted.insert(describe(old_.facts, before));
    } else if (!has_old) {
      counts_[new_.subject(after)].inserted.insert(describe(new_.facts, after));
    } else {
      changed(edited, before, after);
    }
  }

  void changed(const Edited& edited, CodeAddress before, CodeAddress after) {
    const Subject subject = new_.subject(after);
    if (subject == Subject::Assertion) {
      counts_[subject].changed = true;
      return;
    }
    if (edited.condition) kinds_.insert(EditKind::ConditionChanged);
    if (!edited.value) return;
    const Interaction* then = old_.facts.interaction(before);
    const Interaction* now = new_.facts.interaction(after);
    const Instruction& x = old_.facts.program->instruction(before);
    const Instruction& y = new_.facts.program->instruction(after);
    if ((then && now && then->kind != now->kind) || ((atomic(x) || atomic(y)) && (x.op != y.op || x.flags != y.flags)))
      kinds_.insert(EditKind::OrderChanged);
    else if (subject == Subject::Call || subject >= Subject::Statement)
      kinds_.insert(EditKind::ValueChanged);
    else
      counts_[subject].changed = true;
  }

  // An unlock belongs to its lock.
  void locks() {
    const bool unlocks = any(Subject::Unlock);
    if (any(Subject::Lock))
      three(Subject::Lock, EditKind::LockDropped, EditKind::LockAdded, EditKind::LockChanged);
    else if (unlocks)
      kinds_.insert(EditKind::LockChanged);
  }

  void three(Subject subject, EditKind dropped, EditKind added, EditKind changed) {
    if (!any(subject)) return;
    const Counts& counts = counts_[subject];
    if (counts.moved() || counts.changed) kinds_.insert(changed);
    if (counts.moved()) return;
    if (!counts.deleted.empty()) kinds_.insert(dropped);
    if (!counts.inserted.empty()) kinds_.insert(added);
  }

  ChangeSet& changes_;
  const Version old_, new_;
  std::map<Subject, Counts> counts_;
  std::set<EditKind> kinds_;
};

}  // namespace

std::string_view name_of(EditKind kind) {
  constexpr std::array<std::string_view, static_cast<size_t>(EditKind::EarlierVersion) + 1> kNames{
      "lock dropped",
      "lock added",
      "lock moved or another",
      "signal or wait dropped",
      "signal or wait added",
      "signal or wait changed",
      "thread dropped",
      "thread added",
      "start or join changed",
      "atomicity or memory order changed",
      "condition changed",
      "call dropped",
      "call added",
      "statement dropped",
      "statement added",
      "statement moved",
      "value or argument changed",
      "assertion changed",
      "initial value changed",
      "type changed",
      "compile flags changed",
      "nothing that runs",
      "first version",
      "earlier version again"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<EditKind> kinds_of(ChangeSet& changes) { return Namer(changes).run(); }

}  // namespace heddle::edit
