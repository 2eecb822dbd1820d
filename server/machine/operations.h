// The bodies of the interpreter's operations as macros; `interpreter.cc` is their table and alone includes this header.
//
// In:      the locals of Machine::State::run: t, r (slots), ip, entry, fuel, mark, chunks, fast_epoch, address,
//          access_size.
// Out:     changed slots and guest memory; a jump to the next operation, or to one of run()'s labels.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   jumps to bad_load, bad_store, faulted or out_of_fuel.
#pragma once

// On a path with unknown values each operation is looked at before it runs.
#define HEDDLE_DISPATCH()                             \
  do {                                                \
    if constexpr (kSymbolic)                          \
      goto symbolic;                                  \
    else                                              \
      goto* kLabels[static_cast<uint32_t>(ip->code)]; \
  } while (false)
#define HEDDLE_NEXT()  \
  do {                 \
    ++ip;              \
    HEDDLE_DISPATCH(); \
  } while (false)
#define HEDDLE_SYNC() (t.pc = static_cast<uint32_t>(ip - code_))
// Bytes of code from `entry` to here: fuel is counted in these, which spares a division by their size.
#define HEDDLE_DONE() (reinterpret_cast<const char*>(ip + 1) - reinterpret_cast<const char*>(entry))
// Take a jump; backward ones check the fuel.
#define HEDDLE_GO(offset)                                       \
  do {                                                          \
    const int64_t by = (offset);                                \
    fuel -= HEDDLE_DONE();                                      \
    ip += by;                                                   \
    entry = ip;                                                 \
    if (HEDDLE_UNLIKELY(by <= 0 && fuel < 0)) goto out_of_fuel; \
    HEDDLE_DISPATCH();                                          \
  } while (false)
// After t.pc, t.fp or the stack changed.
#define HEDDLE_RELOAD() \
  do {                  \
    r = t.stack + t.fp; \
    ip = code_ + t.pc;  \
    entry = ip;         \
  } while (false)
#define HEDDLE_COUNT() (fuel -= HEDDLE_DONE())
#define A r[ip->a]
#define B r[ip->b]
#define D r[ip->dst]
#define IMM static_cast<uint64_t>(ip->imm)
#define BINARY(Name, expression64, expression32, expressionN)                    \
  op_##Name##64R : {                                                             \
    const uint64_t a = A, b = B;                                                 \
    D = (expression64);                                                          \
    HEDDLE_NEXT();                                                               \
  }                                                                              \
  op_##Name##32R : {                                                             \
    const uint32_t a = static_cast<uint32_t>(A), b = static_cast<uint32_t>(B);   \
    D = static_cast<uint32_t>(expression32);                                     \
    HEDDLE_NEXT();                                                               \
  }                                                                              \
  op_##Name##NR : {                                                              \
    const uint32_t w = ip->width;                                                \
    const uint64_t a = A, b = B;                                                 \
    D = (expressionN) & width_mask(w);                                           \
    HEDDLE_NEXT();                                                               \
  }                                                                              \
  op_##Name##64I : {                                                             \
    const uint64_t a = A, b = IMM;                                               \
    D = (expression64);                                                          \
    HEDDLE_NEXT();                                                               \
  }                                                                              \
  op_##Name##32I : {                                                             \
    const uint32_t a = static_cast<uint32_t>(A), b = static_cast<uint32_t>(IMM); \
    D = static_cast<uint32_t>(expression32);                                     \
    HEDDLE_NEXT();                                                               \
  }                                                                              \
  op_##Name##NI : {                                                              \
    const uint32_t w = ip->width;                                                \
    const uint64_t a = A, b = IMM & width_mask(w);                               \
    D = (expressionN) & width_mask(w);                                           \
    HEDDLE_NEXT();                                                               \
  }
