// The words in which rows of function.h are written: {"memcpy", Model, writes(at(0)).reading(at(1)).returning(0)}, and
// the tables, one per header or family of headers. Internal to this folder.
//
// In:      numbers of arguments, states.
// Out:     columns of a row; tables of rows, each sorted by name.
// Owns:    the tables.
// Threads: constant expressions.
// Fails:   never; a row without an implementation or effects does not compile, nor does a table that is not sorted.
#pragma once

#include <span>

#include "server/library/function.h"
#include "server/library/link_names.h"

namespace heddle::library {

using enum Implementation;
using enum InteractionKind;
using enum Meaning;
using enum Flag;

template <typename... Numbers>
constexpr Arguments at(Numbers... numbers) {
  return static_cast<Arguments>((0u | ... | (1u << numbers)));
}
constexpr Arguments from(int first) { return static_cast<Arguments>(0xffffu << first); }
inline constexpr Arguments kAll = 0xffff;

// Effects that are written as a sentence. Each function is written out: Clang would instantiate a template too late for
// the constants below.
struct Does : Effects {
  constexpr Does reading(Arguments arguments) const {
    Does d = *this;
    d.reads = arguments;
    return d;
  }
  constexpr Does writing(Arguments arguments) const {
    Does d = *this;
    d.writes = arguments;
    return d;
  }
  constexpr Does returning(int argument) const {
    Does d = *this;
    d.give(argument, Returned::Itself);
    return d;
  }
  // A place in the object that the argument points to.
  constexpr Does returning_inside(int argument) const {
    Does d = *this;
    d.give(argument, Returned::Inside);
    return d;
  }
  constexpr Does storing_at(int argument, int source = -1) const {
    Does d = *this;
    d.stores_at = number(argument), d.stores_from = number(source);
    return d;
  }
  constexpr Does copying() const {
    Does d = *this;
    d.copies = true;
    return d;
  }
  constexpr Does on(int argument) const {
    Does d = *this;
    d.object_argument = number(argument);
    return d;
  }
  constexpr Does with_mutex(int argument) const {
    Does d = *this;
    d.mutex_argument = number(argument);
    return d;
  }
  constexpr Does as(InteractionKind kind) const {
    Does d = *this;
    d.interaction = kind;
    return d;
  }

  static constexpr int8_t number(int argument) { return static_cast<int8_t>(argument); }
  constexpr void give(int argument, Returned how) { returns = number(argument), returned = how; }
};

constexpr Does does(Effect effect, InteractionKind kind = Read) {
  Does made;
  made.effect = effect, made.interaction = kind;
  return made;
}
inline constexpr Does nothing = {};  // touches no memory of the program
constexpr Does reads(Arguments arguments) { return nothing.reading(arguments); }
constexpr Does writes(Arguments arguments) { return nothing.writing(arguments); }
inline constexpr Does allocates = does(Effect::Allocates);
inline constexpr Does reallocates = does(Effect::Reallocates, Free).on(0).returning(0);
inline constexpr Does frees = does(Effect::Frees, Free).on(0);
constexpr Does synchronises(InteractionKind kind) { return does(Effect::Synchronises, kind); }
constexpr Does exits(bool fails = false) {
  Does made = does(Effect::Exits, Exit);
  made.fails = fails;
  return made;
}
inline constexpr Does fails = exits(true);
constexpr Does calls(Effect effect, InteractionKind kind, int callback, int data) {
  Does made = does(effect, kind);
  made.callback = Does::number(callback), made.callback_data = Does::number(data);
  return made;
}
constexpr Does calls_back(int callback, int data = -1) { return calls(Effect::CallsBack, Read, callback, data); }
constexpr Does creates_thread(int callback = -1, int data = -1) {
  return calls(Effect::CreatesThread, Create, callback, data);
}
constexpr Does as_text() {
  Does made;
  made.known = false;
  return made;
}

constexpr HiddenUse hidden(HiddenStates reads, HiddenStates writes) { return {reads, writes}; }
constexpr HiddenUse hidden(HiddenStates both) { return {both, both}; }
constexpr SharedUse looks_at(HiddenStates states) { return {states, 0}; }
constexpr SharedUse changes(HiddenStates states) { return {0, states}; }
constexpr VariableUse variables(Variables reads, Variables changes = 0) { return {reads, changes}; }
constexpr Verb verb(std::string_view text) { return {text}; }
constexpr Through through(Arguments arguments) { return {arguments}; }
constexpr Carried sends(int argument) { return {.out = static_cast<Arguments>(1u << argument)}; }
constexpr Carried receives(int argument) { return {.in = static_cast<Arguments>(1u << argument)}; }
constexpr Format format(int argument) { return {Does::number(argument)}; }
constexpr OwnState own(std::string_view name) { return {name}; }
constexpr Module in(std::string_view module, std::string_view second = {}) { return {module, second}; }
constexpr Block allocates_as(BlockKind kind) { return {BlockCall::Allocates, kind}; }
constexpr Block releases_as(BlockKind kind) { return {BlockCall::Releases, kind}; }

template <size_t count>
constexpr bool sorted(const Function (&rows)[count]) {
  for (size_t n = 1; n < count; ++n)
    if (!(rows[n - 1].name < rows[n].name)) return false;  // also: no name twice
  return true;
}

std::span<const Function> atomic_functions();
std::span<const Function> complex_functions();
std::span<const Function> ctype_functions();
std::span<const Function> cxx_functions();
std::span<const Function> math_functions();
std::span<const Function> pthread_functions();
std::span<const Function> signal_functions();
std::span<const Function> stdio_functions();
std::span<const Function> stdlib_functions();
std::span<const Function> string_functions();
std::span<const Function> system_functions();
std::span<const Function> threads_functions();
std::span<const Function> time_functions();
std::span<const Function> unistd_functions();
std::span<const Function> verifier_functions();
std::span<const Function> wchar_functions();

}  // namespace heddle::library
