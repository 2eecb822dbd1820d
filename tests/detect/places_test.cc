// What the places of a memory error say: the thread is the subject, the object is named.
#include <gtest/gtest.h>

#include "tests/explore/c_program.h"

namespace heddle::detect {
namespace {

// "main declared 'local' here", of each place but the first.
std::vector<std::string> notes_of(const std::string& body) {
  const explore::Explored all = run_full(explore::CProgram(
      "#include <pthread.h>\n#include <stdlib.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static int *shared;\n"
      "static void *work(void *p) {\n  pthread_mutex_lock(&m);\n  if (shared) *shared = 5;\n"
      "  pthread_mutex_unlock(&m);\n  return p;\n}\n" +
      body));
  std::vector<std::string> notes;
  for (const Finding& finding : all.findings)
    if (finding.rule == "use-after-free" && notes.empty())
      for (size_t n = 1; n < finding.places.size(); ++n)
        notes.push_back(finding.places[n].thread + " " + finding.places[n].role);
  return notes;
}

using Notes = std::vector<std::string>;

TEST(Places, SayWhatAThreadDidWithTheObject) {
  EXPECT_EQ(notes_of("static void start(pthread_t *t) {\n  int local = 0;\n  shared = &local;\n"
                     "  pthread_create(t, 0, work, 0);\n}\n"
                     "int main(void) {\n  pthread_t t;\n  start(&t);\n  pthread_join(t, 0);\n  return 0;\n}\n"),
            (Notes{"main returned from the function of 'local' here", "main declared 'local' here"}));
  EXPECT_EQ(notes_of("int main(void) {\n  pthread_t t;\n  {\n    int inner = 0;\n    shared = &inner;\n"
                     "    pthread_create(&t, 0, work, 0);\n  }\n  pthread_join(t, 0);\n  return 0;\n}\n"),
            (Notes{"main left the scope of 'inner' here", "main declared 'inner' here"}));
  EXPECT_EQ(notes_of("int main(void) {\n  pthread_t t;\n  shared = malloc(4);\n  pthread_create(&t, 0, work, 0);\n"
                     "  pthread_mutex_lock(&m);\n  free(shared);\n  pthread_mutex_unlock(&m);\n"
                     "  pthread_join(t, 0);\n  return 0;\n}\n"),
            (Notes{"main freed it here", "main allocated it here"}));
}

}  // namespace
}  // namespace heddle::detect
