// When other threads learn that a thread has ended.
// LOCAL: the statement takes a lock with it
// STATEMENT: std::notify_all_at_thread_exit(c, std::move(hold));
// STATEMENT: hold.unlock(); c.notify_all();
// STATEMENT: c.notify_all();
// STATEMENT: hold.unlock();
#include "all.h"
#include <condition_variable>

std::mutex m; std::condition_variable c; bool over; int data;
struct Late { ~Late() { data = 2; } };
HELPERS
static void w() { static thread_local Late late; (void)&late; std::unique_lock<std::mutex> hold(m); over = true; STATEMENT }
int main(void) { std::thread t(w); { std::unique_lock<std::mutex> hold(m); c.wait(hold, [] { return over; }); data++; } t.join(); return 0; }
