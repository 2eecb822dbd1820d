#include "server/machine/memory/blocks.h"

#include <cstring>

namespace heddle::machine {
namespace {

// Two sizes per power of two: 16, 32, 48, 64, 96, 128, 192, ...
uint32_t class_of(uint64_t bytes) {
  if (bytes <= 64) return bytes <= 16 ? 0 : static_cast<uint32_t>((bytes - 1) / 16);
  const uint32_t log = 63 - static_cast<uint32_t>(__builtin_clzll(bytes - 1));  // 2^log < bytes <= 2^(log+1)
  const bool lower = bytes <= (uint64_t{3} << (log - 1));
  return 4 + (log - 6) * 2 + (lower ? 0 : 1);
}

uint64_t bytes_of_class(uint32_t size_class) {
  if (size_class < 4) return 16 * (size_class + 1);
  const uint32_t step = size_class - 4;
  return step % 2 == 0 ? uint64_t{96} << (step / 2) : uint64_t{128} << (step / 2);
}

constexpr uint64_t kLargeBytes = uint64_t{1} << 20;  // pages of such blocks are touched when the guest does

void clear(uint8_t* at, uint64_t bytes) {  // a multiple of 8, small most often
  if (bytes > 64) {
    std::memset(at, 0, bytes);
    return;
  }
  for (uint64_t n = 0; n < bytes; n += 8) std::memset(at + n, 0, 8);
}

}  // namespace

uint8_t* Blocks::take(uint64_t bytes) {
  const uint32_t size_class = class_of(bytes);
  FreeList& list = free_[size_class];
  if (list.head != 0) {
    auto* block = reinterpret_cast<uint8_t*>(list.head);
    BlockHeader& header = header_of(block);
    if (header.born < undo_.mark()) {
      undo_.blob(&header, (sizeof(BlockHeader) + bytes_of_class(size_class)) / 8);
      header.born = undo_.mark();
    }
    undo_.touch(list);
    list.head = header.next;
    return block;
  }
  auto* block =
      static_cast<uint8_t*>(undo_.take(bytes_of_class(size_class) + sizeof(BlockHeader))) + sizeof(BlockHeader);
  header_of(block) = {undo_.mark(), size_class, 0};
  return block;
}

uint8_t* Blocks::take_zero(uint64_t bytes) {
  const uint32_t size_class = class_of(bytes);
  if (bytes < kLargeBytes || free_[size_class].head != 0) {
    uint8_t* const block = take(bytes);
    clear(block, bytes);
    return block;
  }
  auto* const block =
      undo_.take_zeroed<uint8_t>(bytes_of_class(size_class) + sizeof(BlockHeader)) + sizeof(BlockHeader);
  header_of(block) = {undo_.mark(), size_class, 0};
  return block;
}

void Blocks::give(uint8_t* block) {
  BlockHeader& header = header_of(block);
  if (header.born < undo_.mark()) undo_.word(&header.next);
  FreeList& list = free_[header.size_class];
  undo_.touch(list);
  header.next = list.head;
  list.head = reinterpret_cast<uint64_t>(block);
}

}  // namespace heddle::machine
