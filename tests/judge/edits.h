// Random edits as a developer might make them.
//
// In:      a tree; the kind of edit. Out: the tree is changed; false if this kind finds nothing to change in it.
// Owns:    nothing. Threads: one. Fails: never.
#pragma once

#include <string>
#include <string_view>

#include "tests/judge/program_tree.h"
#include "tests/judge/random.h"

namespace heddle::judge {

enum class EditKind : uint32_t {
  InsertStatement,
  DeleteStatement,
  MoveStatement,
  ChangeStatement,
  SwapStatements,
  DropLock,
  AddLock,
  SwapLock,
  WidenLock,
  NarrowLock,
  LockStyle,
  ChangeCondition,
  ChangeConstant,
  ChangeArgument,
  ChangeLoopBound,
  AddCall,
  ChangeCallee,
  AddThread,
  DropThread,
  DropJoin,
  ChangeInitialValue,
  ChangeOrder,
  ChangeSignal,
  AtomicToPlain,
  StructLayout,
  SplitLoop,  // or join two
  Rename,
  Reformat,
  Several,
  ChangeUnseen,  // of `unseen` programs only
};
inline constexpr uint32_t kEditKinds = static_cast<uint32_t>(EditKind::Several) + 1;  // of any program

std::string_view name_of(EditKind kind);
bool apply_edit(Random& random, Tree& tree, EditKind kind);
EditKind random_edit_kind(Random& random, const Tree& tree);
void insert_assertion(Random& random, Tree& tree);
void remove_statement(Tree& tree, const std::string& text);  // everywhere
bool harmless(EditKind kind);                                // cannot change what the program does

}  // namespace heddle::judge
