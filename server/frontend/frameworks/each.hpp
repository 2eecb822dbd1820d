// Macros over lists of any length.
#pragma once
#pragma GCC system_header

// "m(context, a) m(context, b)" for "a, b"; the second form is for use inside the first.
#define HEDDLE_PARENTHESES ()
#define HEDDLE_RESCAN(...) HEDDLE_RESCAN_4(HEDDLE_RESCAN_4(HEDDLE_RESCAN_4(__VA_ARGS__)))
#define HEDDLE_RESCAN_4(...) HEDDLE_RESCAN_3(HEDDLE_RESCAN_3(HEDDLE_RESCAN_3(__VA_ARGS__)))
#define HEDDLE_RESCAN_3(...) HEDDLE_RESCAN_2(HEDDLE_RESCAN_2(HEDDLE_RESCAN_2(__VA_ARGS__)))
#define HEDDLE_RESCAN_2(...) HEDDLE_RESCAN_1(HEDDLE_RESCAN_1(HEDDLE_RESCAN_1(__VA_ARGS__)))
#define HEDDLE_RESCAN_1(...) __VA_ARGS__
#define HEDDLE_EACH(m, context, ...) __VA_OPT__(HEDDLE_RESCAN(HEDDLE_EACH_(m, context, __VA_ARGS__)))
#define HEDDLE_EACH_(m, context, first, ...) \
  m(context, first) __VA_OPT__(HEDDLE_EACH_MORE HEDDLE_PARENTHESES(m, context, __VA_ARGS__))
#define HEDDLE_EACH_MORE() HEDDLE_EACH_
#define HEDDLE_INNER_RESCAN(...) HEDDLE_INNER_3(HEDDLE_INNER_3(HEDDLE_INNER_3(__VA_ARGS__)))
#define HEDDLE_INNER_3(...) HEDDLE_INNER_2(HEDDLE_INNER_2(HEDDLE_INNER_2(__VA_ARGS__)))
#define HEDDLE_INNER_2(...) HEDDLE_INNER_1(HEDDLE_INNER_1(HEDDLE_INNER_1(__VA_ARGS__)))
#define HEDDLE_INNER_1(...) __VA_ARGS__
#define HEDDLE_INNER(m, context, ...) __VA_OPT__(HEDDLE_INNER_RESCAN(HEDDLE_INNER_(m, context, __VA_ARGS__)))
#define HEDDLE_INNER_(m, context, first, ...) \
  m(context, first) __VA_OPT__(HEDDLE_INNER_MORE HEDDLE_PARENTHESES(m, context, __VA_ARGS__))
#define HEDDLE_INNER_MORE() HEDDLE_INNER_

// "(a, b)" -> "a, b", and "a" -> "a".
#define HEDDLE_BARE(...) HEDDLE_BARE_1(HEDDLE_BARE_0 __VA_ARGS__)
#define HEDDLE_BARE_0(...) HEDDLE_BARE_0 __VA_ARGS__
#define HEDDLE_BARE_1(...) HEDDLE_BARE_2(__VA_ARGS__)
#define HEDDLE_BARE_2(...) HEDDLE_DROP_##__VA_ARGS__
#define HEDDLE_DROP_HEDDLE_BARE_0
