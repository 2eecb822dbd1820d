// Where the user's own choices and caches are kept: folders that no checkout names.
//
// In:      HEDDLE_STATE_DIR, HEDDLE_LIBRARY_CACHE, XDG_STATE_HOME, XDG_CACHE_HOME and HOME of the environment.
// Out:     the folder, best first; the shared store that the user chose (`heddle cache use`), or HEDDLE_STORE names.
// Owns:    nothing.
// Threads: any; the environment is only read.
// Fails:   no folder, or no choice, is an empty answer; write_chosen_store() says what went wrong.
#pragma once

#include <string>
#include <vector>

namespace heddle::disk {

std::string user_cache();     // $XDG_CACHE_HOME, else ~/.cache; empty: none is known
std::string library_cache();  // HEDDLE_LIBRARY_CACHE, else `heddle/library` in user_cache(); empty: none is known
std::vector<std::string> state_folders();
std::string chosen_store();  // an absolute path; empty: none
// Empty: no store from now on. Returns what went wrong, or nothing.
std::string write_chosen_store(const std::string& path);

}  // namespace heddle::disk
