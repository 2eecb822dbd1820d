#include "server/frontend/harness/write.h"

#include <algorithm>

namespace heddle::frontend::harness {
namespace {

class Writer {
 public:
  Writer(const std::vector<Subject>& subjects, const Style& style) : subjects_(subjects), style_(style) {}

  Written write() {
    add(style_.heading);
    add(style_.include);
    const bool orders =
        style_.linearizable || style_.sequential ||
        std::any_of(subjects_.begin(), subjects_.end(), [](const Subject& subject) { return subject.may_block; });
    add(runtime_text(style_.cxx, orders));
    for (size_t n = 0; n < subjects_.size(); ++n) {
      if (!subjects_[n].problem.empty()) continue;
      for (const Driver& driver : plan(subjects_[n], style_.linearizable)) write_driver(n, driver);
    }
    write_main();
    return std::move(out_);
  }

 private:
  void add(const std::string& text) {
    out_.text += text;
    lines_ += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    if (!text.empty() && text.back() != '\n') add("\n");
  }

  void add_part(const std::string& text, size_t subject, size_t call) {
    const size_t first = lines_ + 1;
    add(text);
    out_.parts.push_back({first, lines_, subject, call});
  }

  std::string name(const std::string& of) const { return style_.cxx ? of : of + "_" + std::to_string(number_); }
  std::string scene() const { return style_.cxx ? "scene_type" : "struct scene_type_" + std::to_string(number_); }

  // With the objects and the call's number in their places.
  static std::string filled(const Subject& subject, const std::string& text, const Step& step, size_t number) {
    const auto object = [&](const char* member) {
      return subject.is_pointer ? "(*scene->" + std::string(member) + ")" : "scene->" + std::string(member);
    };
    std::string result;
    for (const char c : text) {
      if (c == kObject)
        result += object(step.other ? "other" : "subject");
      else if (c == kOther)
        result += object(step.other ? "subject" : "other");
      else if (c == kNumber)
        result += std::to_string(number);
      else
        result += c;
    }
    return result;
  }

  void write_scene(size_t index, const Driver& driver, const std::vector<Step>& steps, bool other) {
    const Subject& subject = subjects_[index];
    add(scene() + " {");
    if (subject.type.empty()) {
      if (!style_.cxx) add("  char nothing;");
    } else if (!subject.initialisers.empty()) {
      const std::string star = subject.is_pointer ? "*" : "";
      add_part("  " + subject.type + " " + star + "subject" + subject.initialisers[0] + ";", index, Part::kNoCall);
      if (other)
        add_part("  " + subject.type + " " + star + "other" + subject.initialisers[0] + ";", index, Part::kNoCall);
    }
    for (const std::string& member : subject.members) add("  " + filled(subject, member, {}, 0) + ";");
    for (size_t n = 0; n < steps.size(); ++n)
      for (const std::string& member : subject.calls[steps[n].call].texts[steps[n].variant].members)
        add_part("  " + filled(subject, member, steps[n], n + 1) + ";", index, steps[n].call);
    add("};");
    (void)driver;
  }

  void write_call(size_t index, const Step& step, size_t number) {
    const Subject& subject = subjects_[index];
    const CallText& text = subject.calls[step.call].texts[step.variant];
    std::string body = "  " + filled(subject, text.statements, step, number);
    const bool tries = style_.cxx && style_.exceptions;
    if (tries) body = "  try {\n  " + body + "\n  } catch (...) {\n    heddle_threw(result);\n  }";
    add_part("static void " + name("call_" + std::to_string(number)) + "(" + scene() +
                 "* scene, heddle_text* result) {\n  (void)scene;\n" + body + "\n  result->done = 1;\n}",
             index, step.call);
  }

  std::string thread_name(const Subject& subject, const std::vector<Step>& steps, size_t thread) const {
    std::string text = "thread_" + std::to_string(thread + 1);
    for (const Step& step : steps) text += "_" + subject.calls[step.call].label;
    return name(text);
  }

