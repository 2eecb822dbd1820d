// Streams, descriptors and files, all in guest memory; no host file is opened.
//
// In:      FILE pointers, descriptors and file names of the guest; host text; files that the project gives.
// Out:     bytes and positions. Standard output goes to Guest::output; standard input is what the project gives, or
//          empty.
// Owns:    nothing. A stream is a process object "heddle.stream.N", N its descriptor. Files are process objects in
//          pieces of 4 KiB, found by a directory of names.
// Threads: the thread that uses the machine.
// Fails:   false after a fault: no stream, or a closed one. Errors that C reports by results are no faults.
//
// Unsound: streams have no buffer. What would show that output was not flushed, or that input was read ahead, is a limit.
//          That a given buffer ends too early is noticed, but not at the end of the process. Output to the terminal is no
//          scheduling point (`sync/files.cc` has those that are). flockfile excludes only others that call it.
#pragma once

#include <functional>
#include <string>

#include "server/machine/library/support.h"

namespace heddle::machine::models {

// Duplicate: what dup made; `file` is the number of the shared stream, which no descriptor of the program has.
// Pipe: the number of a pipe, a socket and their like, which guest text keeps: a stream on it is a limit.
enum class StreamKind : uint32_t { Closed, Input, Output, File, Null, MemoryFile, Buffer, Duplicate, Pipe };

inline constexpr uint32_t kReadable = 1, kWritable = 2, kAppend = 4;
inline constexpr uint32_t kEndSeen = 0x10, kErrorSeen = 0x20;  // glibc's bits: its header's macros test them

struct Stream {
  uint32_t flags = 0;
  uint32_t magic = 0;
  uint64_t buffer_pointers[8] = {};  // null: the header's inline functions then always call the library
  StreamKind kind = StreamKind::Closed;
  uint32_t mode = 0;
  int32_t descriptor = 0;
  uint32_t file = 0;
  uint64_t position = 0;
  uint64_t memory = 0, memory_size = 0;  // Buffer: what it covers; MemoryFile: where address and size go
  uint64_t memory_block = 0;             // MemoryFile: the block it handed out
  uint32_t pushed = 0;
  uint8_t pushed_back[12] = {};
  uint32_t duplicates = 0;        // of a shared stream: descriptors that lead to it
  uint32_t descriptor_flags = 0;  // FD_CLOEXEC of this number
  uint64_t buffer = 0;            // what the program gave the stream as its buffer
  uint32_t buffer_size = 0;
  uint32_t buffered = 0;    // bytes that certainly lie in it; 0: perhaps none
  uint32_t by_lines = 0;    // a newline flushes it
  uint32_t unbuffered = 0;  // by setvbuf
  uint32_t ahead = 0;       // what is read next from the file may lie in the stream's buffer already
  int8_t orientation = 0;   // 1: of wide characters; -1: of bytes; 0: not used yet
  uint8_t unused[43] = {};
};
inline constexpr uint32_t kStreamSize = sizeof(Stream);
static_assert(kStreamSize == 216, "the size of glibc's FILE");

std::string initial_stream(int descriptor);

Pointer stream_object(Guest& g, int descriptor);
// Numbers of descriptors. Threads whose calls may be reordered have numbers of their own, so that those which only open
// files do not meet: ranges, one a thread, later threads share those of the first ones. The first numbers of each range
// are below 64, all below 1024.
inline constexpr uint32_t kDescriptorRanges = 16, kDescriptorsOfRange = 63;
struct NumberPlace {
  uint32_t range, index;
};
int number_at(NumberPlace place);
NumberPlace place_of_number(int number);  // from 3 on; numbers that no thread is given: index kDescriptorsOfRange

// The closed stream of the lowest number that the calling thread can get: a standard one, or of its range; 0: all are
// open.
bool find_closed_stream(Guest& g, Pointer& at, Stream& s);
// The same; a fault if all are open.
bool new_stream(Guest& g, Pointer& at, Stream& s);
// Both lead from a duplicate to the stream it shares.
bool load_stream(Guest& g, Pointer& at, Stream& s);
// By number; `at` is null (no fault) if it is not open.
bool load_descriptor(Guest& g, int descriptor, Pointer& at, Stream& s);
// From now on `to` shares the stream of `from`, which is open.
bool duplicate(Guest& g, int from, int to, uint32_t flags = 0);
// Closes a number. false in `open`: it is not.
bool close_descriptor(Guest& g, int descriptor, bool& open);

// One character; -1 at the end (and kEndSeen). Changes `s` only: the caller stores it.
bool get_character(Guest& g, Stream& s, int& c);
// The next one to be read, again. What was just read from a file is not kept: the position goes back. false in `done`:
// there is no room.
bool unget_character(Guest& g, Stream& s, int c, bool& done);
// The first call that reads or writes decides it. Bytes and wide characters may be mixed here.
inline void orient(Stream& s, int8_t orientation) {
  if (s.orientation == 0) s.orientation = orientation;
}
// A buffer that the program gave: a fault if its life has ended, with what the stream does to it. What is written or
// read passes through it; flush() looks by itself.
bool use_buffer(Guest& g, Stream& s, const char* verb);
void note_buffered(Stream& s, uint64_t bytes, bool flushed);
bool put_buffered(Guest& g, Stream& s, std::string_view text);
// Bytes from host memory, or from guest memory (uninitialised bytes stay so in files).
bool put_text(Guest& g, Stream& s, std::string_view text);
bool put_bytes(Guest& g, Stream& s, Pointer from, uint64_t size, uint64_t& written);
bool get_bytes(Guest& g, Stream& s, Pointer to, uint64_t size, uint64_t& got);
bool seek(Guest& g, Stream& s, int64_t offset, int whence, int& error);
bool flush(Guest& g, Stream& s);
bool close_file(Guest& g, Pointer at);  // fclose

// Names, as the program writes them. They are kept without the slash in front, "." and ".."; the root and tmp are
// there.
enum class NameKind : uint32_t { None, File, Directory };
bool resolve(Guest& g, std::string_view name, std::string& kept);  // against the working directory
bool change_directory(Guest& g, const std::string& name, int& error);
struct FoundName {
  NameKind kind = NameKind::None;
  uint32_t file = 0;  // of a directory too: its number only
};
bool find_name(Guest& g, const std::string& name, FoundName& found);
void for_each_name(Guest& g, const std::function<void(const std::string& kept, FoundName)>& visit);
bool make_directory(Guest& g, const std::string& name, uint32_t permissions, int& error);
bool remove_directory(Guest& g, const std::string& name, int& error);
// The next name in the directory `kept` from place `index` on; empty: no more.
bool next_in_directory(Guest& g, const std::string& kept, uint32_t& index, std::string& name, FoundName& found);

struct OpenRequest {
  uint32_t mode = 0;
  bool create = false, exclusive = false, truncate = false;
  uint32_t permissions = 0666;  // of a new file, before the mask
};
// Sets kind, mode, file, position of `s`. error: 0 or an errno.
bool open_file(Guest& g, const std::string& name, const OpenRequest& request, Stream& s, int& error);
bool unnamed_file(Guest& g, uint32_t& file);
// Inputs that the project names.
bool give_file(Guest& g, const std::string& name, std::string_view content);
bool give_standard_input(Guest& g, std::string_view content);
// Where their first byte lies; null: nowhere. REQUIRES at most a piece of content.
Pointer standard_input_content(Guest& g);
Pointer content_of(Guest& g, const std::string& name);
// read() of what the project says is unknown standard input may give less than there is: a byte for each of its bytes,
// other than the character 0 where such a call stops. Null: of another stream.
inline constexpr char kNoStop = '0';
Pointer input_pieces(Guest& g, const Stream& s);
Pointer make_input_pieces(Guest& g, uint32_t size);
bool unlink_file(Guest& g, const std::string& name, int& error);
bool rename_file(Guest& g, const std::string& from, const std::string& to, int& error);
// What umask keeps from new files, and with which permissions a file was made.
bool load_file_mask(Guest& g, uint32_t& mask);
bool store_file_mask(Guest& g, uint32_t mask);
bool file_permissions(Guest& g, uint32_t file, uint32_t& bits);
// The program sets the times of the file, which stat() would show: a fault from now on.
bool note_times(Guest& g, uint32_t file);
bool knows_times(Guest& g, uint32_t file);
bool set_permissions(Guest& g, uint32_t file, uint32_t bits);
bool file_size(Guest& g, uint32_t file, uint64_t& size);
bool resize_file(Guest& g, uint32_t file, uint64_t size);
// Output that a stream keeps in its buffer: the model has it in the file at once, and a use of the file by another
// stream, or by a descriptor, is a limit until it is flushed. The last: `by_stream`: its own output is no obstacle.
bool hold_output(Guest& g, const Stream& s, bool holds);
bool release_all_output(Guest& g);
bool no_output_is_held(Guest& g, const Stream& s, bool by_stream);
// A mapping of the file was made, which may also write to it: what would show this later is a fault from now on.
bool note_mapping(Guest& g, uint32_t file, bool written);
bool file_too_large(Guest& g);  // the limit of the model, as a fault; false
bool stream_on_pipe(Guest& g);  // the same

// Content. Reading stays inside the size; writing grows it.
bool read_file(Guest& g, uint32_t file, uint64_t at, Pointer to, uint64_t size);
bool write_file(Guest& g, uint32_t file, uint64_t at, Pointer from, uint64_t size);
bool write_file(Guest& g, uint32_t file, uint64_t at, std::string_view text);
bool file_byte(Guest& g, uint32_t file, uint64_t at, uint8_t& byte);
inline constexpr uint32_t kFilePiece = 4096;               // bytes
Pointer file_piece(Guest& g, uint32_t file, uint64_t at);  // where the byte lies in guest memory

inline constexpr uint64_t kFileSizeMax = uint64_t{64} << 20;

}  // namespace heddle::machine::models
