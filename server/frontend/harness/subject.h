// What a driver calls: the public methods of a class, or functions that share a struct.
//
// In:      nothing; these are values. Texts hold kObject, kOther and kNumber where the object that is called, the other
//          object of the same type, and the number of the call in its driver stand.
// Out:     values.
// Owns:    copies of what it names; knows no Clang.
// Threads: values; any.
// Fails:   never.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace heddle::frontend::harness {

inline constexpr char kObject = '\1', kOther = '\2', kNumber = '\3';
inline constexpr size_t kVariants = 3;  // of constant arguments

// A text of a call: what the scene has for it, and its statements.
struct CallText {
  std::vector<std::string> members;  // declarations without initialiser
  std::string statements;
  std::string shown;  // "push(1)"
};

struct Call {
  std::string label;  // "push"; unique in its subject
  std::array<CallText, kVariants> texts;
  bool fills = false;        // it takes values and may change the object: called before the threads start
  bool takes_other = false;  // a parameter is of the subject's type
};

struct Subject {
  std::string label;                      // "Queue"
  std::string type;                       // "app::Queue<int>"; empty: there is no object
  bool is_pointer = false;                // C: the scene holds what `make` returns
  std::vector<std::string> initialisers;  // ways to make the object, the best first: "", "{2}"
  std::vector<std::string> members;       // of the scene, for the initialisers
  std::string make;                       // C: statements that make the object ready
  std::vector<Call> calls;
  bool may_block = false;          // some call may wait for another call
  std::vector<std::string> notes;  // what is not called, and why
  std::string problem;             // nothing can be called: why
};

}  // namespace heddle::frontend::harness
