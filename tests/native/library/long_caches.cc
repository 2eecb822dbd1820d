// Caches and the containers under them: least recently and least frequently used, time to live, own allocators,
// memory resources, intrusive lists, a skip list, weak pointers; compared with slow models on random operations.
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <random>
#include <scoped_allocator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

// --- allocation -----------------------------------------------------------------------------------------------------

struct Account {
  std::size_t blocks = 0, bytes = 0, most = 0;
  ~Account() { assert(blocks == 0 && bytes == 0); }
};

template <typename T>
struct Counted {
  using value_type = T;
  Account* account;
  explicit Counted(Account& a) : account(&a) {}
  template <typename U> Counted(const Counted<U>& other) : account(other.account) {}
  T* allocate(std::size_t n) {
    ++account->blocks;
    account->bytes += n * sizeof(T);
    account->most = std::max(account->most, account->bytes);
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    --account->blocks;
    account->bytes -= n * sizeof(T);
    std::allocator<T>().deallocate(p, n);
  }
  friend bool operator==(const Counted& a, const Counted& b) { return a.account == b.account; }
};

class Logged : public std::pmr::memory_resource {
 public:
  explicit Logged(std::pmr::memory_resource* upstream) : upstream_(upstream) {}
  std::size_t live() const { return live_; }
  int calls() const { return calls_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++calls_;
    live_ += bytes;
    return upstream_->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    live_ -= bytes;
    upstream_->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  std::pmr::memory_resource* upstream_;
  std::size_t live_ = 0;
  int calls_ = 0;
};

// --- caches ---------------------------------------------------------------------------------------------------------

template <typename Cache, typename K, typename V>
concept CacheOf = requires(Cache cache, K key, V value) {
  { cache.get(key) } -> std::same_as<std::optional<V>>;
  { cache.put(key, value) };
  { cache.size() } -> std::convertible_to<std::size_t>;
};

template <typename K, typename V, typename Allocator = std::allocator<std::pair<const K, V>>>
class RecentlyUsed {
  using Entries = std::list<std::pair<const K, V>, Allocator>;

 public:
  explicit RecentlyUsed(std::size_t most, Allocator allocator = Allocator()) : most_(most), entries_(allocator) {}
  std::optional<V> get(const K& key) {
    const auto found = where_.find(key);
    if (found == where_.end()) return ++misses_, std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return ++hits_, found->second->second;
  }
  void put(const K& key, V value) {
    if (const auto found = where_.find(key); found != where_.end()) {
      found->second->second = std::move(value);
      entries_.splice(entries_.begin(), entries_, found->second);
      return;
    }
    if (entries_.size() == most_) {
      where_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, std::move(value));
    where_.emplace(key, entries_.begin());
  }
  std::size_t size() const { return entries_.size(); }
  std::pair<int, int> counts() const { return {hits_, misses_}; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::size_t most_;
  Entries entries_;
  std::unordered_map<K, typename Entries::iterator> where_;
  int hits_ = 0, misses_ = 0;
};

template <typename K, typename V>
class FrequentlyUsed {
  struct Bucket { std::size_t uses; std::list<std::pair<K, V>> entries; };

 public:
  explicit FrequentlyUsed(std::size_t most) : most_(most) {}
  std::optional<V> get(const K& key) {
    const auto found = where_.find(key);
    if (found == where_.end()) return std::nullopt;
    touch(found->second);
    return found->second.second->second;
  }
  void put(const K& key, V value) {
    if (const auto found = where_.find(key); found != where_.end()) {
      found->second.second->second = std::move(value);
      return touch(found->second);
    }
    if (where_.size() == most_) {
      auto& least = buckets_.front();
      where_.erase(least.entries.back().first);
      least.entries.pop_back();
      if (least.entries.empty()) buckets_.pop_front();
    }
    if (buckets_.empty() || buckets_.front().uses != 1) buckets_.push_front({1, {}});
    buckets_.front().entries.emplace_front(key, std::move(value));
    where_[key] = {buckets_.begin(), buckets_.front().entries.begin()};
  }
  std::size_t size() const { return where_.size(); }

