// SAYS: writes 10 bytes, across the end of
// A member of a class, through its own method.
#include <cstring>
#include <mutex>
#include <thread>

class Session {
 public:
  void rename(const char *name) {
    std::lock_guard guard(mutex_);
    std::strcpy(name_, name);  // ERROR(out-of-bounds)!
  }
  bool admin() {
    std::lock_guard guard(mutex_);
    return admin_;
  }

 private:
  std::mutex mutex_;
  char name_[9] = {};
  bool admin_ = false;
};

int main() {
  Session session;
  std::thread user([&] { session.rename("a-user-99"); });
  const bool admin = session.admin();
  user.join();
  return admin;
}
