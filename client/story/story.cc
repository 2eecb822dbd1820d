#include "client/story/story.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "client/story/causes.h"
#include "client/story/words.h"

namespace heddle::client {
namespace {

bool says(const v1::Place& place, std::string_view verb) { return place.role().starts_with(verb); }

bool waits(const v1::Place& place) {
  return says(place, "waits") || says(place, "spins") || says(place, "sleeps") || says(place, "loops");
}

// "reads 'x' in std::vector<...>::size (stl_vector.h:3)": what it does without the library's part.
std::string role_of(const v1::Place& place) {
  const std::string& role = place.role();
  const size_t last = role.rfind(" in ");
  const bool of_library = last != role.npos && (role.ends_with(")") || role.substr(last).starts_with(" in std::"));
  const size_t inside = of_library ? last : role.npos;
  return inside == role.npos ? role : role.substr(0, inside);
}

// "reads 'x'": "reads".
std::string verb_of(const v1::Place& place) {
  const std::string role = role_of(place);
  return role.substr(0, role.find(" '"));
}

// "reads atomically" of "`x`": "reads `x` atomically".
std::string with_object(const std::string& verb, const std::string& object) {
  constexpr std::string_view kHow = " atomically";
  if (!verb.ends_with(kHow)) return verb + " " + object;
  return verb.substr(0, verb.size() - kHow.size()) + " " + object + std::string(kHow);
}

// "reads 'x'": "x".
std::string object_of(const v1::Place& place) {
  const std::string role = role_of(place);
  const size_t begin = role.find('\''), end = role.rfind('\'');
  return begin == role.npos || end == begin ? "" : role.substr(begin + 1, end - begin - 1);
}

// "waits at a.c:3 for mutex `m`"; after other words the place follows.
std::string role_at_place(const v1::Place& place) {
  constexpr std::string_view kWaits = "waits ";
  const std::string role = with_backticks(role_of(place));
  if (role.starts_with(kWaits)) return "waits at " + where(place) + " " + role.substr(kWaits.size());
  return role + " (" + where(place) + ")";
}

std::string inside_sentence(const std::string& thread) { return thread == "main" ? "the main thread" : thread; }

class StoryText {
 public:
  explicit StoryText(const v1::Finding& finding) : finding_(finding) {}

  std::vector<std::string> lines() const {
    if (finding_.places().empty()) return {};
    std::vector<std::string> lines = finding_.rule() == "data-race" && finding_.places_size() > 1 ? race()
                                     : finding_.rule() == "lost-signal"                           ? lost_signal()
                                     : waits(finding_.places(0))                                  ? stuck()
                                     : finding_.only_under().empty()                              ? failure()
                                                                                                  : weak_failure();
    if (!finding_.edit().empty()) lines.back() += "; " + edit_words(finding_.edit(0), is_new());
    for (std::string& line : lines) line += ".";
    return lines;
  }

 private:
  bool is_new() const {
    return finding_.state() == v1::FINDING_NEW || finding_.state() == v1::FINDING_CHANGED || finding_.edited_now();
  }

  // The last decisive step at the place; null if the interleaving shows none.
  const v1::TraceStep* step_at(const v1::Place& place) const {
    for (int n = finding_.trace_size(); n-- > 0;) {
      const v1::TraceStep& step = finding_.trace(n);
      const v1::Place& at = step.place();
      if (step.decisive() && step.thread() == place.thread() && at.line() == place.line() &&
          at.column() == place.column() && at.file() == place.file())
        return &step;
    }
    return nullptr;
  }

  static std::vector<std::string> locks_of(const v1::TraceStep& step) {
    return {step.locks_held().begin(), step.locks_held().end()};
  }

