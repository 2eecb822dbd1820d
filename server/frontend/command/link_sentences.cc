#include "server/frontend/command/link_sentences.h"

namespace heddle::frontend {
namespace {

// "its static constructors ..."
std::string what_they_do(const LinkNames& names, bool registers) {
  if (registers || names.changes.empty()) return "register something in this program";
  return names.changes_with + ", which changes " + names.changes + " for the whole process";
}

}  // namespace

std::string not_linked_with(const std::string& unit, const std::string& name, const std::string& other) {
  return unit + " is not linked: it defines '" + name + "', as " + other + " does, and the build's linker refuses both";
}

std::string defined_twice(const std::string& name, const std::string& one, const std::string& other,
                          const std::string& used) {
  return "'" + name + "' is defined in " + one + " and in " + other +
         ", and the build's linker refuses both: that of " + used + " was checked";
}

std::string not_linked_although(const std::string& unit, const LinkNames& names, const std::string& name) {
  const bool registers = names.changes.empty() || !names.registers_with.empty();
  return unit + " has static constructors that " + what_they_do(names, registers) +
         ", and is not linked: it defines '" + name + "', as the program does";
}

std::string linked_unnamed(const std::string& unit, const LinkNames& names, bool registers) {
  return unit + " is linked, although nothing names it: its static constructors " + what_they_do(names, registers);
}

std::string unlinked_unit(const std::string& unit, const LinkNames& names, bool registers) {
  if (!registers && !names.starts_threads)
    return unit + " was not checked: its static constructors " + what_they_do(names, false) +
           ", and which program it belongs to is not known";
  return unit +
         " was not checked: it has static constructors that register something, and no program that it belongs to; if "
         "its main() is in a library, compile that file, too (gtest_main.cc)";
}

}  // namespace heddle::frontend
