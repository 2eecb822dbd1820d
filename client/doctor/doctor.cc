#include "client/doctor/doctor.h"

#include <nlohmann/json.hpp>

#include "client/doctor/database.h"
#include "client/doctor/engine_lines.h"
#include "client/doctor/machine_lines.h"
#include "client/report/harmless_text.h"
#include "client/report/numbers.h"
#include "server/daemon/paths.h"
#include "server/disk/project_place.h"

namespace heddle::client {
namespace {

const char* word(LineState state) {
  return state == LineState::Ok ? "ok" : state == LineState::Warning ? "warning" : "error";
}

class Printer {
 public:
  Printer(const DoctorQuestion& question, std::FILE* out) : question_(question), out_(out) {}

  void print(const DoctorLines& lines) {
    for (const DoctorLine& line : lines) {
      errors_ += line.state == LineState::Error;
      warnings_ += line.state == LineState::Warning;
      fixable_ += line.fixable && !line.fixed;
      question_.json ? print_json(line) : print_text(line);
      std::fflush(out_);
    }
  }
  bool finish() {
    if (question_.json) return errors_ == 0;
    std::string text = errors_ + warnings_ == 0 ? "everything is in place"
                                                : counted(errors_, "error") + ", " + counted(warnings_, "warning");
    if (fixable_ > 0) text += "; `heddle doctor --fix` mends " + std::to_string(fixable_);
    std::fprintf(out_, "%s\n", text.c_str());
    return errors_ == 0;
  }

 private:
  void print_text(const DoctorLine& line) {
    const Ink ink = line.state == LineState::Ok        ? Ink::Green
                    : line.state == LineState::Warning ? Ink::Yellow
                                                       : Ink::Red;
    const std::string state = word(line.state), fixed = line.fixed ? "fixed: " : "";
    std::fprintf(out_, "%s%*s %-9s %s\n", question_.style.paint(ink, state).c_str(), static_cast<int>(7 - state.size()),
                 "", line.name.c_str(), harmless(fixed + question_.style.paths(line.message)).c_str());
    if (!line.remedy.empty()) std::fprintf(out_, "%18s-> %s\n", "", harmless(line.remedy).c_str());
  }
  void print_json(const DoctorLine& line) {
    const nlohmann::json object = {{"type", "doctor"},          {"schemaVersion", 1},      {"check", line.name},
                                   {"state", word(line.state)}, {"message", line.message}, {"remedy", line.remedy},
                                   {"fixable", line.fixable},   {"fixed", line.fixed}};
    const auto replace = nlohmann::json::error_handler_t::replace;
    std::fprintf(out_, "%s\n", object.dump(-1, ' ', false, replace).c_str());
  }

  const DoctorQuestion& question_;
  std::FILE* const out_;
  size_t errors_ = 0, warnings_ = 0, fixable_ = 0;
};

}  // namespace

bool run_doctor(const DoctorQuestion& question, std::FILE* out) {
  Printer printer(question, out);
  printer.print({{"heddle", LineState::Ok, std::string(HEDDLE_VERSION) + ", " + daemon::binary_directory(), ""}});
  printer.print(example_lines());
  printer.print({sandbox_line(), daemon_line(question.fix)});
  const v1::CheckRequest& request = question.request;
  printer.print(database_lines(request.root(), request.database_directory(), question.folder, question.fix));
  v1::CheckRequest project = request;
  bool single_files = question.single_files;
  if (single_files && question.fix) {  // there may be a project now
    const disk::ProjectPlace place = disk::find_project_place({}, "", question.folder, false);
    project.set_root(place.root);
    single_files = place.lone_file;
  }
  printer.print(project_lines(project, single_files));
  printer.print(git_lines(question.folder, question.fix));
  return printer.finish();
}

}  // namespace heddle::client
