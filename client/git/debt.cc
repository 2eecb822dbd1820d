#include "client/git/debt.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "client/git/revision_check.h"
#include "client/report/report.h"
#include "server/disk/folder.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
constexpr double kBackgroundSeconds = 300;

std::string folder_of(const GitTree& git) { return git.git_folder() + "/heddle/debt"; }

bool is_tree_name(const std::string& text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// What the ledger says of all the projects that the tree's changes touch.
v1::VerdictKind known_verdict(std::vector<v1::CheckRequest> requests, Backend& backend) {
  v1::VerdictKind worst = v1::VERDICT_CLEAR;
  for (v1::CheckRequest& request : requests) {
    request.clear_base_texts();
    request.set_ledger_only(true);
    v1::VerdictKind kind = v1::VERDICT_INCONCLUSIVE;
    const auto failure = backend.check(request, [&](const v1::Event& event) {
      if (is_combined_verdict(event)) kind = event.verdict().kind();
    });
    if (failure) kind = v1::VERDICT_INCONCLUSIVE;
    if (kind == v1::VERDICT_FINDINGS) return kind;
    if (kind != v1::VERDICT_CLEAR) worst = v1::VERDICT_INCONCLUSIVE;
  }
  return worst;
}

void owe(std::vector<v1::CheckRequest> requests, Backend& backend) {
  for (v1::CheckRequest& request : requests) {
    request.clear_base_texts();
    request.set_background(true);
    request.set_time_limit_seconds(kBackgroundSeconds);
    backend.check(request, [](const v1::Event&) {});
  }
}

}  // namespace

std::optional<Failure> record_debt(const GitTree& git, const Debt& debt) {
  const std::string path = folder_of(git) + "/" + debt.tree + ".json";
  const nlohmann::json json{{"tree", debt.tree}, {"head", debt.head},      {"reason", debt.reason},
                            {"top", debt.top},   {"unixMs", debt.unix_ms}, {"outcome", debt.outcome}};
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const auto folder = disk::Folder::open(folder_of(git), {}, disk::Folder::Missing::Make);
  if (!folder.valid() || !folder.write(debt.tree + ".json", text))
    return Failure{"cannot write " + path, "what this commit owes is not remembered"};
  return std::nullopt;
}

std::vector<Debt> read_debts(const GitTree& git) {
  std::vector<Debt> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_of(git), error)) {
    std::ifstream file(entry.path());
    const auto json = nlohmann::json::parse(file, nullptr, false);
    Debt debt;
    if (json.is_object()) {
      debt = {json.value("tree", ""), json.value("head", ""),           json.value("reason", ""),
              json.value("top", ""),  json.value("unixMs", int64_t{0}), json.value("outcome", "owed")};
    }
    if (is_tree_name(debt.tree)) out.push_back(std::move(debt));
  }
  std::sort(out.begin(), out.end(), [](const Debt& a, const Debt& b) { return a.unix_ms < b.unix_ms; });
  return out;
}

void erase_debt(const GitTree& git, const std::string& tree) {
  std::error_code error;
  fs::remove(folder_of(git) + "/" + tree + ".json", error);
}

std::vector<Debt> settle_debts(const GitTree& git, Backend& backend, const std::string& fresh,
                               std::vector<std::string>& words) {
  std::vector<Debt> left;
  for (Debt& debt : read_debts(git)) {
    const auto own = GitTree::at(debt.top);
    const GitTree* tree = std::get_if<GitTree>(&own);
    const auto checks = tree ? make_revision_checks(*tree, {debt.tree, debt.head, "", "", true})
                             : std::variant<RevisionChecks, Failure>(std::get<Failure>(own));
    if (const auto* failure = std::get_if<Failure>(&checks)) {
      words.push_back("what tree " + debt.tree.substr(0, 12) + " owes cannot be checked any more: " + failure->message);
      erase_debt(git, debt.tree);
      continue;
    }
    const auto& requests = std::get<RevisionChecks>(checks).requests;
    const v1::VerdictKind known = debt.tree == fresh ? v1::VERDICT_INCONCLUSIVE : known_verdict(requests, backend);
    if (known == v1::VERDICT_CLEAR) {
      words.push_back("tree " + debt.tree.substr(0, 12) + " was let pass unjudged and is clear now");
      erase_debt(git, debt.tree);
      continue;
    }
    debt.outcome = known == v1::VERDICT_FINDINGS ? "findings" : "owed";
    record_debt(git, debt);
    if (debt.outcome == "owed") owe(requests, backend);
    left.push_back(std::move(debt));
  }
  return left;
}

}  // namespace heddle::client
