#include <cassert>
#include <iostream>
#include <thread>

#include "server.h"

namespace {

std::vector<std::unique_ptr<chat::Rule>> make_rules() {
  std::vector<std::unique_ptr<chat::Rule>> rules;
  rules.push_back(std::make_unique<chat::LengthRule>(40));
  rules.push_back(std::make_unique<chat::WordRule>(std::vector<std::string>{"deadlock"}));
  return rules;
}

// Says its lines; returns how many were refused.
int talk(chat::Server& server, const std::string& name, const std::vector<std::string>& lines) {
  int refused = 0;
  for (const std::string& line : lines) {
    try {
      server.say(name, "lobby", line);
    } catch (const chat::Refused&) {
      ++refused;
    }
  }
  return refused;
}

void listen(chat::Mailbox& mailbox, int* heard) {
  while (const chat::MessagePtr message = mailbox.wait_for_next()) {
    assert(message->author != mailbox.owner());
    ++*heard;
  }
}

}  // namespace

int main() {
  chat::Server server(make_rules());
  const std::shared_ptr<chat::Mailbox> ada = server.enter("Ada", "lobby");
  const std::shared_ptr<chat::Mailbox> grace = server.enter("Grace", "lobby");
  int heard = 0, refused_of_grace = 0;

  std::thread listener([&] { listen(*ada, &heard); });
  std::thread speaker([&] { refused_of_grace = talk(server, "Grace", {"good morning", "a deadlock!"}); });
  const int refused_of_ada = talk(server, "Ada", {"hello"});
  speaker.join();
  ada->close();
  listener.join();

  const chat::Counts counts = server.counts();
  assert(counts.sent == 2 && counts.refused == 1 && counts.reached == 2);
  assert(refused_of_ada == 0 && refused_of_grace == 1 && server.strikes().of("Grace") == 1);
  assert(heard == 1 && grace->delivered() == 1);
  const std::shared_ptr<chat::Room> lobby = server.find("lobby");
  assert(lobby && lobby->posted() == 2 && lobby->members() == 2);
  for (const chat::MessagePtr& message : grace->take_all())
    std::cout << message->author << ": " << message->text << "\n";
  return 0;
}
