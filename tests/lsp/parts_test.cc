// Findings and meanings without a client and an engine: each rule of what stays on screen, alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "client/lsp/answer_times.h"
#include "client/lsp/findings.h"
#include "client/lsp/relevance.h"
#include "server/base/power.h"

namespace heddle::client::lsp {
namespace {

constexpr const char* kPath = "/project/a.c";

v1::Finding finding_at(uint32_t line) {
  v1::Finding finding;
  finding.set_id("aa01");
  finding.set_rule("data-race");
  v1::Place& place = *finding.add_places();
  place.set_file(kPath);
  place.set_line(line);
  place.set_column(1);
  return finding;
}

v1::Diffed fragment_at(uint32_t line) {
  v1::Diffed diffed;
  v1::Fragment& fragment = *diffed.add_fragments();
  fragment.set_file(kPath);
  fragment.set_begin_line(line);
  fragment.set_begin_column(1);
  return diffed;
}

TEST(AnswerTimes, AreQuickByTheMedianOfTheLastNine) {
  using std::chrono::milliseconds;
  AnswerTimes times;
  EXPECT_FALSE(times.quick());
  for (const int ms : {10, 20}) times.add(milliseconds(ms));
  EXPECT_FALSE(times.quick());  // two are too few
  times.add(milliseconds(5000));
  EXPECT_TRUE(times.quick());
  EXPECT_EQ(times.median(), milliseconds(20));
  for (int n = 0; n < 4; ++n) times.add(milliseconds(300));
  EXPECT_FALSE(times.quick());
  for (int n = 0; n < 4; ++n) times.add(milliseconds(299));
  EXPECT_FALSE(times.quick());  // of nine, five took 300 and more
  times.add(milliseconds(1));
  times.add(milliseconds(1));
  EXPECT_TRUE(times.quick());
}

class Shown : public ::testing::Test {
 protected:
  Document& open(const std::string& text) { return documents_.open("file:///project/a.c", kPath, 1, text); }
  std::shared_ptr<SeenTexts> seen() { return std::make_shared<SeenTexts>(documents_.snapshot()); }
  void type(const std::string& text) {
    Document& document = *documents_.find(kPath);
    for (const Edit& edit : documents_.change(document, Range{{0, 0}, {0, 0}}, text, Encoding::Utf8))
      findings_.edited(kPath, edit);
  }
  TargetState& target() { return findings_.targets()["t"]; }