#define COMPARE(Name, op)                                                        \
  op_##Name##64R : D = static_cast<int64_t>(A) op static_cast<int64_t>(B);       \
  HEDDLE_NEXT();                                                                 \
  op_##Name##32R : D = static_cast<int32_t>(A) op static_cast<int32_t>(B);       \
  HEDDLE_NEXT();                                                                 \
  op_##Name##NR : D = signed_of(A, ip->width) op signed_of(B, ip->width);        \
  HEDDLE_NEXT();                                                                 \
  op_##Name##64I : D = static_cast<int64_t>(A) op ip->imm;                       \
  HEDDLE_NEXT();                                                                 \
  op_##Name##32I : D = static_cast<int32_t>(A) op static_cast<int32_t>(ip->imm); \
  HEDDLE_NEXT();                                                                 \
  op_##Name##NI : D = signed_of(A, ip->width) op ip->imm;                        \
  HEDDLE_NEXT();
#define PLAIN(Name, op)        \
  op_##Name##R : D = A op B;   \
  HEDDLE_NEXT();               \
  op_##Name##I : D = A op IMM; \
  HEDDLE_NEXT();
#define DIVIDE_BY(Name, divisor, expression, overflow)        \
  op_##Name : {                                               \
    const uint32_t w = ip->width;                             \
    const uint64_t a = A, b = divisor;                        \
    if (HEDDLE_UNLIKELY(b == 0)) {                            \
      goto divided_by_zero;                                   \
    }                                                         \
    if (HEDDLE_UNLIKELY(overflow)) goto divided_by_minus_one; \
    D = (expression) & width_mask(w);                         \
    HEDDLE_NEXT();                                            \
  }
#define DIVIDE(Name, expression, overflow)    \
  DIVIDE_BY(Name##R, B, expression, overflow) \
  DIVIDE_BY(Name##I, IMM, expression, overflow)
#define BRANCH(Name, condition_r, condition_i)                                              \
  op_##Name##R : {                                                                          \
    const uint64_t a = A, b = B;                                                            \
    HEDDLE_GO((condition_r) ? static_cast<int32_t>(ip->dst) : ip->imm);                     \
  }                                                                                         \
  op_##Name##I : {                                                                          \
    const uint64_t a = A, b = IMM;                                                          \
    HEDDLE_GO((condition_i) ? static_cast<int32_t>(ip->dst) : static_cast<int32_t>(ip->b)); \
  }
#define SIGNED_BRANCH(Name, op)                                        \
  BRANCH(Name##64, static_cast<int64_t>(a) op static_cast<int64_t>(b), \
         static_cast<int64_t>(a) op static_cast<int64_t>(b))           \
  BRANCH(Name##32, static_cast<int32_t>(a) op static_cast<int32_t>(b), \
         static_cast<int32_t>(a) op static_cast<int32_t>(b))
#define FLOATS(Name, op)                                                                                             \
  op_Float##Name##64                                                                                                 \
      : D = __builtin_bit_cast(uint64_t, __builtin_bit_cast(double, A) op __builtin_bit_cast(double, B));            \
  HEDDLE_NEXT();                                                                                                     \
  op_Float##Name##32 : D = __builtin_bit_cast(uint32_t, __builtin_bit_cast(float, static_cast<uint32_t>(A))          \
                                                            op __builtin_bit_cast(float, static_cast<uint32_t>(B))); \
  HEDDLE_NEXT();
