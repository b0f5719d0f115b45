/* What a module that is written as C is made of: values, WebAssembly's operators under their own names, memory with bounds, and
   what the interpreter does on behalf of a run. A run cannot leave its memory, and ends when its instructions are used up. */
#include <float.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

/* Whether memory was written to is known for pieces of so many bytes. */
#define CHUNK MAGNETO_CHUNK

#if FLT_EVAL_METHOD != 0
#error "intermediate results have more precision than their type"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "memory is little-endian"
#endif

typedef uint32_t I32;
typedef uint64_t I64;
typedef float F32;
typedef double F64;

/* The same as `Context` of the interpreter's side. */
struct context {
  uint8_t *bytes;
  uint64_t size;
  const uint8_t *is_dirty;
  /* From and up to which address there is memory whatever is allocated. */
  uint64_t plain_from, plain_upto;
  /* The piece beyond these that was used last. */
  uint64_t piece_from, piece_upto;
  /* Where reads and writes need no further questions. */
  uint64_t read_from, read_room, write_from, write_room;
  /* By site, whether the search looks. */
  const uint8_t *live;
  uint64_t *globals;
  const void *const *functions;
  void *back;
  int64_t fuel;
  int64_t room;
  uint32_t calls;
  uint32_t trap;
  void (*branch)(struct context *, uint32_t site, uint32_t way, uint64_t a, uint64_t b);
  void (*arm)(struct context *, uint32_t site, uint32_t arm, uint32_t arms, uint32_t index);
  void (*probe)(struct context *, uint32_t site, const uint64_t *operands, uint32_t count);
  uint64_t (*host)(struct context *, uint32_t import, const uint64_t *arguments, uint32_t count);
  uint64_t (*place)(struct context *, uint64_t address, uint32_t offset, uint32_t length);
  void (*touch)(struct context *, uint64_t from, uint32_t length);
  uint64_t (*pages)(struct context *, uint32_t is_more, uint64_t more);
  void (*copy)(struct context *, uint64_t to, uint64_t from, uint64_t length);
  void (*fill)(struct context *, uint64_t to, uint64_t byte, uint64_t length);
  void *side;
};

enum { NONE, UNREACHABLE, OUT_OF_BOUNDS, DIVISION_BY_ZERO, OVERFLOWS, INDIRECT_CALL, FUEL, STACK_OVERFLOW, GIVEN, GIVEN_UP };

#define RARE(x) __builtin_expect(!!(x), 0)
#define ALONE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

static __attribute__((noreturn, noinline, cold)) void end(struct context *c, uint32_t trap, int64_t fuel) {
  c->trap = trap;
  c->fuel = fuel;
  longjmp(*(jmp_buf *)c->back, 1);
}

/* `rest`: instructions that were charged for and come after this one. */
#define TRAP(trap, rest) end(c, trap, fuel + (rest))
#define CHECK(bad, trap, rest) do { if (RARE(bad)) TRAP(trap, rest); } while (0)
/* After what the other side did. */
#define CHECK_GIVEN(rest) CHECK(c->trap, c->trap, rest)
#define CHARGE(n) do { fuel -= (n); if (RARE(fuel < 0)) end(c, FUEL, 0); } while (0)
#define SEE(site, way, a, b) do { if (RARE(c->live[site])) c->branch(c, site, way, a, b); } while (0)
#define SEE_ARM(site, way, arms, index) do { if (RARE(c->live[site])) c->arm(c, site, way, arms, index); } while (0)

#define ENTER(bytes)                                    \
  int64_t fuel = c->fuel;                               \
  if (RARE(c->calls == 0)) TRAP(STACK_OVERFLOW, 0);     \
  if (RARE(c->room < (bytes))) TRAP(GIVEN_UP, 0);       \
  c->calls--;                                           \
  c->room -= (bytes)
#define LEAVE(bytes) do { c->calls++; c->room += (bytes); c->fuel = fuel; } while (0)