  std::vector<std::string> race() const {
    const v1::Place &here = finding_.places(0), &there = finding_.places(1);
    const v1::TraceStep *one = step_at(here), *two = step_at(there);
    const auto line = [&](const v1::Place& place, const v1::TraceStep* step, const std::string& object) {
      return sentence_begin(place.thread()) + " " + with_object(verb_of(place), object) + " at " + where(place) +
             (step ? holding(locks_of(*step)) : "");
    };
    const std::string object = "`" + object_of(here) + "`";
    return {line(here, one, object),
            line(there, two, object_of(there) == object_of(here) ? "it" : "`" + object_of(there) + "`"),
            "Nothing orders the two" + (one && two ? why_unordered(here, *one, there, *two) : "")};
  }

  static std::string why_unordered(const v1::Place& here, const v1::TraceStep& one, const v1::Place& there,
                                   const v1::TraceStep& two) {
    const std::vector<std::string> a = locks_of(one), b = locks_of(two);
    const bool atomic =
        verb_of(here).find("atomically") != std::string::npos || verb_of(there).find("atomically") != std::string::npos;
    if (atomic) return ": only one of them is atomic";
    if (a.empty() && b.empty()) return ": neither thread holds a lock";
    if (a.empty() || b.empty())
      return ": " + inside_sentence((a.empty() ? one : two).thread()) + " does not take " + list_of(a.empty() ? b : a);
    const auto common = std::find_first_of(a.begin(), a.end(), b.begin(), b.end());
    if (common != a.end()) return ": both hold `" + *common + "`, which does not exclude them";
    return ": they hold different locks";
  }

  // What each blocked thread has, and what it waits for. Those that wait for a lock are the cause.
  std::vector<std::string> stuck() const {
    std::vector<const v1::Place*> waiting = waiters("held by"), itself = waiters("itself");
    const bool of_itself = waiting.empty() && !itself.empty();
    const bool cycle = waiting.size() > 1;
    if (waiting.size() < 2)
      for (const v1::Place* place : waiters(""))
        if (std::find(waiting.begin(), waiting.end(), place) == waiting.end()) waiting.push_back(place);
    if (of_itself) waiting = itself;
    std::vector<std::string> lines;
    for (const v1::Place* place : waiting) {
      const std::string does = taken_text(*place) + role_at_place(*place);
      if (lines.size() < 2)
        lines.push_back(sentence_begin(place->thread()) + does);
      else
        lines.back() += "; " + inside_sentence(place->thread()) + does;
    }
    lines.push_back(of_itself                       ? "No other thread can release what it waits for"
                    : finding_.rule() == "livelock" ? "Nothing that any thread can still do ends this"
                    : cycle                         ? "Each waits for what another one holds, so none can continue"
                                                    : "No thread that is left can end this wait");
    return lines;
  }

  std::vector<const v1::Place*> waiters(std::string_view what) const {
    std::vector<const v1::Place*> found;
    for (const v1::Place& place : finding_.places())
      if (waits(place) && place.role().find(what) != std::string::npos) found.push_back(&place);
    return found;
  }

  // " took `a` at a.c:3 and ": what it has while it waits.
  std::string taken_text(const v1::Place& waiting) const {
    std::string text;
    for (const v1::Place& place : finding_.places())
      if (place.thread() == waiting.thread() && says(place, "took"))
        text += (text.empty() ? " took " : " and ") + ("`" + object_of(place) + "`") + " at " + where(place);
    return text.empty() ? " " : text + " and ";
  }

  std::vector<std::string> lost_signal() const {
    const v1::Place& victim = finding_.places(0);
    std::vector<std::string> lines = {sentence_begin(victim.thread()) + " " + role_at_place(victim)};
    const size_t reason = finding_.message().rfind(": ");
    std::string why = reason == std::string::npos ? "" : with_backticks(finding_.message().substr(reason + 2));
    const bool none_again = why.starts_with("no thread signals it again");
    if (none_again) why.clear();
    for (const v1::Place& place : finding_.places())
      if (says(place, "signals")) {
        lines.push_back(sentence_begin(place.thread()) + " " + with_backticks(role_of(place)) + " at " + where(place) +
                        (why.empty() ? "" : ": " + why));
        why.clear();
        break;
      }
    lines.push_back(none_again    ? "No thread signals it again"
                    : why.empty() ? "No thread that is left signals it"
                                  : "No thread that is left wakes it: " + why);
    return lines;
  }

