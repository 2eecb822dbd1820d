// The `heddle` program from the outside, with a scripted engine: output, exit codes, the daemon's comings and goings.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct Result {
  int code;
  std::string out, error;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/heddle-cli-XXXXXX";
    directory_ = mkdtemp(path);
    project_ = directory_ + "/p";
    fs::create_directory(project_);
    engine_ = directory_ + "/engine";
    fs::copy_file(FAKE_ENGINE_BINARY, engine_);
    setenv("HEDDLE_RUNTIME_DIR", (directory_ + "/run").c_str(), 1);
    setenv("HEDDLE_ENGINE", engine_.c_str(), 1);
    setenv("HEDDLE_DAEMON", HEDDLED_BINARY, 1);
    unsetenv("NO_COLOR");
  }
  void TearDown() override {
    heddle("daemon stop");
    fs::remove_all(directory_);
  }

  std::string command_line(const std::string& arguments, int run) const {
    const std::string files = directory_ + "/output" + std::to_string(run);
    return "cd " + project_ + " && exec " HEDDLE_BINARY " " + arguments + " > " + files + ".out 2> " + files + ".err";
  }
  Result heddle(const std::string& arguments) {
    const int run = ++runs_;
    const int status = std::system(command_line(arguments, run).c_str());
    return result(run, status);
  }
  Result result(int run, int status) {
    const std::string files = directory_ + "/output" + std::to_string(run);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(files + ".out"),
            read_file(files + ".err")};
  }
  pid_t heddle_in_background(const std::string& arguments, int& run) {
    run = ++runs_;
    const std::string line = command_line(arguments, run);
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(project_ + "/" + name) << text; }
  pid_t daemon_pid() { return std::atoi(read_file(directory_ + "/run/heddled.lock").c_str()); }
  template <typename Condition>
  bool eventually(Condition condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  std::string directory_, project_, engine_;
  int runs_ = 0;
};

TEST_F(CommandTest, PrintsAFindingWithItsInterleaving) {
  write("a.c", "// fake: finding data-race\n");
  const Result result = heddle("check a.c");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.error, "");
  EXPECT_NE(result.out.find("a.c:3:5: error: data race on 'counter' [data-race]\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("a.c:4:5: note: main.1 (worker) writes counter in worker()\n"), std::string::npos);
  EXPECT_NE(result.out.find("write counter = 1 (was 0)"), std::string::npos);
  EXPECT_NE(result.out.find("\n1 finding: 1 pair; "), std::string::npos);
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_NE(heddle("check a.c --color=always").out.find('\x1b'), std::string::npos);
}

TEST_F(CommandTest, ExitCodes) {
  write("clear.c", "");
  write("finding.c", "// fake: finding data-race\n");
  write("cut.c", "// fake: inconclusive\n");
  write("broken.c", "// fake: error expected ';'\n");
  write("crash.c", "// fake: crash\n");
  for (const std::string mode : {"", " --no-daemon"}) {
    EXPECT_EQ(heddle("check clear.c" + mode).code, 0);
    EXPECT_EQ(heddle("check finding.c" + mode).code, 1);
    EXPECT_EQ(heddle("check cut.c" + mode).code, 3);
    EXPECT_EQ(heddle("check cut.c --on-inconclusive=pass" + mode).code, 0);
    const Result broken = heddle("check broken.c" + mode);
    EXPECT_EQ(broken.code, 4);
    EXPECT_NE(broken.out.find("broken.c:1:2: error: expected ';'\n"), std::string::npos) << broken.out;
    EXPECT_EQ(heddle("check crash.c" + mode).code, 5);
  }
  EXPECT_EQ(heddle("nightly broken.c").code, 4);
  EXPECT_EQ(heddle("nightly crash.c").code, 5);
}

TEST_F(CommandTest, UsageErrorsNameTheMistake) {
  for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "`heddle` needs a command: check, "},
           {"daemon", "`heddle daemon` needs a command: "},
           {"harness", "`heddle harness` needs CLASS|FUNCTION: see"},
           {"suppress remove", "`heddle suppress remove` needs the id: see"},
           {"chekc", "did you mean `heddle check`?"},
           {"daemon status", "did you mean `heddle status`?"},
           {"version", "did you mean `heddle --version`?"},
           {"baseline --timelimit 5", "'--timelimit' is not known to `heddle baseline`"},
           {"--timelimit=5 check", "did you mean `--time-limit`?"},
           {"--timelimit 5 check", "'--timelimit' is not known to `heddle`"},
           {"completion tcsh", "heddle: shell: tcsh not in {bash,zsh,fish}; see `heddle completion --help`"},
           {"check --format=xml a.c", "--format"},
           {"check --time-limit=-1 a.c", "time-limit"},
           {"check --time-limit=inf a.c", "'inf' is no time; give 90, 90s, 5min or 2h"},
           {"check --time-limit=30x a.c", "'30x' is no time"},
           {"hook run --budget=1d", "'1d' is no time"},
           {"check --time-limit=1e308 a.c", "at most 1000000000 seconds"},
           {"check missing.c", "missing.c: No such file"},
           {"why missing.c", "missing.c: No such file"},
           {"why missing.c:3", "missing.c: No such file"},
           {"check .", "is a folder"},
           {"check", "compile_commands.json"},
           {"check a.c -p nowhere", "no compile_commands.json"},
           {"check a.c --base nowhere", "--base nowhere"},
           {"check --full --memory-model=arm a.c", "rc11"},
           {"check --full --memory-model=rc1 a.c", "did you mean 'rc11'?"},
           {"check --memory-model=rc11 a.c", "--full"},
           {"replay", "id"}}) {
    write("a.c", "");
    const Result result = heddle(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.error.find(words), std::string::npos) << arguments << "\n" << result.error;
  }
}