/* Bits. */
INLINE F32 F32_of(uint64_t bits) { uint32_t x = (uint32_t)bits; F32 y; memcpy(&y, &x, 4); return y; }
INLINE F64 F64_of(uint64_t bits) { F64 y; memcpy(&y, &bits, 8); return y; }
#define I32_of(bits) ((I32)(bits))
#define I64_of(bits) ((I64)(bits))
INLINE uint64_t F32_bits(F32 x) { uint32_t y; memcpy(&y, &x, 4); return y; }
INLINE uint64_t F64_bits(F64 x) { uint64_t y; memcpy(&y, &x, 8); return y; }
#define I32_bits(x) ((uint64_t)(x))
#define I64_bits(x) ((uint64_t)(x))

/* Memory. What was read or written last is likely to be read or written again: for both there is a range of addresses without
   further questions, whose room is how many places in it 8 bytes may begin at. */
static uint64_t placed(struct context *c, uint64_t address, uint32_t offset, uint32_t length, int64_t charged) {
  uint64_t from = address + offset, upto = from + length;
  int is_plain = from >= c->plain_from && upto <= c->plain_upto, is_piece = from >= c->piece_from && upto <= c->piece_upto;
  if (from < address || upto < from || !(is_plain || is_piece)) {
    from = c->place(c, address, offset, length);
    if (c->trap) end(c, c->trap, charged);
  }
  return from;
}

/* The range around an address from which reads and writes may go on. */
static void range(struct context *c, uint64_t at, uint64_t *from, uint64_t *upto) {
  int is_plain = at >= c->plain_from && at < c->plain_upto;
  *from = is_plain ? c->plain_from : c->piece_from;
  *upto = is_plain ? c->plain_upto : c->piece_upto;
}

ALONE uint64_t readable(struct context *c, uint64_t address, uint32_t offset, uint32_t length, int64_t charged) {
  uint64_t at = placed(c, address, offset, length, charged), from, upto;
  range(c, at, &from, &upto);
  if (from <= at && at + 8 <= upto) {
    c->read_from = from;
    c->read_room = upto - from - 7;
  }
  return at;
}

ALONE uint64_t writable(struct context *c, uint64_t address, uint32_t offset, uint32_t length, int64_t charged) {
  uint64_t at = placed(c, address, offset, length, charged), first = at / CHUNK, last = (at + length - 1) / CHUNK, from, upto;
  if (!(c->is_dirty[first] && c->is_dirty[last])) c->touch(c, at, length);
  range(c, at, &from, &upto);
  /* Pieces that are not written to yet have to be put down when they are. */
  for (int i = 0; i < 64 && first > 0 && c->is_dirty[first - 1]; i++) first--;
  for (int i = 0; i < 64 && (last + 2) * CHUNK <= c->size && c->is_dirty[last + 1]; i++) last++;
  if (from < first * CHUNK) from = first * CHUNK;
  if (upto > (last + 1) * CHUNK) upto = (last + 1) * CHUNK;
  if (from <= at && at + 8 <= upto) {
    c->write_from = from;
    c->write_room = upto - from - 7;
  }
  return at;
}

/* Addresses of 32 bits with an offset have room in 64 bits. */
#define WRAPS(at, address) (MAGNETO_WIDE && (at) < (address))
#define READ(address, offset, rest, stored, x) do {                                                      \
    uint64_t at = (uint64_t)(address) + (offset);                                                        \
    if (RARE(at - c->read_from >= c->read_room || WRAPS(at, address)))                                   \
      at = readable(c, address, offset, sizeof(stored), fuel + (rest));                                  \
    stored y;                                                                                            \
    memcpy(&y, c->bytes + at, sizeof y);                                                                 \
    x = y;                                                                                               \
  } while (0)
#define WRITE(address, offset, rest, stored, x) do {                                                     \
    uint64_t at = (uint64_t)(address) + (offset);                                                        \
    if (RARE(at - c->write_from >= c->write_room || WRAPS(at, address)))                                 \
      at = writable(c, address, offset, sizeof(stored), fuel + (rest));                                  \
    stored y = (stored)(x);                                                                              \
    memcpy(c->bytes + at, &y, sizeof y);                                                                 \
  } while (0)

