#include "server/engine/target/guilty_edit.h"

#include <algorithm>

namespace heddle::engine {
namespace {

bool covers(const v1::Fragment& fragment, const v1::Place& place) {
  const uint32_t end = std::max(fragment.begin_line(), fragment.end_line());
  return fragment.file() == place.file() && fragment.begin_line() <= place.line() && place.line() <= end;
}

// 0: the finding does not run through it.
int nearness(const v1::Fragment& fragment, const v1::Finding& finding) {
  const auto in_function = [&](const v1::Place& place) {
    return !fragment.function().empty() && place.function() == fragment.function();
  };
  int most = 0;
  for (const v1::Place& place : finding.places())
    most = std::max(most, covers(fragment, place) ? 8 : in_function(place) ? 6 : 0);
  for (const v1::TraceStep& step : finding.trace()) {
    if (most >= 4) break;
    most = std::max(most, covers(fragment, step.place()) ? 4 : in_function(step.place()) ? 2 : 0);
  }
  return most == 0 ? 0 : most + (fragment.kind() == "deleted" ? 1 : 0);
}

// The statements of "deleted: lock of m, unlock of m and 3 more". Commas may be inside of <...> and (...).
struct Statements {
  std::vector<std::string> named;
  std::string rest;  // " and 3 more"

  explicit Statements(const v1::Fragment& fragment) : named(1) {
    std::string text = fragment.description();
    const std::string kind = fragment.kind() + ": ";
    if (text.starts_with(kind)) text.erase(0, kind.size());
    if (const size_t more = text.rfind(" and "); text.ends_with(" more") && more != text.npos) {
      rest = text.substr(more);
      text.resize(more);
    }
    int depth = 0;
    for (size_t n = 0; n < text.size(); ++n) {
      if (text[n] == '<' || text[n] == '(') ++depth;
      if (text[n] == '>' || text[n] == ')') --depth;
      if (text[n] != ',' || depth > 0) {
        named.back() += text[n];
        continue;
      }
      named.emplace_back();
      if (n + 1 < text.size() && text[n + 1] == ' ') ++n;
    }
  }
  std::string text() const {
    std::string out;
    for (const std::string& statement : named) out += (out.empty() ? "" : ", ") + statement;
    return out + rest;
  }
};

// What a function lost in one place and has in another one now is still there: it was changed.
void take_out_common(v1::Fragment& deleted, v1::Fragment& inserted) {
  Statements before(deleted), after(inserted);
  const std::vector<std::string> all = before.named;
  const auto in = [](const std::vector<std::string>& names) {
    return [&names](const std::string& name) {
      return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
    };
  };
  std::erase_if(before.named, in(after.named));
  if (before.named.size() == all.size()) return;
  deleted.set_description("deleted: " + before.text());
  if (before.named.empty()) deleted.clear_kind();
  std::erase_if(after.named, in(all));
  if (after.named.empty()) {
    inserted.set_description("changed: " + Statements(inserted).text());
    inserted.set_kind("changed");
  } else {
    inserted.set_description("inserted: " + after.text());
  }
}

// Without deletions of what is still there.
std::vector<v1::Fragment> fragments_of(const v1::Diffed& diffed) {
  std::vector<v1::Fragment> all(diffed.fragments().begin(), diffed.fragments().end());
  for (v1::Fragment& deleted : all)
    for (v1::Fragment& inserted : all)
      if (deleted.kind() == "deleted" && inserted.kind() == "inserted" && deleted.function() == inserted.function() &&
          deleted.file() == inserted.file())
        take_out_common(deleted, inserted);
  std::erase_if(all, [](const v1::Fragment& fragment) { return fragment.kind().empty(); });
  return all;
}

bool takes_lock(const std::string& statement) {
  if (statement.starts_with("unlock") || statement.find('~') != statement.npos) return false;
  return statement.find("lock") != statement.npos && statement.find("unlock") == statement.npos;
}

}  // namespace

std::vector<v1::Fragment> guilty_edit(const v1::Diffed& diffed, const v1::Finding& finding) {
  const std::vector<v1::Fragment> fragments = fragments_of(diffed);
  std::vector<std::pair<int, const v1::Fragment*>> near;
  for (const v1::Fragment& fragment : fragments)
    if (const int how = nearness(fragment, finding); how > 0) near.emplace_back(how, &fragment);
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<v1::Fragment> guilty;
  for (size_t n = 0; n < near.size() && n < kGuiltyMost; ++n) guilty.push_back(*near[n].second);
  return guilty;
}

bool is_undone(const v1::Fragment& fragment, const v1::Diffed& later) {
  const bool deleted = fragment.kind() == "deleted", inserted = fragment.kind() == "inserted";
  const std::string named = Statements(fragment).named.front();
  return std::any_of(later.fragments().begin(), later.fragments().end(), [&](const v1::Fragment& other) {
    if (other.function() != fragment.function() || other.file() != fragment.file()) return false;
    if (deleted && other.kind() != "inserted") return false;
    if (inserted && other.kind() != "deleted") return false;
    const std::vector<std::string> statements = Statements(other).named;
    return std::any_of(statements.begin(), statements.end(), [&](const std::string& statement) {
      return statement == named || (deleted && takes_lock(named) && takes_lock(statement));
    });
  });
}

}  // namespace heddle::engine
