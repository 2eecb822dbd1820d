// Names of functions and variables that identify them across two versions, and whether what they name is the same.
//
// In:      two versions of a program.
// Out:     names that are equal for what is the same in both, whatever numbers the compiler gave it.
// Cost:    near linear in names and code.
// Owns:    its tables; refers to the programs, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "server/edit/numbered.h"
#include "server/program/program.h"

namespace heddle::edit {

using program::FunctionId;
using program::GlobalId;

// Names that identify across versions: the link name, and for internal symbols the unit's path below the common folder.
class Names {
 public:
  Names(const program::Program& program,
        bool ignore_paths);  // for two programs of one file each: names do not contain the file's path
  void rename(const Renamed& renamed, bool before);
  std::string of(FunctionId f) const;  // a clone's name differs from its original's
  std::string of(GlobalId g) const;
  std::string of_place(FunctionId f) const;  // clones have their original's: they make the same objects

  std::string of(program::UnitId unit, program::SymbolId symbol) const;

 private:
  const program::Program& program_;
  size_t prefix_ = 0;
  std::vector<std::unordered_map<uint32_t, std::string>> renamed_;  // by unit and symbol: those with other names
};

// The names of two versions, with what the compiler numbers renamed in both.
class BothNames {
 public:
  BothNames(const program::Program& before, const program::Program& after);
  BothNames(const BothNames&) = delete;
  BothNames& operator=(const BothNames&) = delete;

  const Names& before() const { return before_; }
  const Names& after() const { return after_; }
  bool same_code(FunctionId before, FunctionId after) const;
  bool same_value(GlobalId before, GlobalId after) const;

 private:
  bool same_symbol(program::SymbolId before, program::UnitId then, program::SymbolId after, program::UnitId now) const;

  const program::Program& old_;
  const program::Program& new_;
  Names before_, after_;
  Renamed renamed_;
};

}  // namespace heddle::edit