/* The part of the stack that a function takes: all of it is there, and is put back afterwards. */
ALONE void frame_is_there(struct context *c, uint64_t from, uint64_t bytes, int64_t charged) {
  if (from < c->plain_from || from > c->plain_upto || bytes > c->plain_upto - from) end(c, GIVEN_UP, charged);
  for (uint64_t chunk = from / CHUNK; chunk * CHUNK < from + bytes; chunk++)
    if (!c->is_dirty[chunk]) {
      c->touch(c, from, (uint32_t)bytes);
      return;
    }
}
#define FRAME(address, length, rest) do { frame_is_there(c, address, length, fuel + (rest)); frame = c->bytes + (address); } while (0)
#define READ_FRAME(offset, stored, x) do { stored y; memcpy(&y, frame + (offset), sizeof y); x = y; } while (0)
#define WRITE_FRAME(offset, stored, x) do { stored y = (stored)(x); memcpy(frame + (offset), &y, sizeof y); } while (0)

/* Operators of one operand. */
#define I32Eqz(a) ((I32)((a) == 0))
#define I32Clz(a) ((I32)((a) ? __builtin_clz(a) : 32))
#define I32Ctz(a) ((I32)((a) ? __builtin_ctz(a) : 32))
#define I32Popcnt(a) ((I32)__builtin_popcount(a))
#define I32Extend8S(a) ((I32)(int8_t)(a))
#define I32Extend16S(a) ((I32)(int16_t)(a))
#define I64Eqz(a) ((I32)((a) == 0))
#define I64Clz(a) ((I64)((a) ? __builtin_clzll(a) : 64))
#define I64Ctz(a) ((I64)((a) ? __builtin_ctzll(a) : 64))
#define I64Popcnt(a) ((I64)__builtin_popcountll(a))
#define I64Extend8S(a) ((I64)(int8_t)(a))
#define I64Extend16S(a) ((I64)(int16_t)(a))
#define I64Extend32S(a) ((I64)(int32_t)(a))
#define F32Abs(a) F32_of(F32_bits(a) & 0x7fffffff)
#define F32Neg(a) F32_of(F32_bits(a) ^ 0x80000000)
#define F64Abs(a) F64_of(F64_bits(a) & 0x7fffffffffffffff)
#define F64Neg(a) F64_of(F64_bits(a) ^ 0x8000000000000000)
INLINE F32 quiet32(F32 a) { return F32_of(F32_bits(a) | 1u << 22); }
INLINE F64 quiet64(F64 a) { return F64_of(F64_bits(a) | (uint64_t)1 << 51); }
#define F32Ceil(a) ((a) != (a) ? quiet32(a) : __builtin_ceilf(a))
#define F32Floor(a) ((a) != (a) ? quiet32(a) : __builtin_floorf(a))
#define F32Trunc(a) ((a) != (a) ? quiet32(a) : __builtin_truncf(a))
#define F32Nearest(a) ((a) != (a) ? quiet32(a) : __builtin_rintf(a))
#define F32Sqrt(a) __builtin_sqrtf(a)
#define F64Ceil(a) ((a) != (a) ? quiet64(a) : __builtin_ceil(a))
#define F64Floor(a) ((a) != (a) ? quiet64(a) : __builtin_floor(a))
#define F64Trunc(a) ((a) != (a) ? quiet64(a) : __builtin_trunc(a))
#define F64Nearest(a) ((a) != (a) ? quiet64(a) : __builtin_rint(a))
#define F64Sqrt(a) __builtin_sqrt(a)
#define I32WrapI64(a) ((I32)(a))
#define I64ExtendI32S(a) ((I64)(int32_t)(a))
#define I64ExtendI32U(a) ((I64)(a))
#define F32ConvertI32S(a) ((F32)(int32_t)(a))
#define F32ConvertI32U(a) ((F32)(a))
#define F32ConvertI64S(a) ((F32)(int64_t)(a))
#define F32ConvertI64U(a) ((F32)(a))
#define F32DemoteF64(a) ((F32)(a))
#define F64ConvertI32S(a) ((F64)(int32_t)(a))
#define F64ConvertI32U(a) ((F64)(a))
#define F64ConvertI64S(a) ((F64)(int64_t)(a))
#define F64ConvertI64U(a) ((F64)(a))
#define F64PromoteF32(a) ((F64)(a))
#define I32ReinterpretF32(a) ((I32)F32_bits(a))
#define I64ReinterpretF64(a) F64_bits(a)
#define F32ReinterpretI32(a) F32_of(a)
#define F64ReinterpretI64(a) F64_of(a)

