// The table of functions says who implements each, and that is so: every model and visible operation has a row with
// effects and the other way round, guest text defines what the table promises, and messages have a verb for every call
// that works on a synchronisation object.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "server/library/function.h"
#include "server/library/modules.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/builtin.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using library::Effect;
using library::Function;
using library::Implementation;
using library::InteractionKind;

// Every name that the machine knows, from its own tables.
std::set<std::string> names_of_machine() {
  std::set<std::string> names;
  for (const auto& rows : {library_builtins(), property_builtins(), exception_builtins(), new_builtins(),
                           thread_builtins(), attribute_builtins(), mutex_builtins(), atomic_builtins(),
                           cancel_builtins(), jump_builtins(), signal_builtins(), outside_builtins()})
    for (const BuiltinRow& row : rows) names.emplace(row.name);
  for (const auto& rows :
       {mutex_rows(), read_write_rows(), condition_rows(), semaphore_rows(), futex_rows(), thread_rows(), cancel_rows(),
        atomic_rows(), guard_rows(), choice_rows(), signal_rows(), named_semaphore_rows(), outside_rows()})
    for (const VisibleRow& row : rows) names.emplace(row.name);
  return names;
}

TEST(Coverage, EveryModelAndOperationHasARowWithEffects) {
  const std::set<std::string> names = names_of_machine();
  EXPECT_GT(names.size(), 1000u);  // else no table was read
  std::string missing;
  for (const std::string& name : names) {
    const Function* const row = library::find_function(name);
    // Its text calls the model of the same name, or its effects are those of the text.
    const Function* const any = library::find_row(name);
    if (row == nullptr && (any == nullptr || any->implementation != Implementation::Text)) missing += name + " ";
  }
  EXPECT_EQ(missing, "");
}

TEST(Coverage, EveryRowIsImplementedAsItSays) {
  std::string wrong;
  for (const Function& row : library::all_functions()) {
    const Callee::Kind kind = find_callee(row.name).kind;
    const bool right = row.implementation == Implementation::Model       ? kind == Callee::Kind::Builtin
                       : row.implementation == Implementation::Operation ? kind == Callee::Kind::Visible
                       : row.implementation == Implementation::Nothing   ? kind == Callee::Kind::Unknown
                                                                         : !row.module.name.empty();
    if (!right) wrong += std::string(row.name) + " ";
    if (!row.known && row.implementation != Implementation::Text) wrong += std::string(row.name) + " (effects) ";
  }
  EXPECT_EQ(wrong, "");
}

// Within a table the compiler checks it.
TEST(Coverage, AFunctionHasOneRow) {
  const std::vector<library::Function>& rows = library::all_functions();
  ASSERT_GT(rows.size(), 1000u);
  for (size_t n = 1; n < rows.size(); ++n) EXPECT_LT(rows[n - 1].name, rows[n].name);
}

// A function that reads or changes files may come between two calls of another thread: it has a row of file_calls.h, and
// says so in its own, which makes it a scheduling point.
TEST(Coverage, CallsOnFilesAreSchedulingPoints) {
  const std::set<std::string_view> others = {
      "closedir",
      "rewinddir",  // a DIR is the program's own block
      "tmpfile",    // has no name, and a number of its own thread
      "statvfs",
      "fflush",  // always the same; streams have no buffer
      "link",
      "symlink",  // a limit
      "mmap",
      "mmap64",
      "munmap",              // of a file: a limit
      "heddle.next_client",  // the caller holds a lock
  };
  std::string missing, told;
  size_t checked = 0;
  for (const Function& row : library::all_functions()) {
    if (row.implementation != Implementation::Model || others.contains(row.name)) continue;
    if (((row.hidden.reads | row.hidden.writes) & library::kFiles) == 0) continue;
    ++checked;
    if (find_file_call(row.name) == nullptr) missing += std::string(row.name) + " ";
    if (row.shared.reads == 0 && row.shared.changes == 0) told += std::string(row.name) + " ";
  }
  EXPECT_EQ(missing, "");
  EXPECT_EQ(told, "");
  EXPECT_GT(checked, 80u);
}

TEST(Coverage, CallsOnSynchronisationObjectsHaveAVerb) {
  const std::set<InteractionKind> kinds = {
      InteractionKind::Lock,          InteractionKind::TryLock,       InteractionKind::Unlock,
      InteractionKind::ReadLock,      InteractionKind::Wait,          InteractionKind::Signal,
      InteractionKind::SemaphoreWait, InteractionKind::SemaphorePost, InteractionKind::Barrier,
      InteractionKind::Initialise,    InteractionKind::Destroy};
  std::string missing;
  size_t checked = 0;
  for (const Function& row : library::all_functions()) {
    const bool synchronises =
        row.effect == Effect::Synchronises && row.object_argument == 0 && kinds.contains(row.interaction);
    checked += synchronises;
    if (synchronises && row.verb.empty()) missing += std::string(row.name) + " ";
  }
  EXPECT_EQ(missing, "");
  EXPECT_GT(checked, 50u);
}

std::string guest_text(const std::string& file) {
  std::ifstream in(std::string(HEDDLE_SOURCE_DIR) + "/server/frontend/support/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Coverage, GuestTextDefinesWhatTheTableSays) {
  std::string text;
  for (const char* file : {"posix.cc", "hidden_state.cc", "random_state.cc", "pipes.cc", "polling.cc", "search.cc",
                           "stream_locks.cc", "random_buffers.cc", "everyday.cc", "sockets.cc", "connect.cc",
                           "regex.cc", "queues.cc", "timers.cc", "mappings.cc", "formatted.cc"})
    text += guest_text(file);
  std::string missing;
  for (const Function& row : library::all_functions()) {
    if (row.implementation != Implementation::Text) continue;
    const std::string definition = std::string(row.name) + "(";
    const bool defines = text.find(" " + definition) != text.npos || text.find("*" + definition) != text.npos;
    if (!defines) missing += std::string(row.name) + " ";
    const auto modules = library::needed_modules({std::string(row.name)});
    if (std::find(modules.begin(), modules.end(), row.module.name) == modules.end())
      missing += std::string(row.name) + " (module) ";
  }
  EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace heddle::machine
