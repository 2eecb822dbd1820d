// The forms of _FORTIFY_SOURCE: they get the size of the destination as the compiler knows it. Memory is checked
// anyway; the size is smaller than the object when the destination is a member of a structure.
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "server/library/fortify.h"
#include "server/machine/library/model.h"
#include "server/machine/library/support.h"

namespace heddle::machine {
namespace models {
namespace {

struct Name {
  char text[20];
  constexpr Name(const char* name) : text{} {  // NOLINT: a literal where a template wants one
    for (int i = 0; name[i] != 0; i++) text[i] = name[i];
  }
};

Builtin plain(std::string_view name) {
  for (const BuiltinRow& row : string_builtins()) {
    if (row.name == name) return row.run;
  }
  return nullptr;
}

// name(destination, ..., size) with the size at argument `size` and that of the destination after the last one.
template <Name name, uint32_t size, uint32_t object>
Status sized(Guest& g) {
  static const Builtin run = plain(name.text);
  if (g.argument(size) > g.argument(object)) return g.writes_past(g.pointer(0), g.argument(size), g.argument(object));
  return run(g);
}

// strcpy and the like: what is written is a string.
template <Name name, bool appends, bool bounded>
Status text(Guest& g) {
  static const Builtin run = plain(name.text);
  uint64_t have = 0, length;
  if (appends && !g.string_length(g.pointer(0), have)) return Status::Faulted;
  if (bounded) {
    std::string source;
    if (!g.read_string(g.pointer(1), source, g.argument(2))) return Status::Faulted;
    length = source.size();
  } else if (!g.string_length(g.pointer(1), length)) {
    return Status::Faulted;
  }
  const uint64_t room = g.argument(bounded ? 3 : 2);
  if (have + length >= room) return g.writes_past(g.pointer(0), have + length + 1, room);
  return run(g);
}

Status explicit_bzero_(Guest& g) {
  if (g.argument(1) > g.argument(2)) return g.writes_past(g.pointer(0), g.argument(1), g.argument(2));
  return done_if(g.fill(g.pointer(0), 0, g.argument(1)));
}

// __heddle_room(array, bytes): the next call may write to this array, a member that is smaller than its object. Of null:
// the call is over.
Status room_(Guest& g) {
  const Pointer rooms = g.thread_object(kRooms, sizeof(Rooms));
  uint64_t count;
  if (!load(g, rooms, count)) return Status::Faulted;
  if (g.argument(0) == 0) return done_if(count == 0 || store(g, rooms, uint64_t{0}));
  if (count == std::size(Rooms{}.all)) return Status::Done;
  const Rooms::Room room{g.argument(0), g.argument(1)};
  return done_if(store(g, after(rooms, offsetof(Rooms, all) + count * sizeof room), room) &&
                 store(g, rooms, count + 1));
}

constexpr BuiltinRow kRows[] = {
    {library::kRoomCall, room_},
    {"__memcpy_chk", sized<"memcpy", 2, 3>},
    {"__memmove_chk", sized<"memmove", 2, 3>},
    {"__mempcpy_chk", sized<"mempcpy", 2, 3>},
    {"__memset_chk", sized<"memset", 2, 3>},
    {"__strncpy_chk", sized<"strncpy", 2, 3>},
    {"__stpncpy_chk", sized<"stpncpy", 2, 3>},
    {"__strlcpy_chk", sized<"strlcpy", 2, 3>},
    {"__strlcat_chk", sized<"strlcat", 2, 3>},
    {"__strcpy_chk", text<"strcpy", false, false>},
    {"__stpcpy_chk", text<"stpcpy", false, false>},
    {"__strcat_chk", text<"strcat", true, false>},
    {"__strncat_chk", text<"strncat", true, true>},
    {"__explicit_bzero_chk", explicit_bzero_},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> fortify_builtins() {
  static const models::Rows rows = models::join({models::kRows, models::fortified_print_rows()});
  return rows;
}

}  // namespace heddle::machine
