#include <algorithm>

#include "server/edit/edit.h"

namespace heddle::edit {

std::string print(const analysis::Facts& after, const Impact& impact) {
  std::string text;
  auto thread = [&](const ThreadName& name) {
    const analysis::Role& role = after.roles[name.role.value];
    return role.name + (role.multiplicity == analysis::Multiplicity::Many ? "#" + std::to_string(name.instance) : "");
  };
  for (EditKind kind : impact.kinds) text += "edit: " + std::string(name_of(kind)) + "\n";
  for (const std::string& sentence : impact.widened) text += "widened: " + sentence + "\n";
  for (const std::string& sentence : impact.unchanged) text += "no change: " + sentence + "\n";
  for (size_t n = 0; n < impact.fragments.size(); ++n) {
    const Fragment& fragment = impact.fragments[n];
    text += "fragment " + std::to_string(n) + " in " + after.program->function(fragment.function).display_name + " " +
            std::to_string(fragment.range.begin_line) + ":" + std::to_string(fragment.range.begin_column) + "-" +
            std::to_string(fragment.range.end_line) + ":" + std::to_string(fragment.range.end_column) + " " +
            fragment.description + "\n";
  }
  for (const Pair& pair : impact.pairs)
    text += std::string(pair.state == PairState::Chosen ? "pair " : "skipped ") + std::to_string(pair.fragment) + " (" +
            thread(pair.modified) + ", " + thread(pair.other) + "): " + pair.reason + "\n";
  if (!impact.seeds.empty()) {
    std::vector<std::string> names;
    for (ObjectId o : impact.seeds) names.push_back(after.objects[o.value].name);
    std::sort(names.begin(), names.end());
    text += "objects:";
    for (const std::string& name : names) text += " " + name;
    text += "\n";
  }
  return text;
}

}  // namespace heddle::edit
