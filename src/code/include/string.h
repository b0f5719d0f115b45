#ifndef MAGNETO_STRING_H
#define MAGNETO_STRING_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
#ifdef __cplusplus
}
#endif
#endif