  Documents documents_;
  Findings findings_;
};

// A change was told, the text edited and edited back: a check that finds nothing changed makes the fragment fresh.
TEST_F(Shown, AFragmentIsFreshAgainWhenNothingChanged) {
  open("int x;\nx = 1;\n");
  findings_.compared("t", fragment_at(2), 1, 1, seen(), documents_);
  findings_.refresh(kPath, [](const TextPtr&) { return true; });
  ASSERT_TRUE(target().fragments[0].stale);
  findings_.compared("t", {}, 2, 2, seen(), documents_);
  ASSERT_EQ(target().fragments.size(), 1u);
  EXPECT_FALSE(target().fragments[0].stale);
}

// A check that could not compile the text says nothing of what was found before; one that ended says all there is.
TEST_F(Shown, FindingsStayWhenACheckFails) {
  open("int x;\nx = 1;\n");
  findings_.heard("t", finding_at(2), 1, 1, seen(), documents_);
  v1::Verdict verdict;
  verdict.set_kind(v1::VERDICT_ERROR);
  verdict.set_error(v1::ERROR_BUILD);
  findings_.target_ended("t", verdict, 2);
  EXPECT_EQ(target().findings.size(), 1u);
  verdict.set_kind(v1::VERDICT_CLEAR);
  verdict.set_error(v1::ERROR_NONE);
  findings_.target_ended("t", verdict, 3);
  EXPECT_TRUE(target().findings.empty());
}

// What was found in a file that is not open is a place of the disk's text: edits of a document move others.
TEST_F(Shown, PlacesOfTheDiskStayWhereTheyAre) {
  findings_.heard("t", finding_at(1), 1, 1, seen(), documents_);
  Placed& place = target().findings["aa01"].places[0];
  ASSERT_TRUE(place.basis);
  place.span = {5, 9};
  findings_.edited(kPath, {0, 0, 100});
  EXPECT_EQ(place.span, (Span{5, 9}));
}

TEST_F(Shown, PlacesOfADocumentMoveWithIt) {
  open("int x;\nx = 1;\n");
  findings_.heard("t", finding_at(2), 1, 1, seen(), documents_);
  const Span before = target().findings["aa01"].places[0].span;
  type("long y; ");
  EXPECT_EQ(target().findings["aa01"].places[0].span.begin, before.begin + 8);
}

// --- meanings ---

class Meanings : public ::testing::Test {
 protected:
  Meanings() : folder_(std::filesystem::temp_directory_path() / ("heddle-lsp-parts-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write("a.c", "#include \"a.h\"\nint x;\nvoid f(void) { x = STEP; }\n");
    write("a.h", "#define STEP 1\n");
    path_ = (folder_ / "a.c").string();
    std::ofstream(folder_ / "compile_commands.json")
        << "[{\"directory\": \"" << folder_.string()
        << "\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-c\", \"a.c\"]}]";
    relevance_.set_database_directory(folder_.string());
  }
  ~Meanings() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  TextPtr text(const std::string& content) { return std::make_shared<const Text>(content); }

  // Runs the steps one after the other, each when something more of the file is known. False: nothing came, far beyond
  // what it takes.
  bool run(std::vector<std::function<void()>> steps) {
    steps_ = std::move(steps);
    loop_.after(std::chrono::seconds(60), [this] { loop_.stop(); });
    next();
    loop_.run();
    return done_ == steps_.size();
  }
  void next() {
    if (done_ < steps_.size()) steps_[done_++]();
    if (done_ == steps_.size()) loop_.stop();
  }

  std::filesystem::path folder_;
  std::string path_;
  std::vector<std::function<void()>> steps_;
  size_t done_ = 0;
  base::Loop loop_;
  Relevance relevance_{loop_, [this](const std::string&) { next(); }};
};

const std::string kText = "#include \"a.h\"\nint x;\nvoid f(void) { x = STEP; }\n";

TEST_F(Meanings, AFileThatWasClosedIsAskedForAgain) {
  const TextPtr known = text(kText);
  EXPECT_TRUE(run({[&] { EXPECT_EQ(relevance_.meaning(path_, known), nullptr); },
                   [&] {
                     EXPECT_NE(relevance_.meaning(path_, known), nullptr);
                     relevance_.forget(path_);
                     EXPECT_EQ(relevance_.meaning(path_, known), nullptr);
                   },
                   [&] { EXPECT_NE(relevance_.meaning(path_, known), nullptr); }}));
}

TEST_F(Meanings, UnsavedHeadersDecide) {
  const TextPtr known = text(kText), same = text(kText);
  DocumentState header;
  header.text = text("#error not today\n");
  header.dirty = true;
  EXPECT_TRUE(run({[&] { relevance_.meaning(path_, known); },
                   [&] {
                     EXPECT_FALSE(relevance_.meaning(path_, known)->hash.empty());
                     relevance_.set_unsaved({{(folder_ / "a.h").string(), header}});
                     relevance_.meaning(path_, same);
                   },
                   [&] { EXPECT_TRUE(relevance_.meaning(path_, same)->hash.empty()); }}));
}

// The database changed while a meaning was computed by the commands of the one before.
TEST_F(Meanings, OfAnOlderDatabaseAreNotKept) {
  const TextPtr older = text(kText), newer = text(kText);
  EXPECT_TRUE(run({[&] {
                     relevance_.meaning(path_, older);
                     relevance_.set_database_directory(folder_.string());
                     relevance_.meaning(path_, newer);
                   },
                   [&] {
                     EXPECT_NE(relevance_.meaning(path_, newer), nullptr);
                     EXPECT_EQ(relevance_.meaning(path_, older), nullptr);
                   }}));
}

// A folder for each supply, as the kernel has them.
TEST(Power, ABatteryCountsWhenItIsDischargedAndThereIsNoMains) {
  const auto folder = std::filesystem::temp_directory_path() / ("heddle-power-" + std::to_string(getpid()));
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text << "\n";
  };
  EXPECT_FALSE(base::is_on_battery(folder.string())) << "there is no such folder";
  write("BAT0/type", "Battery");
  EXPECT_FALSE(base::is_on_battery(folder.string())) << "it does not say what it does";
  write("BAT0/status", "Discharging");
  EXPECT_TRUE(base::is_on_battery(folder.string()));
  write("AC/type", "Mains");
  write("AC/online", "1");
  EXPECT_FALSE(base::is_on_battery(folder.string())) << "it is calibrated";
  write("AC/online", "0");
  EXPECT_TRUE(base::is_on_battery(folder.string()));
  write("BAT0/status", "Charging");
  write("mouse/type", "Battery");
  write("mouse/scope", "Device");
  write("mouse/status", "Discharging");
  EXPECT_FALSE(base::is_on_battery(folder.string())) << "that of a mouse";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle::client::lsp
