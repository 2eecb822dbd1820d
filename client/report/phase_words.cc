#include "client/report/phase_words.h"

#include <string_view>
#include <utility>

#include "server/verdict/background.h"
#include "server/verdict/steps.h"

namespace heddle::client {
namespace {

// plugins/vscode/src/status.ts has the same.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"queued", "waiting"},
    {"connecting", "connecting to the daemon"},
    {"compile", "compiling"},
    {"explore", "exploring"},
    {"step1", "exploring pairs of threads"},
    {"step2", "exploring what the edit affects"},
    {"consequences", "exploring what the races lead to"},
    {"weak", "exploring what weaker memory orders allow"},
    {"full", "exploring every interleaving"},
    {"replay", "replaying"},
    {"store", "recording what was verified"},
    {"background", "exploring further while idle"},
};

}  // namespace

std::string phase_words(const std::string& phase) {
  for (const auto& [name, words] : kWords)
    if (phase == name) return std::string(words);
  if (const auto background = verdict::background_of(phase))
    return phase_words(verdict::name_of(verdict::Phase::Background)) + ": " + background->target + ", " +
           phase_words(background->part);
  return phase;
}

}  // namespace heddle::client
