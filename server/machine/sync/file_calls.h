// The calls on files that are scheduling points where several threads use files: which cells each is about.
//
// In:      nothing.
// Out:     one row per call; sync/files.cc reads them.
// Owns:    a constant table.
// Threads: constant data.
// Fails:   never.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::machine {

enum class By : uint8_t {
  Name,
  NameAndContent,  // or what else is known of the file
  Names,
  Descriptor,      // the content of the file that it means
  Stream,          // the content of a FILE
  StreamItself,    // its position and flags
  Number,          // what a descriptor means
  Control,         // fcntl: by its command
  Closed,          // a descriptor that ends
  ClosedStream,    // a FILE that ends
  Duplicated,      // a descriptor; a new number means the same
  DuplicatedOnto,  // argument 1 means the same
  Standard,        // the content of stdin, stdout, stderr: 0, 1, 2
  OpenFlags,
  OpenMode
};
struct FileCall {
  std::string_view name;
  By by;             // which cells
  uint8_t argument;  // the name, descriptor or stream
  bool changes;
};
inline constexpr FileCall kFileCalls[] = {
    {"access", By::Name, 0, false},
    {"stat", By::NameAndContent, 0, false},
    {"lstat", By::NameAndContent, 0, false},
    {"fstatat", By::NameAndContent, 1, false},
    {"chmod", By::NameAndContent, 0, true},
    {"chown", By::NameAndContent, 0, true},
    {"utime", By::NameAndContent, 0, true},
    {"utimes", By::NameAndContent, 0, true},
    {"utimensat", By::NameAndContent, 1, true},
    {"fchmodat", By::NameAndContent, 1, true},
    {"readlink", By::Name, 0, false},
    {"realpath", By::Name, 0, false},
    {"opendir", By::Name, 0, false},
    {"readdir", By::Names, 0, false},
    {"readdir64", By::Names, 0, false},
    {"open", By::OpenFlags, 0, true},
    {"open64", By::OpenFlags, 0, true},
    {"fopen", By::OpenMode, 0, true},
    {"fopen64", By::OpenMode, 0, true},
    {"freopen", By::OpenMode, 0, true},
    {"creat", By::Names, 0, true},
    {"mkstemp", By::Names, 0, true},
    {"truncate", By::Names, 0, true},
    {"truncate64", By::Names, 0, true},
    {"rename", By::Names, 0, true},
    {"rmdir", By::Names, 0, true},
    {"chdir", By::Names, 0, true},
    {"unlink", By::Name, 0, true},
    {"remove", By::Name, 0, true},
    {"mkdir", By::Name, 0, true},
    {"read", By::Descriptor, 0, true},
    {"heddle.read", By::Descriptor, 0, true},
    {"pread", By::Descriptor, 0, false},
    {"pread64", By::Descriptor, 0, false},
    {"heddle.pread", By::Descriptor, 0, false},
    {"heddle.note_mapping", By::Descriptor, 0, true},
    {"write", By::Descriptor, 0, true},
    {"heddle.write", By::Descriptor, 0, true},
    {"pwrite", By::Descriptor, 0, true},
    {"pwrite64", By::Descriptor, 0, true},
    {"lseek", By::Descriptor, 0, true},
    {"lseek64", By::Descriptor, 0, true},
    {"ftruncate", By::Descriptor, 0, true},
    {"fchmod", By::Descriptor, 0, true},
    {"futimens", By::Descriptor, 0, true},
    {"fstat", By::Descriptor, 0, false},
    {"getcwd", By::Names, 0, false},
    {"umask", By::Names, 0, true},
    {"close", By::Closed, 0, true},
    {"heddle.close", By::Closed, 0, true},
    {"dup", By::Duplicated, 0, true},
    {"heddle.dup", By::Duplicated, 0, true},
    {"heddle.pipe_number", By::Duplicated, 0, true},
    {"dup2", By::DuplicatedOnto, 0, true},
    {"dup3", By::DuplicatedOnto, 0, true},
    {"heddle.dup2", By::DuplicatedOnto, 0, true},
    {"fcntl", By::Control, 0, true},
    {"fcntl64", By::Control, 0, true},
    {"heddle.fcntl", By::Control, 0, true},
    {"fdopen", By::Number, 0, false},
    {"fclose", By::ClosedStream, 0, true},
    {"fileno", By::StreamItself, 0, false},
    {"fileno_unlocked", By::StreamItself, 0, false},
    {"setvbuf", By::StreamItself, 0, true},
    {"setbuf", By::StreamItself, 0, true},
    {"setbuffer", By::StreamItself, 0, true},
    {"setlinebuf", By::StreamItself, 0, true},
    {"fputs", By::Stream, 1, true},
    {"fputc", By::Stream, 1, true},
    {"putc", By::Stream, 1, true},
    {"_IO_putc", By::Stream, 1, true},
    {"fwrite", By::Stream, 3, true},
    {"fprintf", By::Stream, 0, true},
    {"vfprintf", By::Stream, 0, true},
    {"__fprintf_chk", By::Stream, 0, true},
    {"__vfprintf_chk", By::Stream, 0, true},
    {"dprintf", By::Descriptor, 0, true},
    {"vdprintf", By::Descriptor, 0, true},
    {"__dprintf_chk", By::Descriptor, 0, true},
    {"__vdprintf_chk", By::Descriptor, 0, true},
    {"fputwc", By::Stream, 1, true},
    {"putwc", By::Stream, 1, true},
    {"fputws", By::Stream, 1, true},
    {"fwprintf", By::Stream, 0, true},
    {"vfwprintf", By::Stream, 0, true},
    {"fgetwc", By::Stream, 0, true},
    {"getwc", By::Stream, 0, true},
    {"fgetws", By::Stream, 2, true},
    {"ungetwc", By::Stream, 1, true},
    {"printf", By::Standard, 1, true},
    {"vprintf", By::Standard, 1, true},
    {"__printf_chk", By::Standard, 1, true},
    {"__vprintf_chk", By::Standard, 1, true},
    {"puts", By::Standard, 1, true},
    {"putchar", By::Standard, 1, true},
    {"putwchar", By::Standard, 1, true},
    {"wprintf", By::Standard, 1, true},
    {"vwprintf", By::Standard, 1, true},
    {"perror", By::Standard, 2, true},
    {"warn", By::Standard, 2, true},
    {"warnx", By::Standard, 2, true},
    {"vwarn", By::Standard, 2, true},
    {"vwarnx", By::Standard, 2, true},
    {"getchar", By::Standard, 0, true},
    {"getwchar", By::Standard, 0, true},
    {"scanf", By::Standard, 0, true},
    {"vscanf", By::Standard, 0, true},
    {"__isoc99_scanf", By::Standard, 0, true},
    {"__isoc99_vscanf", By::Standard, 0, true},
    {"__isoc23_scanf", By::Standard, 0, true},
    {"__isoc23_vscanf", By::Standard, 0, true},
    {"_IO_getc", By::Stream, 0, true},
    {"fscanf", By::Stream, 0, true},
    {"vfscanf", By::Stream, 0, true},
    {"__isoc99_fscanf", By::Stream, 0, true},
    {"__isoc23_fscanf", By::Stream, 0, true},
    {"__isoc99_vfscanf", By::Stream, 0, true},
    {"__isoc23_vfscanf", By::Stream, 0, true},
    {"ungetc", By::Stream, 1, true},
    {"clearerr", By::Stream, 0, true},
    {"clearerr_unlocked", By::Stream, 0, true},
    {"fflush", By::Stream, 0, true},
    {"fsetpos", By::Stream, 0, true},
    {"fgetpos", By::StreamItself, 0, false},
    {"feof", By::StreamItself, 0, false},
    {"feof_unlocked", By::StreamItself, 0, false},
    {"ferror", By::StreamItself, 0, false},
    {"ferror_unlocked", By::StreamItself, 0, false},
    {"fgetc", By::Stream, 0, true},
    {"getc", By::Stream, 0, true},
    {"fgets", By::Stream, 2, true},
    {"fread", By::Stream, 3, true},
    {"getline", By::Stream, 2, true},
    {"getdelim", By::Stream, 3, true},
    {"__getdelim", By::Stream, 3, true},
    {"__fgets_chk", By::Stream, 3, true},
    {"__fread_chk", By::Stream, 4, true},
    {"fseek", By::Stream, 0, true},
    {"fseeko", By::Stream, 0, true},
    {"fseeko64", By::Stream, 0, true},
    {"ftell", By::StreamItself, 0, false},
    {"ftello", By::StreamItself, 0, false},
    {"ftello64", By::StreamItself, 0, false},
    {"rewind", By::Stream, 0, true},
};

}  // namespace heddle::machine
