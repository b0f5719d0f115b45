#ifndef MAGNETO_SETJMP_H
#define MAGNETO_SETJMP_H
#ifdef __cplusplus
extern "C" {
#endif
/* Declared, so that what does not use them can be looked into. */
typedef long long jmp_buf[32];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
#ifdef __cplusplus
}
#endif
#endif