/* Conversions to integers: toward zero; the nearest integer where the number has none, 0 for a NaN. */
#define TWO_31 2147483648.0
#define TWO_32 4294967296.0
#define TWO_63 9223372036854775808.0
#define IS_I32S(x) ((x) > -TWO_31 - 1.0 && (x) < TWO_31)
#define IS_I32U(x) ((x) > -1.0 && (x) < TWO_32)
#define IS_I64S(x) ((x) >= -TWO_63 && (x) < TWO_63)
#define IS_I64U(x) ((x) > -1.0 && (x) < 2.0 * TWO_63)
INLINE I32 to_i32s(F64 x) { return IS_I32S(x) ? (I32)(int32_t)x : x != x ? 0 : x < 0 ? 0x80000000 : 0x7fffffff; }
INLINE I32 to_i32u(F64 x) { return IS_I32U(x) ? (I32)(int64_t)x : x != x || x < 0 ? 0 : 0xffffffff; }
INLINE I64 to_i64s(F64 x) {
  return IS_I64S(x) ? (I64)(int64_t)x : x != x ? 0 : x < 0 ? 0x8000000000000000 : 0x7fffffffffffffff;
}
INLINE I64 to_i64u(F64 x) {
  if (!IS_I64U(x)) return x != x || x < 0 ? 0 : ~(I64)0;
  return x < TWO_63 ? (I64)(int64_t)x : (I64)(int64_t)(x - TWO_63) ^ (I64)1 << 63;
}
#define I32TruncF32S(a) to_i32s(a)
#define I32TruncF32U(a) to_i32u(a)
#define I32TruncF64S(a) to_i32s(a)
#define I32TruncF64U(a) to_i32u(a)
#define I64TruncF32S(a) to_i64s(a)
#define I64TruncF32U(a) to_i64u(a)
#define I64TruncF64S(a) to_i64s(a)
#define I64TruncF64U(a) to_i64u(a)
#define I32TruncSatF32S(a) to_i32s(a)
#define I32TruncSatF32U(a) to_i32u(a)
#define I32TruncSatF64S(a) to_i32s(a)
#define I32TruncSatF64U(a) to_i32u(a)
#define I64TruncSatF32S(a) to_i64s(a)
#define I64TruncSatF32U(a) to_i64u(a)
#define I64TruncSatF64S(a) to_i64s(a)
#define I64TruncSatF64U(a) to_i64u(a)
#define CHECK_I32TruncF32S(a, rest) CHECK(!IS_I32S((F64)(a)), OVERFLOWS, rest)
#define CHECK_I32TruncF32U(a, rest) CHECK(!IS_I32U((F64)(a)), OVERFLOWS, rest)
#define CHECK_I32TruncF64S(a, rest) CHECK(!IS_I32S(a), OVERFLOWS, rest)
#define CHECK_I32TruncF64U(a, rest) CHECK(!IS_I32U(a), OVERFLOWS, rest)
#define CHECK_I64TruncF32S(a, rest) CHECK(!IS_I64S((F64)(a)), OVERFLOWS, rest)
#define CHECK_I64TruncF32U(a, rest) CHECK(!IS_I64U((F64)(a)), OVERFLOWS, rest)
#define CHECK_I64TruncF64S(a, rest) CHECK(!IS_I64S(a), OVERFLOWS, rest)
#define CHECK_I64TruncF64U(a, rest) CHECK(!IS_I64U(a), OVERFLOWS, rest)