  // A failure of one thread, and what another one did that led to it.
  std::vector<std::string> failure() const {
    const v1::Place& place = finding_.places(0);
    const v1::TraceStep* end = step_at(place);
    std::string line = sentence_begin(place.thread()) + " comes to " + where(place);
    if (end && !end->locks_held().empty()) line += holding(locks_of(*end));
    std::vector<std::string> lines = {line + ": " + with_backticks(finding_.message())};
    if (finding_.rule() == "exit-code-differs") lines = both_ends();
    if (finding_.rule() == "not-linearizable") lines = results(lines);
    // What a check of the library finds, a call changed, and no statement of the project.
    const bool by_calls = finding_.rule() == "not-linearizable" || finding_.message().starts_with("'std::");
    const int cause = by_calls ? -1 : cause_of(place);
    if (lines.size() == 1 && finding_.places_size() > 1 && finding_.places(1).thread() != place.thread() &&
        !role_of(finding_.places(1)).empty()) {
      const v1::Place& other = finding_.places(1);
      std::string role = role_of(other);
      if (role == "created here") role = "created that thread";
      if (role.ends_with(" here")) role.resize(role.size() - 5);  // "freed it here"
      lines.push_back(sentence_begin(other.thread()) + " " + with_backticks(role) + " at " + where(other));
    } else if (cause >= 0) {
      lines.push_back("Before that, " + cause_text(cause));
    }
    if (const int change = lines.size() == 2 && cause < 0 && end ? change_by_a_call(finding_, number_of(*end)) : -1;
        change >= 0)
      lines.push_back("Before that, " + call_text(finding_.trace(change)));
    const std::string signal = end ? interruption_of(end->thread_number()) : "";
    const std::string needed = !signal.empty()                   ? "Before that, " + signal
                               : finding_.without_interleaving() ? "No thread has to be interrupted for it"
                                                                 : between(place, cause);
    if (!needed.empty() && lines.size() < 3) lines.push_back(needed);
    return lines;
  }

  // "SIGUSR1 interrupts worker 1 at line 7 and runs handler", the last one; empty: no signal does.
  std::string interruption_of(uint32_t thread) const {
    for (int n = finding_.trace_size(); n-- > 0;) {
      const v1::TraceStep& step = finding_.trace(n);
      if (step.kind() == "signal" && step.thread_number() == thread &&
          step.action().find(" interrupts ") != std::string::npos)
        return step.action();
    }
    return {};
  }

  // "worker 1 set `total` to 1 at a.c:13 holding `m`": and what that did to the work of another thread.
  std::string cause_text(int cause) const {
    const v1::TraceStep& step = finding_.trace(cause);
    const std::string& value = step.value_written();
    std::string text = inside_sentence(step.thread()) + (value.empty() ? " wrote `" : " set `") + step.object() +
                       (value.empty() ? "`" : "` to " + value) + " at " + where(step.place()) +
                       (is_atomic_call(step) ? "" : holding(locks_of(step)));
    if (const auto lost = lost_update(finding_, cause)) text += lost_text(*lost);
    return text;
  }

  int number_of(const v1::TraceStep& step) const {
    int n = 0;
    while (&finding_.trace(n) != &step) ++n;
    return n;
  }

  // "worker 2 called `std::vector<int>::pop_back` at a.cc:11 holding `m`".
  static std::string call_text(const v1::TraceStep& step) {
    return inside_sentence(step.thread()) + " called `" + step.library() + "` at " + where(step.place()) +
           holding(locks_of(step));
  }

  std::string lost_text(const LostUpdate& update) const {
    const v1::TraceStep &read = finding_.trace(update.read), &lost = finding_.trace(update.lost);
    const std::string set = lost.value_written().empty() ? "written it" : "set it to " + lost.value_written();
    const std::string what = read.value_read().empty() ? "what" : "the " + read.value_read() + " that";
    return ", from " + what + " it had read at " + where(read.place()) + "; " + inside_sentence(lost.thread()) +
           " had " + set + " in between, at " + where(lost.place()) + ": that update is lost";
  }