  void write_driver(size_t index, const Driver& driver) {
    const Subject& subject = subjects_[index];
    ++number_;
    std::vector<Step> steps = driver.before;
    for (const auto& thread : driver.threads) steps.insert(steps.end(), thread.begin(), thread.end());
    const bool other = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.other || subject.calls[step.call].takes_other;
    });
    std::string about = "\n// " + subject.label;
    for (size_t t = 0; t < driver.threads.size(); ++t) {
      about += (t == 0 ? ": thread " : "; thread ") + std::to_string(t + 1);
      for (const Step& step : driver.threads[t])
        about += std::string(&step == driver.threads[t].data() ? ": " : ", ") + (step.other ? "other." : "") +
                 subject.calls[step.call].texts[step.variant].shown;
    }
    add(about + ".");
    const std::string full = subject.label + "__" + driver.label;
    const std::string space = "d" + std::to_string(number_);
    if (style_.cxx) add("namespace " + space + " {");
    if (style_.cxx) out_.text += "struct ", add("scene_type;");
    write_scene_and_calls(index, driver, steps, other);
    write_threads(subject, driver);
    write_body(subject, driver, full, other);
    if (style_.cxx) add("}  // namespace");
    (subject.may_block ? apart_ : drivers_)
        .push_back((style_.cxx ? space + "::" : std::string()) + "heddle_driver_" + full);
  }

  void write_scene_and_calls(size_t index, const Driver& driver, const std::vector<Step>& steps, bool other) {
    if (style_.cxx) out_.text += "struct ";
    write_scene(index, driver, steps, other);
    for (size_t n = 0; n < steps.size(); ++n) write_call(index, steps[n], n + 1);
  }

  void write_threads(const Subject& subject, const Driver& driver) {
    size_t number = driver.before.size();
    size_t result = 0;
    const std::string count = std::to_string(driver.threads.size());
    for (size_t t = 0; t < driver.threads.size(); ++t) {
      std::string text = "static void* " + thread_name(subject, driver.threads[t], t) + "(void* given) {\n" +
                         "  heddle_run* run = (heddle_run*)given;\n";
      for (size_t n = 0; n < driver.threads[t].size(); ++n) {
        const std::string slot = std::to_string(result++);
        if (driver.compares) text += "  heddle_begin(run, " + slot + ", " + count + ");\n";
        text += "  " + name("call_" + std::to_string(++number)) + "((" + scene() + "*)run->scene, &run->results[" +
                slot + "]);\n";
        if (driver.compares) text += "  heddle_end(run, " + std::to_string(t) + ");\n";
      }
      add(text + "  return 0;\n}");
    }
  }

  // The objects, and the calls before the threads.
  std::string scene_text(const Subject& subject, const Driver& driver, bool other) const {
    std::string text = "  " + scene() + " object" + (style_.cxx ? "{}" : " = {0}") + ";\n  " + scene() +
                       "* scene = &object;\n  heddle_text ignored = {{0}, 0, 0};\n  (void)ignored;\n";
    if (!subject.make.empty()) text += "  " + subject.make + "\n";
    if (!subject.make.empty() && other) {
      std::string again = subject.make;
      for (size_t at; (at = again.find("scene->subject")) != std::string::npos;) again.replace(at, 14, "scene->other");
      text += "  " + again + "\n";
    }
    for (size_t n = 0; n < driver.before.size(); ++n)
      text += "  " + name("call_" + std::to_string(n + 1)) + "(scene, &ignored);\n";
    return text;
  }

