/* What is printed is dropped. */
#ifndef MAGNETO_STDIO_H
#define MAGNETO_STDIO_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct magneto_file FILE;
#define stdin ((FILE *)0)
#define stdout ((FILE *)0)
#define stderr ((FILE *)0)
#define EOF (-1)
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int puts(const char *);
int fputs(const char *, FILE *);
int putchar(int);
int fflush(FILE *);
void perror(const char *);
#ifdef __cplusplus
}
#endif
#endif