  // Of concurrent calls whose results no order explains: "Thread 1: take() gives 0; thread 2: take() gives 0".
  std::vector<std::string> results(const std::vector<std::string>& otherwise) const {
    constexpr std::string_view kResults = "explains their results: ", kOrder = "; in the order ";
    const std::string& text = finding_.message();
    const size_t begin = text.find(kResults);
    if (begin == text.npos) return otherwise;
    const size_t end = text.find(kOrder, begin), from = begin + kResults.size();
    std::string given = text.substr(from, end == text.npos ? end : end - from);
    if (given.empty()) return otherwise;
    given[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(given[0])));
    std::vector<std::string> lines = {given};
    std::string order = end == text.npos ? "" : text.substr(end + 2);
    order.resize(std::min(order.size(), order.find(kOrder)));
    lines.push_back("One after the other, the calls never give that" + (order.empty() ? "" : ": " + order));
    for (int n = end_of_concurrent_calls(finding_); n-- > 0;) {
      if (!lost_update(finding_, n)) continue;
      const std::string cause = cause_text(n);
      lines.push_back(sentence_begin(finding_.trace(n).thread()) +
                      cause.substr(inside_sentence(finding_.trace(n).thread()).size()));
      break;
    }
    return lines;
  }

  // A failure that no sequentially consistent execution shows: the read that finds an older value leads to it.
  std::vector<std::string> weak_failure() const {
    const v1::Place& place = finding_.places(0);
    std::vector<std::string> lines = {sentence_begin(place.thread()) + " comes to " + where(place) + ": " +
                                      with_backticks(headline_without_model())};
    for (int n = finding_.trace_size(); n-- > 0;) {
      if (!finds_older_value(finding_.trace(n))) continue;
      lines.push_back(older_value_words(n));
      break;
    }
    lines.push_back("Sequential consistency does not allow that, " + model_name() + " does" + remedy_words());
    return lines;
  }

  std::string model_name() const {
    std::string name = finding_.only_under();
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
  }

  // "only under RC11: assertion 'a' failed (`x` at line 7 is read relaxed); ...": "assertion 'a' failed".
  std::string headline_without_model() const {
    std::string text = finding_.message();
    const std::string model = "only under " + model_name() + ": ";
    if (text.starts_with(model)) text.erase(0, model.size());
    for (const char* remedy : {"; the weakest orders that forbid it: ", "; forbidden by: ",
                               "; no stronger order in this interleaving forbids it"})
      if (finding_.has_remedy()) text.resize(std::min(text.size(), text.rfind(remedy)));
    const size_t read = text.rfind(" (`");
    if (text.ends_with(')') && read != text.npos && text.find("` at line ", read) != text.npos) text.resize(read);
    return text;
  }

  // "Worker 2 reads `x` at a.c:7 and finds its first value, 0, not the 1 that worker 1 stored at a.c:6".
  std::string older_value_words(int n) const {
    const v1::TraceStep& read = finding_.trace(n);
    const std::string found = read.value_read().empty() ? "an older value" : read.value_read();
    std::string text =
        sentence_begin(read.thread()) + " reads `" + read.object() + "` at " + where(read.place()) + " and finds ";
    const bool first = read.action().find(", its first value,") != std::string::npos;
    text += first ? "its first value" + (read.value_read().empty() ? "" : ", " + read.value_read())
                  : found + origins_in(read.action());
    const int last = last_write_before(finding_, n);
    if (last < 0) return text + ", not the value stored last";
    const v1::TraceStep& write = finding_.trace(last);
    return text + ", not the " + (write.value_written().empty() ? "value" : write.value_written()) + " that " +
           inside_sentence(write.thread()) + " stored at " + where(write.place());
  }

  // "read x = 1, stored at a.c:6 or a.c:8, not the value stored last": ", stored at a.c:6 or a.c:8".
  static std::string origins_in(const std::string& action) {
    const size_t end = action.rfind(", "),
                 begin = std::min(action.find(", stored at "), action.find(", its first value or "));
    return begin >= end ? "" : action.substr(begin, end - begin);
  }