 private:
  using Place = std::pair<typename std::list<Bucket>::iterator, typename std::list<std::pair<K, V>>::iterator>;
  void touch(Place& place) {
    const auto bucket = place.first;
    auto next = std::next(bucket);
    if (next == buckets_.end() || next->uses != bucket->uses + 1) next = buckets_.insert(next, Bucket{bucket->uses + 1, {}});
    next->entries.splice(next->entries.begin(), bucket->entries, place.second);
    if (bucket->entries.empty()) buckets_.erase(bucket);
    place.first = next;
  }
  std::size_t most_;
  std::list<Bucket> buckets_;
  std::map<K, Place> where_;
};

// What any cache of this kind must do, slowly.
class SlowModel {
 public:
  SlowModel(std::size_t most, bool frequency) : most_(most), frequency_(frequency) {}
  std::optional<int> get(int key) {
    const auto found = find(key);
    if (found == entries_.end()) return std::nullopt;
    ++found->uses, found->last = ++now_;
    return found->value;
  }
  void put(int key, int value) {
    if (const auto found = find(key); found != entries_.end()) {
      ++found->uses, found->last = ++now_, found->value = value;
      return;
    }
    if (entries_.size() == most_)
      entries_.erase(std::min_element(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
        return frequency_ ? std::tie(a.uses, a.last) < std::tie(b.uses, b.last) : a.last < b.last;
      }));
    entries_.push_back({key, value, 1, ++now_});
  }

 private:
  struct Entry { int key, value, uses, last; };
  std::vector<Entry>::iterator find(int key) {
    return std::find_if(entries_.begin(), entries_.end(), [=](const Entry& e) { return e.key == key; });
  }
  std::size_t most_;
  bool frequency_;
  std::vector<Entry> entries_;
  int now_ = 0;
};

template <CacheOf<int, int> Cache>
int differences(Cache&& cache, SlowModel model) {
  std::minstd_rand random(99);
  int wrong = 0;
  for (int n = 0; n < 400; ++n) {
    const int key = static_cast<int>(random() % 12);
    if (random() % 3 == 0) cache.put(key, n), model.put(key, n);
    else wrong += cache.get(key) != model.get(key);
  }
  return wrong;
}

// --- a skip list ----------------------------------------------------------------------------------------------------

template <std::totally_ordered T>
class SkipList {
  struct Node {
    T value;
    std::vector<Node*> next;
  };

 public:
  SkipList() : head_{{}, std::vector<Node*>(kLevels)} {}
  ~SkipList() {
    for (Node* at = head_.next[0]; at != nullptr;) delete std::exchange(at, at->next[0]);
  }
  SkipList(const SkipList&) = delete;
  bool insert(const T& value) {
    const auto before = search(value);
    if (Node* at = before[0]->next[0]; at && at->value == value) return false;
    std::size_t levels = 1;
    while (levels < kLevels && (seed_ = seed_ * 1103515245 + 12345) & 0x10000) ++levels;
    auto* const node = new Node{value, std::vector<Node*>(levels)};
    for (std::size_t n = 0; n < levels; ++n) node->next[n] = std::exchange(before[n]->next[n], node);
    return true;
  }
  bool erase(const T& value) {
    const auto before = search(value);
    Node* const at = before[0]->next[0];
    if (!at || at->value != value) return false;
    for (std::size_t n = 0; n < at->next.size(); ++n) before[n]->next[n] = at->next[n];
    delete at;
    return true;
  }
  template <typename F> void each(F f) const {
    for (const Node* at = head_.next[0]; at; at = at->next[0]) f(at->value);
  }

 private:
  static constexpr std::size_t kLevels = 6;
  std::array<Node*, kLevels> search(const T& value) {
    std::array<Node*, kLevels> before;
    Node* at = &head_;
    for (std::size_t n = kLevels; n-- > 0; before[n] = at)
      while (at->next[n] && at->next[n]->value < value) at = at->next[n];
    return before;
  }
  Node head_;
  std::uint32_t seed_ = 1;
};

// --- shared objects that are kept only while somebody uses them -----------------------------------------------------

class Pictures : public std::enable_shared_from_this<Pictures> {
 public:
  struct Picture {
    std::string name;
    std::vector<std::byte> data;
  };
  std::shared_ptr<const Picture> load(const std::string& name) {
    if (const auto found = known_.find(name); found != known_.end())
      if (auto kept = found->second.lock()) return kept;
    ++loads_;
    const std::weak_ptr<Pictures> self = weak_from_this();
    std::shared_ptr<const Picture> picture(new Picture{name, std::vector<std::byte>(name.size() * 4)}, [self](const Picture* p) {
      if (const auto owner = self.lock()) owner->known_.erase(p->name);
      delete p;
    });
    known_.insert_or_assign(name, picture);
    return picture;
  }
  std::size_t size() const { return known_.size(); }
  int loads() const { return loads_; }