  // Sequential runs of the same calls.
  void write_orders(const Subject& subject, const Driver& driver, bool other) {
    std::string text = "static void* " + name("alone") + "(void* given) {\n  heddle_run* run = (heddle_run*)given;\n" +
                       scene_text(subject, driver, other) + "  int n;\n  for (n = 0; n < run->length; ++n) {\n" +
                       "    switch (run->order[n]) {\n";
    std::string shown, counts, firsts;
    size_t slot = 0;
    for (const auto& thread : driver.threads) {
      counts += (counts.empty() ? "" : ", ") + std::to_string(thread.size());
      firsts += (firsts.empty() ? "" : ", ") + std::to_string(slot);
      for (const Step& step : thread) {
        const std::string number = std::to_string(driver.before.size() + slot + 1);
        text += "      case " + std::to_string(slot) + ": " + name("call_" + number) + "(scene, &run->results[" +
                std::to_string(slot) + "]); break;\n";
        shown += (shown.empty() ? "" : ", ") +
                 quoted((step.other ? "other." : "") + subject.calls[step.call].texts[step.variant].shown);
        ++slot;
      }
    }
    text += "    }\n  }\n  return 0;\n}\n";
    text += "static void " + name("in_order") + "(heddle_run* run, const int* order, int length) {\n" +
            "  pthread_t thread;\n  run->order = order;\n  run->length = length;\n  pthread_create(&thread, 0, " +
            name("alone") + ", run);\n" +
            (subject.may_block ? "  __heddle_settle(-1);\n" : "  pthread_join(thread, 0);\n") + "}\n";
    text += "static const char* const " + name("shown") + "[] = {" + shown + "};\n";
    text += "static const heddle_plan " + name("plan") + " = {" + std::to_string(driver.threads.size()) + ", {" +
            counts + "}, {" + firsts + "}, " + name("in_order") + ", " + name("shown") + ", " +
            (driver.compares ? "1" : "0") + "};";
    add(text);
  }

  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return result + "\"";
  }

  void write_body(const Subject& subject, const Driver& driver, const std::string& full, bool other) {
    const bool orders = subject.may_block || driver.compares || style_.sequential;
    if (orders) write_orders(subject, driver, other);
    const std::string begin = std::string(style_.cxx ? "extern \"C\" void" : "void") + " heddle_driver_" + full;
    if (style_.sequential) return add(begin + "(void) { heddle_every_order(&" + name("plan") + "); }");
    std::string text = begin + "(void) {\n";
    text += scene_text(subject, driver, other) + "  heddle_run run = {0};\n  run.scene = scene;\n";
    const size_t count = driver.threads.size();
    text += "  pthread_t threads[" + std::to_string(count) + "];\n";
    for (size_t t = 0; t < count; ++t)
      text += "  pthread_create(&threads[" + std::to_string(t) + "], 0, " + thread_name(subject, driver.threads[t], t) +
              ", &run);\n";
    if (subject.may_block)
      text += "#ifdef __HEDDLE__\n  heddle_judge(&" + name("plan") + ", &run, __heddle_settle(-1));\n#endif\n";
    for (size_t t = 0; t < count; ++t) text += "  pthread_join(threads[" + std::to_string(t) + "], 0);\n";
    if (driver.compares)
      text += std::string(subject.may_block ? "#ifndef __HEDDLE__\n" : "") + "  heddle_judge(&" + name("plan") +
              ", &run, 0);\n" + (subject.may_block ? "#endif\n" : "");
    add(text + "}");
  }

  // Heddle runs one driver at a time; compiled natively, the program runs all of them many times.
  void write_main() {
    // As the text of a test framework declares it, which the project's own may include.
    std::string text =
        "\n#ifdef __HEDDLE__\nvoid heddle_run_case(void) __asm__(\"heddle.run_case\");\nint main() {\n"
        "  heddle_run_case();\n  return 0;\n}\n";
    text += "#else\nint main() {\n  int round;\n  for (round = 0; round < 1000; ++round) {\n";
    for (const std::string& driver : drivers_) text += "    " + driver + "();\n";
    text += "  }\n";
    for (const std::string& driver : apart_) text += "  heddle_apart(" + driver + ");\n";
    add(text + "  return 0;\n}\n#endif");
  }

  const std::vector<Subject>& subjects_;
  const Style& style_;
  Written out_;
  size_t lines_ = 0, number_ = 0;
  std::vector<std::string> drivers_, apart_;  // those that may wait for ever
};

}  // namespace

Written write(const std::vector<Subject>& subjects, const Style& style) { return Writer(subjects, style).write(); }

}  // namespace heddle::frontend::harness
