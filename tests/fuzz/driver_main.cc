// Runs a fuzz target without libFuzzer: seeds and changes of them, for a number of seconds. What ended it is in the file
// `fuzz-NAME-input` of the current folder, and with it alone the target fails again.
//
// In:   driver [--seconds N] [--seed N] FILE|FOLDER...; a file that is given alone is run once, as it is.
// Out:  exit status 0; a target that fails ends the process by itself.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Changes {
 public:
  Changes(std::vector<std::string> seeds, uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (size_t n = below(4) + 1; n-- > 0;) change(text);
    return text;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  // Lines and words keep much of a text's form; bytes do not.
  void change(std::string& text) {
    switch (below(9)) {
      case 0: line(text); break;
      case 1:
      case 2: word(text); break;
      case 3: number(text); break;
      case 4:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(random_());
        break;
      case 5:
        if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1 << below(8));
        break;
      case 6: text.insert(below(text.size() + 1), 1 + below(4), static_cast<char>(random_())); break;
      case 7: text.erase(below(text.size()), 1 + below(16)); break;
      default: {  // a piece of another seed, or its own
        const std::string& other = seeds_[below(seeds_.size())];
        if (other.empty()) break;
        text.insert(below(text.size() + 1), other.substr(below(other.size()), 1 + below(80)));
      }
    }
    if (text.size() > 20'000) text.resize(20'000);
  }

  // Deletes, doubles or moves a line.
  void line(std::string& text) {
    const auto at = [&] {
      const size_t end = text.find('\n', below(text.size()));
      return end == std::string::npos ? text.size() : end + 1;
    };
    const size_t begin = at(), end = std::min(text.find('\n', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    if (below(3) != 0) text.erase(begin, end - begin);
    if (below(3) != 0) text.insert(at(), one + "\n");
  }

  using Place = std::pair<size_t, size_t>;
  template <typename Is>
  std::vector<Place> places(const std::string& text, Is is) {
    std::vector<Place> result;
    for (size_t n = 0; n < text.size();) {
      size_t end = n;
      while (end < text.size() && is(static_cast<unsigned char>(text[end]))) ++end;
      if (end > n) result.push_back({n, end - n});
      n = std::max(end, n + 1);
    }
    return result;
  }

  void word(std::string& text) {
    const auto found = places(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (found.empty()) return;
    const Place from = found[below(found.size())], to = found[below(found.size())];
    text.replace(to.first, to.second, text.substr(from.first, from.second));
  }

  void number(std::string& text) {
    static const char* const kNumbers[] = {"0",   "1",          "-1",         "2",
                                           "255", "2147483647", "4294967296", "-9223372036854775808"};
    const auto found = places(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (found.empty()) return;
    const Place at = found[below(found.size())];
    text.replace(at.first, at.second, kNumbers[below(std::size(kNumbers))]);
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

void keep(const std::string& name, const std::string& input) {
  std::ofstream(name, std::ios::binary | std::ios::trunc) << input;
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  uint64_t seed = 1;
  std::vector<std::string> seeds;
  bool one = false;
  for (int n = 1; n < count; ++n) {
    const std::string argument = arguments[n];
    if (argument == "--seconds" && n + 1 < count) {
      seconds = std::atof(arguments[++n]);
    } else if (argument == "--seed" && n + 1 < count) {
      seed = std::strtoull(arguments[++n], nullptr, 10);
    } else if (fs::is_directory(argument)) {
      std::vector<fs::path> files;
      for (const auto& entry : fs::recursive_directory_iterator(argument))
        if (entry.is_regular_file()) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) seeds.push_back(read_text(file));
    } else {
      seeds.push_back(read_text(argument));
      one = n == 1 && count == 2;
    }
  }
  const auto run = [](const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  };
  if (seeds.empty()) seeds.emplace_back(64, '\0');
  if (one) return run(seeds[0]), 0;
  const std::string kept = "fuzz-" + fs::path(arguments[0]).filename().string() + "-input";
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Changes changes(std::move(seeds), seed);
  uint64_t runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) {
    const std::string input = changes.next();
    keep(kept, input);
    run(input);
  }
  fs::remove(kept);
  std::printf("%llu inputs, seed %llu\n", static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  return 0;
}
