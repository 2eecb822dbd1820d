#include "client/report/pairs_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "client/report/numbers.h"
#include "client/story/words.h"

namespace heddle::client {
namespace {

constexpr int kFragmentsMax = 8, kReasonsMax = 200;
constexpr size_t kFunctionsMax = 4;

std::string pair_name(const v1::Pair& pair, const Style& style) {
  return pair.modified() + (style.unicode ? " × " : " x ") + pair.other();
}

// `kind`: what was said of it already.
std::string fragment_text(const v1::Fragment& fragment, const Style& style, const std::string& kind = "") {
  // Most descriptions begin with the kind.
  const std::string& description = fragment.description();
  const bool said = description.starts_with(fragment.kind()) || description.starts_with("affected: ");
  std::string text = said || !kind.empty() ? "" : fragment.kind();
  const std::string rest =
      !kind.empty() && description.starts_with(kind + ": ") ? description.substr(kind.size() + 2) : description;
  if (!rest.empty()) text += (text.empty() ? "" : " ") + rest;
  if (!fragment.function().empty() && text.find(fragment.function()) == text.npos) {
    text += " in " + called(fragment.function());
  }
  if (!fragment.file().empty()) {
    text += ", " + place_prefix(style, fragment.file(), fragment.begin_line(), fragment.begin_column());
    if (fragment.end_line() > fragment.begin_line()) text += " to line " + std::to_string(fragment.end_line());
  }
  return text;
}

template <typename List>
std::string list_line(const char* label, const List& list, const Style& style) {
  if (list.empty()) return "";
  std::string text;
  for (const std::string& entry : list) text += (text.empty() ? "" : ", ") + entry;
  return "  " + style.paint(Ink::Dim, std::string(label) + ":") + " " + text + "\n";
}

std::string pair_text(const v1::Pair& pair, const Style& style) {
  const Ink ink = pair.state() == "findings"                            ? Ink::Red
                  : pair.state() == "clear" || pair.state() == "reused" ? Ink::Green
                  : pair.state() == "inconclusive"                      ? Ink::Yellow
                                                                        : Ink::Dim;
  const std::string state = pair.state().empty() ? (pair.chosen() ? "chosen" : "skipped") : pair.state();
  return "    " + style.paint(ink, state) + "  " + pair_name(pair, style) +
         (pair.reason().empty() ? "" : ": " + pair.reason()) + "\n";
}

}  // namespace

std::string place_prefix(const Style& style, const std::string& file, uint32_t line, uint32_t column) {
  if (file.empty()) return "heddle";
  std::string text = style.path(file);
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

bool lies_at(const v1::Fragment& fragment, const std::string& place) {
  if (place.empty()) return true;
  std::string file = place;
  uint32_t line = 0;
  if (const size_t colon = place.rfind(':'); colon != place.npos && colon + 1 < place.size() &&
                                             place.find_first_not_of("0123456789", colon + 1) == place.npos) {
    file = place.substr(0, colon);
    if (std::from_chars(place.data() + colon + 1, place.data() + place.size(), line).ec != std::errc())
      return false;  // no file has that many lines
  }
  if (fragment.file() != file && !fragment.file().ends_with("/" + file)) return false;
  return line == 0 || (fragment.begin_line() <= line && line <= std::max(fragment.end_line(), fragment.begin_line()));
}

namespace {

bool is_affected(const v1::Fragment& fragment) { return fragment.description().starts_with("affected: "); }

// What was edited, and below it in one line which functions an edit elsewhere affects.
std::string fragments_text(const v1::Diffed& diffed, const std::string& subject, const Style& style) {
  std::string text;
  int edited = 0, affected = 0;
  std::vector<std::string> functions;
  for (const v1::Fragment& fragment : diffed.fragments()) {
    if (is_affected(fragment)) {
      ++affected;
      const std::string name = fragment.function().empty() ? "" : called(fragment.function());
      if (!name.empty() && std::find(functions.begin(), functions.end(), name) == functions.end())
        functions.push_back(name);
    } else if (edited++ < kFragmentsMax) {
      const std::string kind = fragment.kind().empty() ? "changed" : fragment.kind();
      text += style.paint(Ink::Dim, kind + subject + ":") + " " + fragment_text(fragment, style, kind) + "\n";
    }
  }
  if (edited > kFragmentsMax)
    text += style.paint(Ink::Dim, "changed" + subject + ":") + " and " + std::to_string(edited - kFragmentsMax) +
            " more (see `heddle pairs`)\n";
  if (affected == 0) return text;
  std::string list;
  for (size_t i = 0; i < functions.size() && i < kFunctionsMax; ++i) list += (i == 0 ? " in " : ", ") + functions[i];
  if (functions.size() > kFunctionsMax) list += " and " + std::to_string(functions.size() - kFunctionsMax) + " more";
  return text + style.paint(Ink::Dim, "affected" + subject + ":") + " " +
         counted(static_cast<uint64_t>(affected), "place") + list + " (see `heddle pairs`)\n";
}

// As many as a line holds, at least one; the rest is counted.
std::string names_in_a_line(const std::vector<std::string>& names, const std::string& subject) {
  constexpr size_t kColumnsMost = 100, kOfLabel = 7, kOfCount = 14;  // "pairs: ", " and 1000 more"
  std::string list;
  size_t shown = 0;
  for (; shown < names.size(); ++shown) {
    const std::string more = (shown == 0 ? " " : ", ") + names[shown];
    const size_t count = shown + 1 < names.size() ? kOfCount : 0;
    if (shown > 0 && kOfLabel + subject.size() + display_width(list + more) + count > kColumnsMost) break;
    list += more;
  }
  return shown < names.size() ? list + " and " + std::to_string(names.size() - shown) + " more" : list;
}

}  // namespace

std::string diffed_text(const v1::Diffed& diffed, const std::string& target, const Style& style) {
  const std::string subject = target.empty() ? "" : " (" + style.path(target) + ")";
  std::string text;
  if (diffed.everything()) {
    constexpr std::string_view kSaidAlready = ": everything is new";
    std::string why = diffed.widened().empty() ? "" : diffed.widened(0);
    if (why.ends_with(kSaidAlready)) why.resize(why.size() - kSaidAlready.size());
    text += style.paint(Ink::Dim, "changed" + subject + ":") + " everything" + (why.empty() ? "" : ": " + why) + "\n";
  } else {
    text += fragments_text(diffed, subject, style);
  }
  std::vector<std::string> names;
  for (const v1::Pair& pair : diffed.pairs()) {
    const std::string name = pair_name(pair, style);
    if (pair.chosen() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!names.empty()) text += style.paint(Ink::Dim, "pairs" + subject + ":") + names_in_a_line(names, subject) + "\n";
  return text;
}

std::string pairs_text(const v1::Diffed& diffed, const std::string& place, const Style& style) {
  std::string text;
  if (diffed.everything()) text += "  everything counts as changed\n";
  for (const std::string& rule : diffed.widened()) text += "  widened: " + rule + "\n";
  int shown = 0, reasons = 0;
  for (int i = 0; i < diffed.fragments_size(); ++i) {
    if (!lies_at(diffed.fragments(i), place)) continue;
    ++shown;
    text += "  " + style.paint(Ink::Bold, "fragment " + std::to_string(i + 1) + ":") + " " +
            fragment_text(diffed.fragments(i), style) + "\n";
    for (const v1::Pair& pair : diffed.pairs()) {
      if (pair.fragment() == static_cast<uint32_t>(i) && reasons++ < kReasonsMax) text += pair_text(pair, style);
    }
  }
  if (place.empty()) {
    for (const v1::Pair& pair : diffed.pairs()) {
      if (pair.fragment() >= static_cast<uint32_t>(diffed.fragments_size()) && reasons++ < kReasonsMax) {
        text += pair_text(pair, style);
      }
    }
  }
  if (reasons > kReasonsMax) text += "    and " + std::to_string(reasons - kReasonsMax) + " more pairs\n";
  if (shown == 0 && place.empty() && !diffed.everything() && diffed.pairs().empty()) {
    text += "  nothing that threads share has changed: no pair was chosen\n";
  }
  text += list_line("relevant objects", diffed.relevant_objects(), style);
  text += list_line("roles that run changed code", diffed.roles(), style);
  text += list_line("all roles", diffed.roles_all(), style);
  for (const std::string& note : diffed.unchanged()) text += "  unchanged: " + note + "\n";
  return text;
}

}  // namespace heddle::client
