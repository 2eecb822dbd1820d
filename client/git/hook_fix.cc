#include "client/git/hook_fix.h"

#include <algorithm>

#include "client/fix/search.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

std::optional<std::string> disk_text(const std::string& path) {
  return disk::read_regular(disk::file_of_name(path), disk::kTextMost);
}

template <typename Texts>
std::optional<std::string> text_in(const Texts& texts, const std::string& path) {
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const v1::Overlay& file) { return file.path() == path; });
  return found == texts.end() ? std::nullopt : std::optional(found->text());
}

}  // namespace

// `heddle fix` edits the disk: a text of the index that the disk no longer has gets no fix.
bool has_proved_fix(Backend& backend, const ReportedFinding& reported, double seconds) {
  fix::Wanted wanted;
  wanted.request = reported.request;
  wanted.finding = reported.finding;
  wanted.open = {reported.finding.id()};
  wanted.seconds = seconds;
  wanted.read = [&](const std::string& path) -> std::optional<std::string> {
    if (!path.starts_with(reported.request.root() + "/")) return std::nullopt;
    const auto staged = text_in(reported.request.overlays(), path), now = disk_text(path);
    return staged && staged != now ? std::nullopt : now;
  };
  fix::SearchOptions search;
  search.seconds = seconds;
  search.older = [&](const std::string& path) { return text_in(reported.request.base_texts().files(), path); };
  const auto result = fix::find_fixes(backend, wanted, search);
  const auto* found = std::get_if<fix::Found>(&result);
  return found && std::any_of(found->tried.begin(), found->tried.end(), [](const auto& t) { return t.proof.proved; });
}

}  // namespace heddle::client
