// Memory resources (C++17). Pools pass every block on to their upstream resource and remember it: the blocks stay
// apart, so that errors in their use are noticed.
#include <algorithm>
#include <atomic>
#include <memory_resource>
#include <mutex>
#include <new>
#include <shared_mutex>

namespace std::pmr {

memory_resource::~memory_resource() = default;

namespace {

class NewDelete final : public memory_resource {
  void* do_allocate(size_t bytes, size_t alignment) override {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes, align_val_t(alignment));
    return ::operator new(bytes);
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(block, bytes, align_val_t(alignment));
    ::operator delete(block, bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class Null final : public memory_resource {
  void* do_allocate(size_t, size_t) override { throw bad_alloc(); }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Lives as long as the process.
template <typename T>
union Kept {
  char unused;
  T value;
  constexpr Kept() : value() {}
  ~Kept() {}
};
constinit Kept<NewDelete> new_delete;
constinit Kept<Null> null;
constinit atomic<memory_resource*> standard{&new_delete.value};

size_t rounded_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

}  // namespace

memory_resource* new_delete_resource() noexcept { return &new_delete.value; }
memory_resource* null_memory_resource() noexcept { return &null.value; }
memory_resource* get_default_resource() noexcept { return standard.load(); }
memory_resource* set_default_resource(memory_resource* resource) noexcept {
  return standard.exchange(resource == nullptr ? &new_delete.value : resource);
}

// --- one buffer after the other -------------------------------------------------------------------------------------

// At the end of every buffer.
class monotonic_buffer_resource::_Chunk {
 public:
  _Chunk* next;
  size_t size : 56;
  size_t alignment_exponent : 8;
  void* start() { return reinterpret_cast<char*>(this + 1) - size; }
};

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t alignment) {
  alignment = max(alignment, alignof(max_align_t));
  const size_t size = rounded_up(max(bytes, _M_next_bufsiz) + sizeof(_Chunk), 64);
  auto* const buffer = static_cast<char*>(_M_upstream->allocate(size, alignment));
  const auto exponent = static_cast<size_t>(__builtin_ctzl(alignment));
  _M_head = ::new (static_cast<void*>(buffer + size - sizeof(_Chunk))) _Chunk{_M_head, size, exponent};
  _M_current_buf = buffer;
  _M_avail = size - sizeof(_Chunk);
  _M_next_bufsiz *= _S_growth_factor;
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_M_head != nullptr) {
    _Chunk* const chunk = _M_head;
    _M_head = chunk->next;
    _M_upstream->deallocate(chunk->start(), chunk->size, size_t{1} << chunk->alignment_exponent);
  }
}

// --- pools ----------------------------------------------------------------------------------------------------------

struct __pool_resource::_BigBlock {
  void* start;
  size_t size, alignment;
};

namespace {

// As libstdc++ rounds them.
pool_options usable(pool_options options) {
  size_t& blocks = options.max_blocks_per_chunk;
  size_t& largest = options.largest_required_pool_block;
  blocks = blocks == 0 ? 1 << 14 : min(rounded_up(blocks, 4), size_t{(1 << 19) - 1});
  largest = largest == 0 ? 4096 : min(rounded_up(largest, 8), size_t{4 << 20});
  return options;
}

}  // namespace

__pool_resource::__pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_opts(usable(options)), _M_unpooled(upstream), _M_npools(0) {}
__pool_resource::~__pool_resource() { release(); }

void* __pool_resource::allocate(size_t bytes, size_t alignment) {
  _M_unpooled.push_back({nullptr, bytes, alignment});
  try {
    return _M_unpooled.back().start = resource()->allocate(bytes, alignment);
  } catch (...) {
    _M_unpooled.pop_back();
    throw;
  }
}

void __pool_resource::deallocate(void* block, size_t, size_t) {
  const auto found =
      find_if(_M_unpooled.begin(), _M_unpooled.end(), [&](const _BigBlock& known) { return known.start == block; });
  if (found == _M_unpooled.end()) return;
  resource()->deallocate(found->start, found->size, found->alignment);
  *found = _M_unpooled.back();
  _M_unpooled.pop_back();
}

void __pool_resource::release() noexcept {
  for (const _BigBlock& block : _M_unpooled) resource()->deallocate(block.start, block.size, block.alignment);
  _GLIBCXX_STD_C::pmr::vector<_BigBlock>(_M_unpooled.get_allocator()).swap(_M_unpooled);
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void* unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  return _M_impl.allocate(bytes, alignment);
}
void unsynchronized_pool_resource::do_deallocate(void* block, size_t bytes, size_t alignment) {
  _M_impl.deallocate(block, bytes, alignment);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
synchronized_pool_resource::~synchronized_pool_resource() = default;
void synchronized_pool_resource::release() {
  const lock_guard lock(_M_mx);
  _M_impl.release();
}
void* synchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  const lock_guard lock(_M_mx);
  return _M_impl.allocate(bytes, alignment);
}
void synchronized_pool_resource::do_deallocate(void* block, size_t bytes, size_t alignment) {
  const lock_guard lock(_M_mx);
  _M_impl.deallocate(block, bytes, alignment);
}

}  // namespace std::pmr