/* Casts of C as x86-64 does them. */
INLINE I64 cast_i64s(F64 x) { return IS_I64S(x) ? (I64)(int64_t)x : (I64)1 << 63; }
INLINE I32 cast_i32s(F64 x) { return IS_I32S(x) ? (I32)(int32_t)x : 0x80000000; }
INLINE I32 cast_i32u(F64 x) { return (I32)cast_i64s(x); }
INLINE I64 cast_i64u(F64 x) { return x != x || x < TWO_63 ? cast_i64s(x) : cast_i64s(x - TWO_63) ^ (I64)1 << 63; }
#define CastI32TruncSatF32S(a) cast_i32s(a)
#define CastI32TruncSatF32U(a) cast_i32u(a)
#define CastI32TruncSatF64S(a) cast_i32s(a)
#define CastI32TruncSatF64U(a) cast_i32u(a)
#define CastI64TruncSatF32S(a) cast_i64s(a)
#define CastI64TruncSatF32U(a) cast_i64u(a)
#define CastI64TruncSatF64S(a) cast_i64s(a)
#define CastI64TruncSatF64U(a) cast_i64u(a)

/* Operators of two operands. */
#define I32Add(a, b) ((a) + (b))
#define I32Sub(a, b) ((a) - (b))
#define I32Mul(a, b) ((a) * (b))
#define I32DivS(a, b) ((I32)((int32_t)(a) / (int32_t)(b)))
#define I32DivU(a, b) ((a) / (b))
#define I32RemS(a, b) ((b) == (I32)-1 ? 0 : (I32)((int32_t)(a) % (int32_t)(b)))
#define I32RemU(a, b) ((a) % (b))
#define I32And(a, b) ((a) & (b))
#define I32Or(a, b) ((a) | (b))
#define I32Xor(a, b) ((a) ^ (b))
#define I32Shl(a, b) ((a) << ((b) & 31))
#define I32ShrS(a, b) ((I32)((int32_t)(a) >> ((b) & 31)))
#define I32ShrU(a, b) ((a) >> ((b) & 31))
#define I32Rotl(a, b) ((a) << ((b) & 31) | (a) >> (-(b) & 31))
#define I32Rotr(a, b) ((a) >> ((b) & 31) | (a) << (-(b) & 31))
#define I64Add(a, b) ((a) + (b))
#define I64Sub(a, b) ((a) - (b))
#define I64Mul(a, b) ((a) * (b))
#define I64DivS(a, b) ((I64)((int64_t)(a) / (int64_t)(b)))
#define I64DivU(a, b) ((a) / (b))
#define I64RemS(a, b) ((b) == (I64)-1 ? 0 : (I64)((int64_t)(a) % (int64_t)(b)))
#define I64RemU(a, b) ((a) % (b))
#define I64And(a, b) ((a) & (b))
#define I64Or(a, b) ((a) | (b))
#define I64Xor(a, b) ((a) ^ (b))
#define I64Shl(a, b) ((a) << ((b) & 63))
#define I64ShrS(a, b) ((I64)((int64_t)(a) >> ((b) & 63)))
#define I64ShrU(a, b) ((a) >> ((b) & 63))
#define I64Rotl(a, b) ((a) << ((b) & 63) | (a) >> (-(b) & 63))
#define I64Rotr(a, b) ((a) >> ((b) & 63) | (a) << (-(b) & 63))
#define CHECK_I32DivS(a, b, rest) \
  CHECK((b) == 0, DIVISION_BY_ZERO, rest); CHECK((a) == 0x80000000 && (b) == (I32)-1, OVERFLOWS, rest)
#define CHECK_I32DivU(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
#define CHECK_I32RemS(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
#define CHECK_I32RemU(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
#define CHECK_I64DivS(a, b, rest) \
  CHECK((b) == 0, DIVISION_BY_ZERO, rest); CHECK((a) == (I64)1 << 63 && (b) == (I64)-1, OVERFLOWS, rest)
