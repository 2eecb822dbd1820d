// Knows which programs of a project are there. One whose file was deleted or renamed, that left the compile database,
// or that has lost its main() or its test case has no open findings, whatever its book says. The book stays: the
// program may come back.
//
// In:      what a check loaded; books of the ledger.
// Out:     a row of the ledger; answers about books.
// Cost:    a few look-ups of files per book.
// Owns:    nothing; the ledger has the rows.
// Threads: one.
// Fails:   never; a book of which nothing is known counts as there.
#pragma once

#include <string>

#include "heddle/v1/ledger.pb.h"
#include "server/engine/project/project.h"

namespace heddle::engine {

// The load had no file whose programs are not known.
bool knows_its_programs(const Loaded& loaded);
// Remembers the programs of such a load.
void remember_programs(Project& project, const Loaded& loaded);
// `name`: the book's key without the settings.
bool is_there(Project& project, const std::string& name, const v1::Book& book);

}  // namespace heddle::engine
