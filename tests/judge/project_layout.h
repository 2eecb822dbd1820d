// Versions of a program as a project: its functions spread over files, and each edit brought to them by a file, a
// header that appears or goes, an include path, a link, a flag, or the list of what is compiled.
//
// In:      the versions as trees that differ in their texts only (functions and globals are the same ones).
// Out:     the files, links and compile commands of each version.
// Owns:    values. Threads: pure. Fails: never.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/judge/program_tree.h"
#include "tests/judge/random.h"

namespace heddle::judge {

struct Project {
  struct Unit {
    std::string file;
    std::vector<std::string> flags;
    bool operator==(const Unit&) const = default;
  };
  std::map<std::string, std::string> texts, links;  // by path in the project; of a link what it names
  std::vector<Unit> units;
  bool operator==(const Project&) const = default;
};

// How the text of a part reaches its unit, and how it changes there.
enum class Delivery : uint32_t {
  Text,        // written in the file
  Header,      // in a header
  Flag,        // -DNAME=2 chooses one of its texts
  Setting,     // so does a header that defines it
  Appears,     // so does whether a header is there: __has_include
  Shadows,     // a header in an earlier folder of the include path is found instead of the right one
  Link,        // a header's name is a link to one of several
  FolderLink,  // a folder on the way is one
  FileLink,    // the file that is compiled is one
  Unit,        // another file is compiled
  Forced,      // a header that the command includes chooses
  Computed,    // the command says which header it is
};
inline constexpr uint32_t kDeliveries = 12;
std::string_view name_of(Delivery delivery);

class Layout {
 public:
  Layout(Random& random, const std::vector<Tree>& versions);
  Project version(size_t number) const;
  std::vector<Delivery> changed(size_t from, size_t to) const;  // ways in which parts differ between two versions
  std::vector<std::string> removable() const;                   // headers without which a unit does not compile

 private:
  struct Part {
    std::string name;
    std::vector<std::string> texts;  // different ones
    std::vector<size_t> of_version;  // which one each has
    Delivery delivery = Delivery::Text;
    size_t unit = 0;  // in which file it stands
  };
  void add_part(const std::string& name, const std::vector<std::string>& texts);
  void place(const Part& part, size_t version, Project& project, std::string& text,
             std::vector<std::string>& flags) const;

  std::string suffix_;
  std::vector<std::string> headers_;   // all.h of each version
  std::vector<std::string> settings_;  // .heddle.yaml of each; empty: there is none
  std::vector<Part> parts_;
  size_t files_ = 1;
};

}  // namespace heddle::judge