#define CHECK_I64DivU(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
#define CHECK_I64RemS(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
#define CHECK_I64RemU(a, b, rest) CHECK((b) == 0, DIVISION_BY_ZERO, rest)
INLINE F64 least(F64 a, F64 b) {
  if (a != a || b != b) return F64_of(0x7ff8000000000000);
  return a < b || (a == b && F64_bits(a) >> 63) ? a : b;
}
#define F32Add(a, b) ((a) + (b))
#define F32Sub(a, b) ((a) - (b))
#define F32Mul(a, b) ((a) * (b))
#define F32Div(a, b) ((a) / (b))
#define F32Min(a, b) ((F32)least(a, b))
#define F32Max(a, b) ((F32)F64Neg(least(F64Neg((F64)(a)), F64Neg((F64)(b)))))
#define F32Copysign(a, b) F32_of((F32_bits(a) & 0x7fffffff) | (F32_bits(b) & 0x80000000))
#define F64Add(a, b) ((a) + (b))
#define F64Sub(a, b) ((a) - (b))
#define F64Mul(a, b) ((a) * (b))
#define F64Div(a, b) ((a) / (b))
#define F64Min(a, b) least(a, b)
#define F64Max(a, b) F64Neg(least(F64Neg(a), F64Neg(b)))
#define F64Copysign(a, b) F64_of((F64_bits(a) & 0x7fffffffffffffff) | (F64_bits(b) & 0x8000000000000000))

/* Comparisons. */
#define I32Eq(a, b) ((I32)((a) == (b)))
#define I32Ne(a, b) ((I32)((a) != (b)))
#define I32LtS(a, b) ((I32)((int32_t)(a) < (int32_t)(b)))
#define I32LtU(a, b) ((I32)((a) < (b)))
#define I32GtS(a, b) ((I32)((int32_t)(a) > (int32_t)(b)))
#define I32GtU(a, b) ((I32)((a) > (b)))
#define I32LeS(a, b) ((I32)((int32_t)(a) <= (int32_t)(b)))
#define I32LeU(a, b) ((I32)((a) <= (b)))
#define I32GeS(a, b) ((I32)((int32_t)(a) >= (int32_t)(b)))
#define I32GeU(a, b) ((I32)((a) >= (b)))
#define I64Eq(a, b) ((I32)((a) == (b)))
#define I64Ne(a, b) ((I32)((a) != (b)))
#define I64LtS(a, b) ((I32)((int64_t)(a) < (int64_t)(b)))
#define I64LtU(a, b) ((I32)((a) < (b)))
#define I64GtS(a, b) ((I32)((int64_t)(a) > (int64_t)(b)))
#define I64GtU(a, b) ((I32)((a) > (b)))
#define I64LeS(a, b) ((I32)((int64_t)(a) <= (int64_t)(b)))
#define I64LeU(a, b) ((I32)((a) <= (b)))
#define I64GeS(a, b) ((I32)((int64_t)(a) >= (int64_t)(b)))
#define I64GeU(a, b) ((I32)((a) >= (b)))
#define F32Eq(a, b) ((I32)((a) == (b)))
#define F32Ne(a, b) ((I32)((a) != (b)))
#define F32Lt(a, b) ((I32)((a) < (b)))
#define F32Gt(a, b) ((I32)((a) > (b)))
#define F32Le(a, b) ((I32)((a) <= (b)))
#define F32Ge(a, b) ((I32)((a) >= (b)))
#define F64Eq(a, b) ((I32)((a) == (b)))
#define F64Ne(a, b) ((I32)((a) != (b)))
#define F64Lt(a, b) ((I32)((a) < (b)))
#define F64Gt(a, b) ((I32)((a) > (b)))
#define F64Le(a, b) ((I32)((a) <= (b)))
#define F64Ge(a, b) ((I32)((a) >= (b)))
#define NonZero(a) ((I32)((a) != 0))
#define Either(a, b) ((I32)(((a) | (b)) != 0))
