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
    add(runtime_text(style_.cxx));
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
      if (other) add_part("  " + subject.type + " " + star + "other" + subject.initialisers[0] + ";", index, Part::kNoCall);
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
    drivers_.push_back((style_.cxx ? space + "::" : std::string()) + "heddle_driver_" + full);
  }

  void write_scene_and_calls(size_t index, const Driver& driver, const std::vector<Step>& steps, bool other) {
    if (style_.cxx) out_.text += "struct ";
    write_scene(index, driver, steps, other);
    for (size_t n = 0; n < steps.size(); ++n) write_call(index, steps[n], n + 1);
  }

  void write_threads(const Subject& subject, const Driver& driver) {
    size_t number = driver.before.size();
    size_t result = 0;
    for (size_t t = 0; t < driver.threads.size(); ++t) {
      std::string text = "static void* " + thread_name(subject, driver.threads[t], t) + "(void* given) {\n" +
                         "  heddle_run* run = (heddle_run*)given;\n";
      for (size_t n = 0; n < driver.threads[t].size(); ++n)
        text += "  " + name("call_" + std::to_string(++number)) + "((" + scene() + "*)run->scene, &run->results[" +
                std::to_string(result++) + "]);\n";
      add(text + "  return 0;\n}");
    }
  }

  // The scene, its calls before the threads, the threads.
  void write_body(const Subject& subject, const Driver& driver, const std::string& full, bool other) {
    std::string text = std::string(style_.cxx ? "extern \"C\" void" : "void") + " heddle_driver_" + full + "(void) {\n";
    text += "  " + scene() + " object" + (style_.cxx ? "{}" : " = {0}") + ";\n  " + scene() + "* scene = &object;\n";
    text += "  heddle_run run = {0};\n  heddle_text ignored = {{0}, 0, 0};\n  run.scene = scene;\n  (void)ignored;\n";
    if (!subject.make.empty()) text += "  " + subject.make + "\n";
    if (!subject.make.empty() && other) {
      std::string again = subject.make;
      for (size_t at; (at = again.find("scene->subject")) != std::string::npos;) again.replace(at, 14, "scene->other");
      text += "  " + again + "\n";
    }
    for (size_t n = 0; n < driver.before.size(); ++n)
      text += "  " + name("call_" + std::to_string(n + 1)) + "(scene, &ignored);\n";
    const size_t count = driver.threads.size();
    text += "  pthread_t threads[" + std::to_string(count) + "];\n";
    for (size_t t = 0; t < count; ++t)
      text += "  pthread_create(&threads[" + std::to_string(t) + "], 0, " +
              thread_name(subject, driver.threads[t], t) + ", &run);\n";
    for (size_t t = 0; t < count; ++t) text += "  pthread_join(threads[" + std::to_string(t) + "], 0);\n";
    add(text + "}");
  }

  // Heddle runs one driver at a time; compiled natively, the program runs all of them many times.
  void write_main() {
    std::string text = "\n#ifdef __HEDDLE__\n";
    if (style_.cxx) text += "extern \"C\" ";
    text += "void heddle_run_case(void) __asm__(\"heddle.run_case\");\nint main() {\n  heddle_run_case();\n  return 0;\n}\n";
    text += "#else\nint main() {\n  int round;\n  for (round = 0; round < 1000; ++round) {\n";
    for (const std::string& driver : drivers_)
      text += "    " + driver + "();\n";
    add(text + "  }\n  return 0;\n}\n#endif");
  }

  const std::vector<Subject>& subjects_;
  const Style& style_;
  Written out_;
  size_t lines_ = 0, number_ = 0;
  std::vector<std::string> drivers_;
};

}  // namespace

Written write(const std::vector<Subject>& subjects, const Style& style) { return Writer(subjects, style).write(); }

}  // namespace heddle::frontend::harness
