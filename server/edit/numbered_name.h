// Reads names in which the compiler counts: "main::$_1::operator()() const", "f()::{lambda(int)#2}", "f.total.1".
//
// In:      a link name; "PATH:" may precede it.
// Out:     the name as people write it, and where what is numbered stands in it. Nothing is found in other names.
// Cost:    linear in the name.
// Owns:    values.
// Threads: pure functions, callable anywhere.
// Fails:   never; a name that cannot be read has no numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace heddle::edit {

struct NumberedName {
  // text.substr(begin, end - begin) is what is numbered, with all that it lies in.
  struct Part {
    size_t begin = 0, number = 0, digits = 0, end = 0;
    bool outermost = false;  // no argument of a template, and no parameter
  };

  std::string path;
  std::string rest;  // of the link name, without the numbers of lambdas and of classes without a name
  std::string text;
  std::vector<Part> parts;  // in the order of their ends

  bool numbered() const { return !parts.empty(); }
  bool is_variable() const { return numbered() && rest.empty(); }
  // What is numbered there, by itself. The linker knows those of "{lambda(int)#2}" by one name in all units.
  NumberedName of(const Part& part) const;
  std::string key() const { return path + text; }
  std::string digits(const Part& part) const { return text.substr(part.number, part.digits - part.number); }
  // The number that stands there, or another.
  std::string with(const std::function<std::string(const Part&)>& number) const;
};

// Cheap: may read_numbered() find a number?
bool may_be_numbered(const std::string& name);
NumberedName read_numbered(const std::string& name);
std::string without_numbers(const std::string& link_name);

}  // namespace heddle::edit
