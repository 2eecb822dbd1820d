// Scripts of graph_toy.h as text, for litmus tests: statements end with `;`, threads with `|`.
//
//   x=1 rlx           x=r0+1 rel          r0=x acq            fence sc
//   r0=add x 1 rlx    r0=swap x 2 acq     r0=cas x 0 1 acq rlx (from 0 to 1; the order of failure last)
//   lock m            unlock m            await x 1 acq       unless r0 1 skip 2
//   create 1          join 1              (then the other threads than 0 begin when they are created)
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/explore/graph_toy.h"

namespace heddle::explore::toy {

class ScriptReader {
 public:
  static Script read(const std::string& text) {
    Script script;
    for (const std::string& thread : split(text, '|')) {
      script.threads.emplace_back();
      for (const std::string& statement : split(thread, ';')) {
        const std::vector<std::string> words = words_of(statement);
        if (words.empty()) continue;
        script.threads.back().push_back(ScriptReader(words).statement());
        script.created = script.created || words[0] == "create";
      }
    }
    return script;
  }

  static std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
  }
  static std::vector<std::string> words_of(std::string text) {
    for (char& c : text)
      if (c == '=' || c == '+') c = ' ';
    std::vector<std::string> words;
    std::stringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
  }
  static int location(const std::string& word) {
    static const std::string kNames = "xyzwabmn";
    const size_t found = kNames.find(word);
    if (word.size() != 1 || found == std::string::npos) throw std::invalid_argument("no location: " + word);
    return static_cast<int>(found);
  }
  static bool is_register(const std::string& word) { return word.size() == 2 && word[0] == 'r'; }
  static int number_of_register(const std::string& word) {
    if (!is_register(word)) throw std::invalid_argument("no register: " + word);
    return word[1] - '0';
  }

 private:
  explicit ScriptReader(const std::vector<std::string>& words) : words_(words) {}

  static Order order(const std::string& word) {
    static const std::vector<std::string> kNames = {"plain", "rlx", "acq", "rel", "acq_rel", "sc"};
    for (size_t n = 0; n < kNames.size(); ++n)
      if (kNames[n] == word) return static_cast<Order>(n);
    throw std::invalid_argument("no order: " + word);
  }
  const std::string& word(size_t n) const { return words_.at(n); }
  int number(size_t n) const { return std::stoi(words_.at(n)); }

  Statement statement() const {
    Statement s{};
    const std::string& first = word(0);
    if (is_register(first)) return into_register();
    if (first == "fence") {
      s.act = Act::Fence;
      s.order = order(word(1));
    } else if (first == "create" || first == "join") {
      s.act = first == "create" ? Act::Create : Act::Join;
      s.x = number(1);
    } else if (first == "lock" || first == "unlock") {
      s.act = first == "lock" ? Act::Lock : Act::Unlock;
      s.x = location(word(1));
    } else if (first == "await") {
      s = {Act::Await, location(word(1)), 0, number(2), order(word(3))};
    } else if (first == "unless") {
      s = {Act::SkipUnless, 0, number_of_register(word(1)), number(2)};
      s.count = number(4);
    } else if (is_register(word(1))) {
      s = {Act::StoreSum, location(first), number_of_register(word(1)), number(2), order(word(3))};
    } else {
      s = {Act::Store, location(first), 0, number(1), order(word(2))};
    }
    return s;
  }

  Statement into_register() const {
    const int r = number_of_register(word(0));
    if (word(1) == "add") return {Act::Add, location(word(2)), r, number(3), order(word(4))};
    if (word(1) == "swap") return {Act::Exchange, location(word(2)), r, number(3), order(word(4))};
    if (word(1) == "cas")
      return {Act::Compare, location(word(2)), r, number(4), order(word(5)), number(3), order(word(6))};
    return {Act::Load, location(word(1)), r, 0, order(word(2))};
  }

  const std::vector<std::string>& words_;
};

}  // namespace heddle::explore::toy