#define LOAD(T, where, kShared)                                                                   \
  {                                                                                               \
    const uint64_t p = (where);                                                                   \
    Object* const o = chunks[p >> 48] + (p >> 32 & 0xffff);                                       \
    const uint32_t offset = static_cast<uint32_t>(p);                                             \
    if (HEDDLE_UNLIKELY(uint64_t{offset} + sizeof(T) > o->size)) {                                \
      address = p;                                                                                \
      access_size = sizeof(T);                                                                    \
      goto bad_load;                                                                              \
    }                                                                                             \
    if (o->init != nullptr) {                                                                     \
      constexpr uint32_t kBytes = (1u << sizeof(T)) - 1;                                          \
      if (HEDDLE_UNLIKELY((o->init[offset / 8] >> (offset % 8) & kBytes) != kBytes)) {            \
        HEDDLE_SYNC();                                                                            \
        if (!reads_unwritten(t, ip->flags, *o, {p}, sizeof(T))) goto faulted;                     \
      }                                                                                           \
    }                                                                                             \
    if (kShared && HEDDLE_UNLIKELY(root_.tracking)) {                                             \
      if (o->shadow == nullptr || sizeof(T) >> o->shadow_shift == 0 || offset % sizeof(T) != 0 || \
          8u >> o->shadow[offset >> o->shadow_shift].halvings < sizeof(T) ||                      \
          o->shadow[offset >> o->shadow_shift].read_epoch != fast_epoch) {                        \
        HEDDLE_SYNC();                                                                            \
        access_shared(t, *o, p, sizeof(T), false);                                                \
      }                                                                                           \
    }                                                                                             \
    T value;                                                                                      \
    __builtin_memcpy(&value, o->data + offset, sizeof(T));                                        \
    D = value;                                                                                    \
    HEDDLE_NEXT();                                                                                \
  }
// Stores `value` at `offset` of `o`, within one word: with undo, fingerprint and initialisation bits.
#define WRITE_IN_WORD(T)                                                                        \
  do {                                                                                          \
    uint64_t* const word = reinterpret_cast<uint64_t*>(o->data + offset / 8 * 8);               \
    if (o->born < mark) {                                                                       \
      if (HEDDLE_UNLIKELY(undo_.bulky()))                                                       \
        memory_.save(*o, word);                                                                 \
      else                                                                                      \
        undo_.word(word);                                                                       \
    }                                                                                           \
    if constexpr (kHash) memory_.change_hash(hash_word(p & ~uint64_t{7}, *word));               \
    __builtin_memcpy(o->data + offset, &value, sizeof(T));                                      \
    if constexpr (kHash) memory_.change_hash(hash_word(p & ~uint64_t{7}, *word));               \
    if (o->init != nullptr) {                                                                   \
      constexpr uint32_t kBytes = (1u << sizeof(T)) - 1;                                        \
      uint8_t* const bits = o->init + offset / 8;                                               \
      const uint32_t wanted = kBytes << (offset % 8);                                           \
      if ((*bits & wanted) != wanted) {                                                         \
        if (o->born < mark) undo_.word(reinterpret_cast<uint64_t*>(o->init + offset / 64 * 8)); \
        *bits = static_cast<uint8_t>(*bits | wanted);                                           \
      }                                                                                         \
    }                                                                                           \
  } while (false)
#define STORE(T, where, stored, kShared)                                                                        \
  {                                                                                                             \
    const uint64_t p = (where);                                                                                 \
    Object* const o = chunks[p >> 48] + (p >> 32 & 0xffff);                                                     \
    const uint32_t offset = static_cast<uint32_t>(p);                                                           \
    if (HEDDLE_UNLIKELY(uint64_t{offset} + sizeof(T) > o->write_size)) {                                        \
      address = p;                                                                                              \
      access_size = sizeof(T);                                                                                  \
      goto bad_store;                                                                                           \
    }                                                                                                           \
    if (kShared && HEDDLE_UNLIKELY(root_.tracking)) {                                                           \
      if (o->shadow == nullptr || sizeof(T) >> o->shadow_shift == 0 || offset % sizeof(T) != 0 ||               \
          8u >> o->shadow[offset >> o->shadow_shift].halvings < sizeof(T) ||                                    \
          o->shadow[offset >> o->shadow_shift].write_epoch != fast_epoch) {                                     \
        HEDDLE_SYNC();                                                                                          \
        if (sizeof(T) != 8 || !keeps_virtual_table(*o, offset, static_cast<uint64_t>(stored)))                  \
          access_shared(t, *o, p, sizeof(T), true);                                                             \
      }                                                                                                         \
    }                                                                                                           \
    ++t.stores;                                                                                                 \
    const T value = static_cast<T>(stored);                                                                     \
    if (sizeof(T) == 8 && HEDDLE_UNLIKELY(may_be_stack_address(value))) note_stack_address(*this, t, p, value); \
    if (HEDDLE_UNLIKELY(offset % 8 + sizeof(T) > 8)) {                                                          \
      t.unwritten = 0;                                                                                          \
      before_store(*o, p, offset, sizeof(T));                                                                   \
      __builtin_memcpy(o->data + offset, &value, sizeof(T));                                                    \
      after_store(*o, p, offset, sizeof(T));                                                                    \
      HEDDLE_NEXT();                                                                                            \
    }                                                                                                           \
    WRITE_IN_WORD(T);                                                                                           \
    if (HEDDLE_UNLIKELY(t.unwritten != 0)) keep_unwritten(t, *o, offset, ip);                                   \
    HEDDLE_NEXT();                                                                                              \
  }
