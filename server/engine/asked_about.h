// The project that a question is about.
//
// In:      a question of a client, the projects of this engine, the one that was checked last.
// Out:     the project that the question names, found as for a check if the question says how, so that a fresh engine
//          reads its books from the disk; else the one that was checked last. Null: there is none.
// Owns:    nothing.
// Threads: one.
// Fails:   never.
#pragma once

#include "server/engine/project/project.h"

namespace heddle::engine {

template <typename Question>
Project* asked_about(const Question& question, Projects& projects, Project* last) {
  if (Project* project = projects.known(question.root())) return project;
  if (!question.has_project()) return last;
  const Projects::Result found = projects.find(question.project());
  Project* const* project = std::get_if<Project*>(&found);
  return project ? *project : last;
}

}  // namespace heddle::engine