  // "; the weakest orders that forbid it: store at a.c:6 release".
  std::string remedy_words() const {
    if (!finding_.has_remedy()) return "";
    if (finding_.remedy().changes().empty()) return "; no stronger order in this interleaving forbids it";
    std::string text;
    for (const v1::OrderChange& change : finding_.remedy().changes())
      text += (text.empty() ? "" : ", ") + change.operation() + " at " + where(change.place()) + " " + change.to();
    return (finding_.remedy().weakest() ? "; the weakest orders that forbid it: " : "; forbidden by: ") + text;
  }

  // The process fails in this interleaving and succeeds in another one.
  std::vector<std::string> both_ends() const {
    constexpr std::string_view kElsewhere = " in another interleaving";
    const v1::Place& fails = finding_.places(0);
    std::vector<std::string> lines = {sentence_begin(fails.thread()) + " " + role_of(fails) + " at " + where(fails)};
    if (finding_.places_size() < 2) return lines;
    const v1::Place& succeeds = finding_.places(1);
    std::string role = role_of(succeeds);
    if (role.ends_with(kElsewhere)) role.resize(role.size() - kElsewhere.size());
    lines.push_back("In another interleaving, with the same inputs, " + inside_sentence(succeeds.thread()) + " " +
                    role + " at " + where(succeeds));
    return lines;
  }

  // The last write of another thread to what the failing thread read last, or to what the message names. -1: none.
  int cause_of(const v1::Place& place) const {
    constexpr int kReadsMost = 6;
    std::set<std::string> read;
    for (int n = finding_.trace_size(), reads = 0; n-- > 0;) {
      const v1::TraceStep& step = finding_.trace(n);
      const bool own = step.thread() == place.thread();
      if (own && reads < kReadsMost && step.kind() == "read" && is_own_access(step)) {
        read.insert(step.object());
        ++reads;
      }
      const bool writes = (step.kind() == "write" || step.kind() == "update") && !is_capture(step);
      if (!own && writes && (read.count(step.object()) > 0 || is_named(step.object()))) return n;
    }
    return -1;
  }

  // Does the message have this word?
  bool is_named(const std::string& object) const {
    const std::string& text = finding_.message();
    const auto is_word = [&](size_t n) {
      return n < text.size() && (std::isalnum(static_cast<unsigned char>(text[n])) || text[n] == '_');
    };
    for (size_t at = text.find(object); at != text.npos && !object.empty(); at = text.find(object, at + 1))
      if ((at == 0 || !is_word(at - 1)) && !is_word(at + object.size())) return true;
    return false;
  }

  // "It happens when worker 1 runs between the steps of worker 2 at a.c:3 and a.c:5".
  std::string between(const v1::Place& place, int cause) const {
    int last = -1, next = -1;
    std::string other = cause >= 0 ? finding_.trace(cause).thread() : "";
    for (int n = 0; n < finding_.trace_size(); ++n) {
      const bool own = finding_.trace(n).thread() == place.thread();
      if (own && (cause < 0 || n < cause)) last = n;
      if (own && cause >= 0 && n > cause && next < 0) next = n;
    }
    const std::string thread = inside_sentence(place.thread()), between = inside_sentence(other);
    const bool joins = next >= 0 && finding_.trace(next).kind() == "join";  // it waits for the other one anyway
    if (last >= 0 && next >= 0 && !joins) {
      const std::string from = where(finding_.trace(last).place()), to = where(finding_.trace(next).place());
      if (from == to) return "It happens when " + between + " runs while " + thread + " is at " + from;
      return "It happens when " + between + " runs between the steps of " + thread + " at " + from + " and " + to;
    }
    if (cause >= 0 && !joins) return "It happens when " + between + " is there first";
    return "";
  }

  const v1::Finding& finding_;
};

}  // namespace

std::vector<std::string> story_of(const v1::Finding& finding) { return StoryText(finding).lines(); }

}  // namespace heddle::client
