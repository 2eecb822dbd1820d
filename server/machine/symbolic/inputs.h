// What the outside world gives a program, by its project's settings: arguments, environment, standard input, files, and
// the effect of unknown functions.
//
// In:      the project's settings.
// Out:     values for Options. A list with several values is an input that is chosen: each of them is tried (operation
//          DataChoice). An unknown text has each length up to a bound and stands for all texts of that length; where
//          data is sampled it has the values of its list, no other is tried, and the verdict says so.
// Owns:    values.
// Threads: values.
// Fails:   never.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::machine {

struct EnvironmentVariable {
  std::string name;
  std::vector<std::optional<std::string>> values;  // nullopt: not set
};

struct InputFile {
  std::string path;  // as the program names it
  std::string content;
  bool unknown = false;  // see Inputs::unknown; sampled, it is one of sampled_texts()
};

struct Inputs {
  std::vector<std::vector<std::string>> arguments;  // argv[1..]
  std::vector<EnvironmentVariable> environment;
  std::vector<std::string> standard_input;  // empty: at its end
  std::vector<InputFile> files;
  uint32_t clients = 0;       // of listening sockets, next to those in the program
  uint32_t client_bytes = 0;  // that each of them sends, at most; they are unknown
  // Which of them stand for every text, and of how many bytes at most: by the names of the functions below.
  std::map<std::string, uint32_t> unknown;
};

inline constexpr uint32_t kUnknownLength = 8;  // bytes at most, without a word in the settings
inline constexpr uint32_t kUnknownLengthMost = 256;
std::string name_of_argument(size_t number);  // "argv[1]"
std::string name_of_variable(const std::string& name);
std::string name_of_file(const std::string& path);
std::string name_of_client(uint32_t number);  // from 1
inline constexpr const char* kStandardInput = "standard input";
inline constexpr const char* kPiecesOfInput = "pieces of standard input";  // where read() stops, byte by byte

// What unknown inputs are, by their numbers (Machine::InputValue); one that is not there is 0.
using GivenValues = std::map<uint64_t, uint64_t>;

// A call of a function that nothing defines.
enum class UnknownCall : uint8_t {
  Stop,    // ends the path; the verdict is inconclusive
  Fresh,   // returns any value, or one of the sampled ones of its result's type, and fills what it is given to fill
  Ignore,  // returns 0 and has no other effect; the verdict notes it
};

struct ValueRange {  // an integer result, both ends included; unsigned if `least` is not negative
  int64_t least = 0, most = 0;
};

inline constexpr uint64_t kFilledMost = 4096;     // bytes, by one argument of a call
inline constexpr uint32_t kFilledArguments = 13;  // of a call the first ones can be filled

// Memory that a call of Fresh fills with any bytes: what an argument points to. A null pointer is left alone unless the
// size is given and not zero.
struct UnknownFill {
  uint32_t argument = 0;                  // from 0
  std::optional<uint32_t> size_argument;  // from 0: its value times `bytes`
  uint64_t bytes = 0;                     // 0, without a size argument: to the end of what begins there
  bool operator==(const UnknownFill&) const = default;
};

struct UnknownPolicy {
  UnknownCall how = UnknownCall::Stop;
  std::vector<ValueRange> values = {};  // of Fresh: one of these; empty: any
  std::vector<UnknownFill> fills = {};  // of Fresh
};

struct UnknownCalls {
  UnknownPolicy otherwise;
  std::map<std::string, UnknownPolicy> by_name;
};

// The texts that stand for an unknown argument, variable or standard input.
const std::vector<std::string>& sampled_texts();

}  // namespace heddle::machine
