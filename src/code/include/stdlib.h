#ifndef MAGNETO_STDLIB_H
#define MAGNETO_STDLIB_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
static inline int abs(int n) { return n < 0 ? -n : n; }
static inline long labs(long n) { return n < 0 ? -n : n; }
static inline long long llabs(long long n) { return n < 0 ? -n : n; }
#ifdef __cplusplus
}
#endif
#endif