 private:
  std::map<std::string, std::weak_ptr<const Picture>> known_;
  int loads_ = 0;
};

int main() {
  std::cout << "wrong: " << differences(RecentlyUsed<int, int>(5), SlowModel(5, false)) << ' '
            << differences(FrequentlyUsed<int, int>(5), SlowModel(5, true)) << '\n';
  {
    Account account;
    RecentlyUsed<int, std::string, Counted<std::pair<const int, std::string>>> words(3, Counted<std::pair<const int, std::string>>(account));
    for (const int n : {1, 2, 3, 1, 4, 2, 5, 1}) {
      if (!words.get(n)) words.put(n, std::string(static_cast<std::size_t>(n), static_cast<char>('a' + n)));
    }
    for (const auto& [key, value] : words) std::cout << key << '=' << value << ' ';
    std::cout << words.counts().first << " hits, " << words.counts().second << " misses, " << account.blocks << " blocks\n";
  }
  Logged log(std::pmr::new_delete_resource());
  {
    std::pmr::monotonic_buffer_resource arena(512, &log);
    std::pmr::map<std::pmr::string, std::pmr::vector<int>> table(&arena);
    for (int n = 0; n < 30; ++n) table[std::pmr::string("key that does not fit a short string ", &arena) + std::to_string(n % 7).c_str()].push_back(n);
    std::cout << table.size() << " keys, " << table.begin()->second.size() << " values, " << log.calls() << " buffers, same resource: "
              << (table.begin()->second.get_allocator().resource() == &arena) << '\n';
    std::array<std::byte, 256> local;
    std::pmr::monotonic_buffer_resource small(local.data(), local.size(), std::pmr::null_memory_resource());
    std::pmr::vector<int> numbers(&small);
    try {
      for (int n = 0;; ++n) numbers.push_back(n);
    } catch (const std::bad_alloc&) {
      std::cout << "full after " << numbers.size() << '\n';
    }
  }
  std::cout << log.live() << " bytes are left\n";
  {
    std::pmr::unsynchronized_pool_resource pool(&log);
    std::pmr::unordered_set<int> set(&pool);
    for (int n = 0; n < 50; ++n) set.insert(n * n % 23);
    std::pmr::list<std::pmr::string> lines({"one", "two"}, &pool);
    lines.emplace_back("three");
    std::cout << set.size() << ' ' << lines.size() << ' ' << lines.back() << ' ' << (log.live() > 0) << '\n';
  }
  std::cout << log.live() << " bytes are left\n";
  std::pmr::set_default_resource(&log);
  std::cout << (std::pmr::vector<int>().get_allocator().resource() == &log) << '\n';
  std::pmr::set_default_resource(nullptr);

  SkipList<int> skips;
  std::set<int> model;
  std::minstd_rand random(5);
  for (int n = 0; n < 200; ++n) {
    const int value = static_cast<int>(random() % 60);
    const bool add = random() % 2 == 0;
    assert((add ? skips.insert(value) : skips.erase(value)) == (add ? model.insert(value).second : model.erase(value) > 0));
  }
  std::vector<int> listed;
  skips.each([&](int value) { listed.push_back(value); });
  std::cout << std::equal(listed.begin(), listed.end(), model.begin(), model.end()) << ' ' << listed.size() << '\n';

  auto pictures = std::make_shared<Pictures>();
  auto first = pictures->load("sea"), again = pictures->load("sea");
  std::cout << (first == again) << pictures->loads() << pictures->size() << first.use_count() << ' ';
  first.reset(), again.reset();
  std::cout << pictures->size() << ' ';
  first = pictures->load("sea");
  pictures.reset();
  std::cout << first->name << first->data.size() << '\n';
}
