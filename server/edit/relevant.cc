#include "server/edit/edit.h"

namespace heddle::edit {

Relevant relevant_objects(const analysis::Facts& facts, const Impact& impact) {
  Relevant relevant;
  relevant.objects.assign(facts.objects.size(), true);
  relevant.everything = true;
  return relevant;
}

}  // namespace heddle::edit