// What follows `heddle`, of every command that there is.
void add_commands(const std::string& completion, std::vector<std::string>& out) {
  for (size_t at = 0; (at = completion.find("'heddle", at)) != std::string::npos;) {
    const size_t end = completion.find('\'', at + 1);
    const std::string path = completion.substr(at + 1, end - at - 1);
    const bool is_option = path.find(" -") != std::string::npos;
    if (!is_option && completion.compare(end, 2, "')") == 0) out.push_back(path.substr(std::string("heddle").size()));
    at = end;
  }
}

TEST_F(CommandTest, HelpFitsAHundredColumns) {
  std::vector<std::string> commands;
  add_commands(heddle("completion bash").out, commands);
  ASSERT_GT(commands.size(), 30u);
  for (const std::string& command : commands) {
    const Result help = heddle(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << command << ": " << line;
  }
  EXPECT_NE(heddle("check --help").out.find("heddle check src/queue.c -- -O2 -Iinclude"), std::string::npos);
}

TEST_F(CommandTest, JsonLinesEndWithTheCombinedVerdict) {
  write("a.c", "// fake: finding data-race\n// fake: target second\n");
  for (const std::string mode : {"", " --no-daemon"}) {
    const Result result = heddle("check --format=jsonl a.c" + mode);
    EXPECT_EQ(result.code, 1);
    std::istringstream lines(result.out);
    std::vector<nlohmann::json> events;
    for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
    ASSERT_GE(events.size(), 4u);
    EXPECT_EQ(events.front()["type"], "started");
    const nlohmann::json& last = events.back();
    EXPECT_EQ(last["type"], "verdict");
    EXPECT_EQ(last["verdict"], "findings");
    EXPECT_TRUE(last.contains("scope"));
    EXPECT_EQ(last["schemaVersion"], 1);
    for (const char* name : {"fragments", "pairs", "executions", "states", "events", "instructions", "ms"}) {
      EXPECT_TRUE(last["stats"].contains(name)) << name;
    }
    for (const char* name : {"compile", "analyse", "diff", "explore", "step1", "step2", "first_finding", "total"}) {
      EXPECT_TRUE(last["stats"]["ms"].contains(name)) << name;
    }
    int verdicts = 0, targets = 0, findings = 0;
    for (const nlohmann::json& event : events) {
      verdicts += event["type"] == "verdict";
      targets += event["type"] == "target_verdict" && event["step"] == "final";
      if (event["type"] != "finding") continue;
      ++findings;
      for (const char* name : {"rule", "id", "places", "trace"}) EXPECT_TRUE(event.contains(name)) << name;
      for (const char* name : {"file", "line", "column", "function", "thread"}) {
        EXPECT_TRUE(event["places"][0].contains(name)) << name;
      }
    }
    EXPECT_EQ(verdicts, 1);
    EXPECT_EQ(targets, 2);
    EXPECT_EQ(findings, 1);
  }
  const Result usage = heddle("check --format=jsonl missing.c");
  EXPECT_EQ(usage.code, 2);
  EXPECT_EQ(nlohmann::json::parse(usage.out)["verdict"], "error");
}

TEST_F(CommandTest, AReportReplacesTheOldOneWhenItIsWhole) {
  write("a.c", "// fake: finding data-race\n");
  const auto files = [&] { return std::distance(fs::directory_iterator(project_), {}); };
  for (const std::string format : {"html", "sarif"}) {
    const std::string arguments = "check a.c --format=" + format + " --output report", path = project_ + "/report";
    EXPECT_EQ(heddle(arguments).code, 1);
    const std::string report = read_file(path);
    EXPECT_GT(report.size(), 1000u);
    write("report", "old");
    EXPECT_EQ(heddle("show --output report --format=" + format + " -p nowhere").code, 2);
    EXPECT_EQ(read_file(path), "old") << "nothing was written";
    // A full disk.
    const std::string line = "(cd " + project_ + " && trap '' XFSZ && ulimit -f 0 && exec " HEDDLE_BINARY " " +
                             arguments + ") 2>&1 | cat > " + directory_ + "/said";
    EXPECT_EQ(std::system(line.c_str()), 0);  // of cat
    EXPECT_NE(read_file(directory_ + "/said").find("--output report could not be written whole"), std::string::npos);
    EXPECT_EQ(read_file(path), "old");
    fs::remove(path);
    EXPECT_EQ(heddle(arguments).code, 1);
    EXPECT_EQ(read_file(path).size(), report.size());
    EXPECT_EQ(files(), 2);
    fs::remove(path);
  }
}

TEST_F(CommandTest, ResultsThatCannotBeWrittenAreAnError) {
  write("a.c", "");
  for (const std::string format : {"text", "jsonl", "sarif"}) {
    const Result result = heddle("check a.c --output /dev/full --format=" + format);
    EXPECT_EQ(result.code, 5) << format;
    EXPECT_NE(result.error.find("--output /dev/full could not be written whole"), std::string::npos) << result.error;
  }
}

TEST_F(CommandTest, AnswersQuestions) {
  write("compile_commands.json", "[]");
  write("a.c", "// fake: finding data-race\n");
  ASSERT_EQ(heddle("check a.c").code, 1);
  EXPECT_NE(heddle("show").out.find("[data-race]"), std::string::npos);
  EXPECT_EQ(heddle("show none").code, 2);
  const std::string pairs = heddle("pairs").out;
  EXPECT_NE(pairs.find("both reach the fragment"), std::string::npos) << pairs;
  EXPECT_NE(pairs.find("logger touches no object of the fragment"), std::string::npos);
  EXPECT_NE(heddle("why a.c:3").out.find("both reach the fragment"), std::string::npos);
  EXPECT_EQ(heddle("why a.c:9").out.find("both reach the fragment"), std::string::npos);
  const Result no_line = heddle("why a.c:99999999999999999999999");
  EXPECT_EQ(no_line.code, 0) << no_line.error;
  EXPECT_NE(no_line.out.find("no changed statement at a.c:999"), std::string::npos) << no_line.out;
  const std::string status = heddle("status").out;
  EXPECT_NE(status.find("phase:"), std::string::npos) << status;
  EXPECT_NE(status.find("open findings:  1"), std::string::npos) << status;
  EXPECT_NE(status.find("until the verdict"), std::string::npos) << status;
  EXPECT_EQ(nlohmann::json::parse(heddle("status --format=jsonl").out)["projects"][0]["openFindings"], 1);
  EXPECT_EQ(heddle("replay 0123").code, 0);
}

TEST_F(CommandTest, HelpFillsItsLines) {
  const std::string help = heddle("--help").out;
  EXPECT_NE(help.find("Exit codes: 0 "), std::string::npos) << help;
  std::istringstream codes(help.substr(help.find("Exit codes: ")));
  std::string first, second;
  std::getline(codes, first), std::getline(codes, second);
  EXPECT_LE(first.size(), 100u);
  EXPECT_GT(first.size() + second.find(' ') + 1, 100u) << "a word of the second line fits on the first:\n" << help;
}

TEST_F(CommandTest, ADaemonOfItsOwn) {
  write("a.c", "// fake: finding data-race\n");
  EXPECT_EQ(heddle("check a.c").code, 1);
  EXPECT_EQ(heddle("check a.c --isolation-dir=../own").code, 1);
  const std::string own = read_file(directory_ + "/own/heddled.lock");
  EXPECT_NE(own, "");
  EXPECT_NE(std::atoi(own.c_str()), daemon_pid());
  EXPECT_EQ(heddle("daemon stop --isolation-dir " + directory_ + "/own").out, "the daemon was stopped\n");
  EXPECT_EQ(heddle("daemon stop --isolation-dir ../own").out, "no daemon is running\n");
  EXPECT_EQ(heddle("daemon stop").out, "the daemon was stopped\n");
}

TEST_F(CommandTest, StartsStopsAndLogs) {
  EXPECT_EQ(heddle("daemon stop").out, "no daemon is running\n");
  EXPECT_NE(heddle("daemon start").out.find("was started"), std::string::npos);
  EXPECT_NE(heddle("daemon start").out.find("is running"), std::string::npos);
  const pid_t first = daemon_pid();
  EXPECT_EQ(heddle("daemon restart").code, 0);
  EXPECT_NE(daemon_pid(), first);
  EXPECT_NE(heddle("daemon logs").out.find("listens on"), std::string::npos);
  EXPECT_EQ(heddle("daemon stop").out, "the daemon was stopped\n");
  EXPECT_EQ(heddle("daemon stop").out, "no daemon is running\n");
}

TEST_F(CommandTest, StatusStartsNothing) {
  const Result none = heddle("status");
  EXPECT_EQ(none.code, 0);
  EXPECT_NE(none.out.find("no daemon is running"), std::string::npos) << none.out;
  EXPECT_EQ(nlohmann::json::parse(heddle("status --format=jsonl").out)["projects"].size(), 0u);
  EXPECT_EQ(heddle("daemon stop").out, "no daemon is running\n");

  write("a.c", "// fake: finding data-race\n");
  ASSERT_EQ(heddle("check a.c").code, 1);
  const auto project = [&] { return nlohmann::json::parse(heddle("status --format=jsonl").out)["projects"][0]; };
  kill(project()["enginePid"].get<pid_t>(), SIGKILL);
  for (int i = 0; i < 200 && project()["enginePid"] != 0; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(project()["enginePid"], 0);
  EXPECT_EQ(project()["openFindings"], 1);
  EXPECT_EQ(project()["lastVerdict"], "findings");
}

// A question about another text or another version before, or about one schedule, is no verdict about the files. A user
// waits for a comparison with another version, so its time counts.
TEST_F(CommandTest, StatusIsOfTheFilesAsTheyAre) {
  write("a.c", "// fake: finding data-race\n");
  write("clear.c", "");
  ASSERT_EQ(heddle("check a.c").code, 1);
  const auto project = [&] {
    const nlohmann::json status = nlohmann::json::parse(heddle("status --format=jsonl").out);
    for (const auto& entry : status["projects"])
      if (entry["files"] == nlohmann::json::array({project_ + "/a.c"})) return entry;
    return nlohmann::json();
  };
  const auto state = [&] {
    const nlohmann::json known = project();
    return known["lastVerdict"].get<std::string>() + " " + known["openFindings"].dump() + " " +
           known["latencyMs"]["total"]["count"].dump();
  };
  ASSERT_EQ(state(), "findings 1 1");
  EXPECT_EQ(heddle("check a.c --overlay a.c=clear.c").code, 0);
  EXPECT_EQ(state(), "findings 1 1") << "another text";
  EXPECT_EQ(heddle("check a.c --base clear.c").code, 1);
  EXPECT_EQ(state(), "findings 1 2") << "another version before";
  EXPECT_EQ(heddle("replay 0123").code, 1);
  EXPECT_EQ(state(), "findings 1 2") << "one schedule";
  write("a.c", "// fake: error expected ';'\n");
  EXPECT_EQ(heddle("check a.c").code, 4);
  kill(project()["enginePid"].get<pid_t>(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return project()["enginePid"] == 0; }));
  EXPECT_EQ(state(), "error 1 2") << "what was open is open";
}

TEST_F(CommandTest, StatusOfManyProjectsFitsAScreen) {
  for (int i = 0; i < 22; ++i) {
    const std::string name = "a" + std::to_string(i) + ".c";
    write(name, "");
    ASSERT_EQ(heddle("check " + name).code, 0);
  }
  const std::string out = heddle("status").out;
  EXPECT_LE(std::count(out.begin(), out.end(), '\n'), 24) << out;
  EXPECT_NE(out.find("and 2 older ones"), std::string::npos) << out;
  EXPECT_NE(out.find("a21.c: clear"), std::string::npos) << out;
}

TEST_F(CommandTest, StatusReplacesNothing) {
  write("a.c", "// fake: finding data-race\n");
  ASSERT_EQ(heddle("check a.c").code, 1);
  const pid_t first = daemon_pid();
  EXPECT_EQ(heddle("status").error, "");
  fs::last_write_time(engine_, fs::file_time_type::clock::now());  // a newer build
  for (const std::string form : {"", " --format=jsonl"}) {
    const Result older = heddle("status" + form);
    EXPECT_EQ(older.code, 0);
    EXPECT_NE(older.out.find(std::to_string(first)), std::string::npos) << older.out;
    EXPECT_NE(older.error.find("of an older build"), std::string::npos) << older.error;
    EXPECT_EQ(daemon_pid(), first);
  }
}

TEST_F(CommandTest, AnOlderDaemonIsReplaced) {
  write("a.c", "");
  ASSERT_EQ(heddle("check a.c").code, 0);
  const pid_t first = daemon_pid();
  ASSERT_EQ(heddle("check a.c").code, 0);
  EXPECT_EQ(daemon_pid(), first);
  std::this_thread::sleep_for(10ms);
  fs::last_write_time(engine_, fs::file_time_type::clock::now());  // a newer build
  ASSERT_EQ(heddle("check a.c").code, 0);
  EXPECT_NE(daemon_pid(), first);
}

TEST_F(CommandTest, AKilledDaemonIsReplaced) {
  write("a.c", "// fake: finding data-race\n");
  ASSERT_EQ(heddle("check a.c").code, 1);
  kill(daemon_pid(), SIGKILL);
  EXPECT_EQ(heddle("check a.c").code, 1);
}

TEST_F(CommandTest, ManyClientsAtOnceStartOneDaemon) {
  write("a.c", "");
  std::vector<std::pair<pid_t, int>> clients;
  for (int i = 0; i < 6; ++i) {
    int run = 0;
    const pid_t client = heddle_in_background("daemon start", run);
    clients.emplace_back(client, run);
  }
  std::string pids;
  for (const auto& [client, run] : clients) {
    int status = 0;
    waitpid(client, &status, 0);
    const Result got = result(run, status);
    EXPECT_EQ(got.code, 0) << got.error;
    std::smatch match;
    ASSERT_TRUE(std::regex_search(got.out, match, std::regex("process ([0-9]+)"))) << got.out;
    if (pids.empty()) pids = match[1];
    EXPECT_EQ(pids, match[1]);
  }
}

TEST_F(CommandTest, CtrlCCancelsTheCheckInTheDaemon) {
  write("slow.c", "// fake: sleep 20000\n");
  int run = 0;
  const pid_t client = heddle_in_background("check slow.c", run);
  const auto busy = [&] {
    return heddle("status --format=jsonl").out.find("\"phase\":\"checking\"") != std::string::npos;
  };
  ASSERT_TRUE(eventually(busy));
  const auto begin = std::chrono::steady_clock::now();
  kill(client, SIGINT);
  int status = 0;
  waitpid(client, &status, 0);
  EXPECT_EQ(result(run, status).code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  EXPECT_TRUE(eventually([&] { return !busy(); }));
}

TEST_F(CommandTest, AWatchEndsOnCtrlC) {
  write("compile_commands.json", "[]");
  write("a.c", "");
  int run = 0;
  const pid_t client = heddle_in_background("watch a.c", run);
  const std::string output = directory_ + "/output" + std::to_string(run) + ".out";
  ASSERT_TRUE(eventually([&] { return read_file(output).find("nothing found") != std::string::npos; }));
  std::this_thread::sleep_for(20ms);
  write("a.c", "// fake: finding data-race\n");
  EXPECT_TRUE(eventually([&] { return read_file(output).find("[data-race]") != std::string::npos; }));
  kill(client, SIGINT);
  int status = 0;
  waitpid(client, &status, 0);
  EXPECT_EQ(result(run, status).code, 130);
}

TEST_F(CommandTest, SaysWhyItCannotStart) {
  write("a.c", "");
  fs::remove(engine_);
  const Result no_engine = heddle("check a.c");
  EXPECT_EQ(no_engine.code, 5);
  EXPECT_NE(no_engine.out.find("cannot start the engine"), std::string::npos) << no_engine.out;
  EXPECT_EQ(heddle("check a.c --no-daemon").code, 5);
  heddle("daemon stop");
  setenv("HEDDLE_DAEMON", "/nowhere/heddled", 1);
  const Result no_daemon = heddle("check a.c");
  EXPECT_EQ(no_daemon.code, 5);
  EXPECT_NE(no_daemon.error.find("/nowhere/heddled"), std::string::npos) << no_daemon.error;
  EXPECT_NE(no_daemon.error.find("--no-daemon"), std::string::npos) << no_daemon.error;
}

TEST_F(CommandTest, RefusesAFolderOfOthers) {
  write("a.c", "");
  if (getuid() == 0) {
    fs::create_directory(directory_ + "/foreign");
    ASSERT_EQ(chown((directory_ + "/foreign").c_str(), 12345, 12345), 0);
    setenv("HEDDLE_RUNTIME_DIR", (directory_ + "/foreign").c_str(), 1);
    const Result foreign = heddle("check a.c");
    EXPECT_EQ(foreign.code, 5);
    EXPECT_NE(foreign.error.find("belongs to another user"), std::string::npos) << foreign.error;
  }
  fs::create_directory(directory_ + "/target");
  fs::create_directory_symlink(directory_ + "/target", directory_ + "/link");
  setenv("HEDDLE_RUNTIME_DIR", (directory_ + "/link").c_str(), 1);
  EXPECT_EQ(heddle("check a.c").code, 5);
}

}  // namespace
}  // namespace heddle::client
