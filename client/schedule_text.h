// The schedule of a finding as one word, which replays the interleaving wherever the same texts are.
//
// In:      a finding and the root of its project; or such a word and the root of another checkout.
// Out:     the word; the finding as `Replay` wants it, and the files whose texts differ from those of the word.
// Owns:    values.
// Threads: pure functions over the files of the disk.
// Fails:   by value: none, if the word is no schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

// "heddle1~TARGET~ID~RULE~SCHEDULE~FILE=HASH,...~VISIBLE~..." with files relative to the root and `%` codes.
std::string schedule_text(const v1::Finding& finding, const std::string& root);

struct ReadSchedule {
  v1::Finding finding;
  std::vector<std::string> differ;  // files, relative to the root: absent, or with another text
};
std::optional<ReadSchedule> read_schedule_text(const std::string& word, const std::string& root);

}  // namespace heddle::client