// Atomics on memory that one thread alone reaches: the slow way names what is wrong with the place.
#define LOCAL_ATOMIC(T, where, changed)                                                                                \
  {                                                                                                                    \
    const uint64_t p = (where);                                                                                        \
    Object* const o = chunks[p >> 48] + (p >> 32 & 0xffff);                                                            \
    const uint32_t offset = static_cast<uint32_t>(p);                                                                  \
    if (HEDDLE_UNLIKELY(uint64_t{offset} + sizeof(T) > o->write_size || offset % sizeof(T) != 0)) goto op_LocalAtomic; \
    T old;                                                                                                             \
    __builtin_memcpy(&old, o->data + offset, sizeof(T));                                                               \
    const T operand = static_cast<T>(B);                                                                               \
    const T value = (changed);                                                                                         \
    t.stores += value != old; /* writing what is there changes nothing */                                              \
    WRITE_IN_WORD(T);
#define LOCAL_ATOMICS(n, T)                                                                                   \
  op_LocalAtomicStore##n : LOCAL_ATOMIC(T, A + IMM, operand) HEDDLE_NEXT();                                   \
  }                                                                                                           \
  op_LocalAtomicUpdate##n                                                                                     \
      : LOCAL_ATOMIC(T, A, local_update<T>(static_cast<program::UpdateKind>(ip->imm), old, operand)) D = old; \
  HEDDLE_NEXT();                                                                                              \
  }
#define INDEXED(base, index)                                 \
  ((base) + (index) * static_cast<uint64_t>(ip->imm >> 32) + \
   static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(ip->imm))))
#define SIZED(n, T)                                                                            \
  op_LoadL##n : LOAD(T, A + IMM, false) op_LoadS##n : LOAD(T, A + IMM, true) op_LoadXL##n      \
      : LOAD(T, INDEXED(A, B), false) op_LoadXS##n : LOAD(T, INDEXED(A, B), true) op_StoreL##n \
      : STORE(T, A + IMM, B, false) op_StoreS##n : STORE(T, A + IMM, B, true) op_StoreXL##n    \
      : STORE(T, INDEXED(A, B), D, false) op_StoreXS##n : STORE(T, INDEXED(A, B), D, true)
#define LEAVE_FRAME()                                                                                       \
  const uint64_t link = r[-1];                                                                              \
  HEDDLE_SYNC();                                                                                            \
  if (HEDDLE_UNLIKELY(static_cast<uint32_t>(r[-2] >> 32) != t.stack_objects)) {                             \
    end_stack_objects(t, static_cast<uint32_t>(r[-2] >> 32), true);                                         \
    if (HEDDLE_UNLIKELY(fault_raised_)) goto faulted;                                                       \
  }                                                                                                         \
  if (HEDDLE_UNLIKELY(reinterpret_cast<uint64_t>(t.stack_memory) != r[-3])) restore_stack_memory(t, r[-3]); \
  t.top = t.fp - kHeader;                                                                                   \
  t.fp = static_cast<uint32_t>(link >> 32);                                                                 \
  --t.depth;                                                                                                \
  if (HEDDLE_UNLIKELY(t.fp - kHeader < t.saved_from)) save_frame(t, t.fp);                                  \
  HEDDLE_COUNT();                                                                                           \
  r = t.stack + t.fp;                                                                                       \
  ip = code_ + static_cast<uint32_t>(link);                                                                 \
  entry = ip
