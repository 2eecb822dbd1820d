// The demo: edits the job server like a programmer would, saves, and shows what heddle says.
//
//   heddle-demo --heddle PATH --examples FOLDER
// Exit code 0: every verdict was the expected one.
#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "examples/tour/edits.h"
#include "examples/tour/judge.h"
#include "examples/tour/session.h"
#include "examples/tour/show.h"

namespace {

using namespace heddle::tour;

class Demo {
 public:
  Demo(const std::string& heddle, const std::string& folder, const Example& example)
      : example_(example), session_(heddle, folder + "/" + example.name) {}

  // The number of verdicts that were not the expected ones.
  int run() {
    std::cout << example_.introduction
              << " It is checked from nothing, then edited; each save is checked by the daemon.\n\n"
              << std::flush;
    session_.run({"daemon", "start"});
    const Answer first = session_.check({});
    heading("0", "from nothing", "");
    show_verdict(std::cout, first);
    accept(judge_clear(first));
    if (failures_ > 0) show_findings(std::cout, first);
    int number = 0;
    for (const Edit& edit : example_.edits) show(std::to_string(++number), edit);
    std::cout << "\n";
    return failures_;
  }

 private:
  void heading(const std::string& number, const std::string& what, const std::string& file) {
    std::string line = number + "  " + what + (file.empty() ? "" : ", " + file);
    line.resize(std::max<size_t>(line.size() + 2, 50), ' ');
    std::cout << line << std::flush;
  }

  void accept(const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) std::cout << "   ** " << problem << "\n";
    failures_ += problems.empty() ? 0 : 1;
    std::cout << std::flush;
  }

  void show(const std::string& number, const Edit& edit) {
    const std::string before = session_.read(edit.file), after = apply(edit, before, 0);
    heading(number, edit.name, edit.file);
    session_.save(edit.file, after);
    const Answer answer = session_.check({edit.file});
    show_verdict(std::cout, answer);
    show_change(std::cout, before, after);
    show_impact(std::cout, answer);
    show_findings(std::cout, answer);
    accept(judge(edit, after, answer));
    session_.save(edit.file, before);
    heading(" ", edit.rule.empty() ? "undone" : "repaired", "");
    const Answer repaired = session_.check({edit.file});
    show_verdict(std::cout, repaired);
    accept(judge_clear(repaired));
  }

  const Example& example_;
  Session session_;
  int failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::string heddle, folder;
  std::vector<std::string> names;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--heddle") heddle = argv[i + 1];
    if (name == "--examples") folder = argv[i + 1];
    if (name == "--example") names.push_back(argv[i + 1]);
  }
  if (heddle.empty() || folder.empty()) {
    std::cerr << "usage: heddle-demo --heddle PATH --examples FOLDER [--example NAME]...\n";
    return 2;
  }
  try {
    int failures = 0;
    for (const Example& example : examples())
      if (names.empty() || std::find(names.begin(), names.end(), example.name) != names.end())
        failures += Demo(heddle, folder, example).run();
    std::cout << (failures == 0 ? "Every verdict is the expected one.\n" : "Not every verdict is the expected one.\n");
    return failures == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "demo: " << error.what() << "\n";
    return 2;
  }
}
