// The calls that the machine makes scheduling points where threads share what they use: server/machine/sync_files.cc,
// exit_handlers.cc, sync_states.cc.
#include "server/analysis/library_table.h"

namespace heddle::analysis {
namespace {

struct StateUse {
  std::string_view name;
  HiddenStates reads = 0, changes = 0;
};

constexpr StateUse reads(std::string_view name, HiddenStates states) { return {name, states, 0}; }
constexpr StateUse changes(std::string_view name, HiddenStates states) { return {name, 0, states}; }

constexpr StateUse kUses[] = {
    reads("access", kFiles),
    reads("stat", kFiles),
    reads("lstat", kFiles),
    reads("fstatat", kFiles),
    reads("realpath", kFiles),
    reads("opendir", kFiles),
    reads("readdir", kFiles),
    reads("readdir64", kFiles),
    reads("pread", kFiles),
    reads("pread64", kFiles),
    reads("fstat", kFiles),
    reads("ftell", kFiles),
    reads("ftello", kFiles),
    changes("open", kFiles),
    changes("open64", kFiles),
    changes("fopen", kFiles),
    changes("fopen64", kFiles),
    changes("freopen", kFiles),
    changes("creat", kFiles),
    changes("mkstemp", kFiles),
    changes("truncate", kFiles),
    changes("truncate64", kFiles),
    changes("rename", kFiles),
    changes("rmdir", kFiles),
    changes("chdir", kFiles),
    changes("unlink", kFiles),
    changes("remove", kFiles),
    changes("mkdir", kFiles),
    changes("read", kFiles),
    changes("heddle.read", kFiles),
    changes("write", kFiles),
    changes("heddle.write", kFiles),
    changes("pwrite", kFiles),
    changes("pwrite64", kFiles),
    changes("lseek", kFiles),
    changes("lseek64", kFiles),
    changes("ftruncate", kFiles),
    changes("close", kFiles),
    changes("heddle.close", kFiles),
    changes("fclose", kFiles),
    changes("fgetc", kFiles),
    changes("getc", kFiles),
    changes("fgets", kFiles),
    changes("fread", kFiles),
    changes("getline", kFiles),
    changes("getdelim", kFiles),
    changes("fseek", kFiles),
    changes("fseeko", kFiles),
    changes("rewind", kFiles),
    reads("getcwd", kFiles),
    reads("fcntl", kFiles),
    reads("fcntl64", kFiles),
    reads("heddle.fcntl", kFiles),
    reads("fdopen", kFiles),
    reads("heddle.fdopen", kFiles),
    reads("feof", kFiles),
    reads("ferror", kFiles),
    reads("fgetpos", kFiles),
    changes("umask", kFiles),
    changes("dup", kFiles),
    changes("heddle.dup", kFiles),
    changes("dup2", kFiles),
    changes("dup3", kFiles),
    changes("heddle.dup2", kFiles),
    changes("fputs", kFiles),
    changes("fputc", kFiles),
    changes("putc", kFiles),
    changes("_IO_putc", kFiles),
    changes("fwrite", kFiles),
    changes("fprintf", kFiles),
    changes("vfprintf", kFiles),
    changes("__fprintf_chk", kFiles),
    changes("__vfprintf_chk", kFiles),
    changes("_IO_getc", kFiles),
    changes("fscanf", kFiles),
    changes("vfscanf", kFiles),
    changes("__isoc99_fscanf", kFiles),
    changes("__isoc23_fscanf", kFiles),
    changes("__isoc99_vfscanf", kFiles),
    changes("__isoc23_vfscanf", kFiles),
    changes("ungetc", kFiles),
    changes("clearerr", kFiles),
    changes("fsetpos", kFiles),
    changes("atexit", kExitHandlers),
    changes("at_quick_exit", kExitHandlers),
    changes("on_exit", kExitHandlers),
    changes("__cxa_atexit", kExitHandlers),
    changes("exit", kExitHandlers),
    changes("quick_exit", kExitHandlers),
    changes("rand", kRandom),
    changes("random", kRandom),
    changes("srand", kRandom),
    changes("srandom", kRandom),
    changes("pthread_key_create", kThreadValues),
    changes("pthread_key_delete", kThreadValues),
    changes("tss_create", kThreadValues),
    changes("tss_delete", kThreadValues),
    changes("pthread_setname_np", kThreadNames),
    reads("pthread_getname_np", kThreadNames),
    changes("signal", kSignals),
    changes("bsd_signal", kSignals),
    changes("sysv_signal", kSignals),
    changes("__sysv_signal", kSignals),
    changes("sigaction", kSignals),
    reads("raise", kSignals),
    reads("kill", kSignals),
    reads("pthread_kill", kSignals),
    reads("sigprocmask", kSignals),
    reads("pthread_sigmask", kSignals),
};

}  // namespace

void LibraryTable::shared_states() {
  for (const StateUse& use : kUses) {
    const auto row = std::lower_bound(rows_.begin(), rows_.end(), use.name,
                                      [](const LibraryFunction& r, std::string_view name) { return r.name < name; });
    if (row == rows_.end() || row->name != use.name) continue;
    row->states_read |= use.reads;
    row->states_changed |= use.changes;
    if (use.reads != 0) row->reads |= bit(kStatesRead);
    if (use.changes == 0) continue;
    row->reads |= bit(kStatesChanged);
    row->writes |= bit(kStatesChanged);
  }
}

}  // namespace heddle::analysis
