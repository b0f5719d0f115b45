#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
/* static counter */
double s1(double x){ static int n; if (n++ > 2) return x; return 0; }
/* volatile status set by isr-like */
volatile int flag; double s2(double x){ flag = 0; for (int i=0;i<3;i++) if (flag) return 1; return x; }
/* malloc fail */
double s3(double x, int n){ double *p = malloc((size_t)n * 8); if (!p) return -1; p[0]=x; double r=p[0]; free(p); return r; }
/* size_t overflow 32 */
double s4(double x, unsigned n){ size_t b = (size_t)n * 16; if (b / 16 != n) return -1; if (n > 0x10000000u && b > 0xffffffffu) return 2; return x; }
/* intptr / pointer size */
double s5(double x){ if (sizeof(void*) == 8) return 1; return x; }
/* union punning, long */
double s6(double x){ union { double d; unsigned long u; } v; v.d = x; if (v.u >> 31 >> 21) return 1; return 0; }
/* fegetround */
#include <fenv.h>
double s7(double x){ feclearexcept(FE_ALL_EXCEPT); double y = x*x; if (fetestexcept(FE_INEXACT)) return 1; if (fetestexcept(FE_OVERFLOW)) return 2; return y; }
/* qsort function pointer */
static int cmp(const void*a,const void*b){ double x=*(double*)a,y=*(double*)b; return x<y?-1:x>y; }
double s8(double a,double b,double c){ double v[3]={a,b,c}; qsort(v,3,sizeof v[0],cmp); if (v[0]>v[1]) return -1; if (v[2] > 100) return 2; return v[1]; }
/* recursion */
double s9(double x, int n){ if (n <= 0) return x; if (x > 1e6) return -1; return s9(x*1.5+1, n-1); }
/* time_t */
double s11(double x){ char buf[32]; int i=0; long long v=(long long)x; if (v<0) {buf[i++]='-'; v=-v;} do { buf[i++]='0'+v%10; v/=10; } while(v && i<30); buf[i]=0; if (strlen(buf) > 18) return 1; return i; }
double s12(const char *s){ double r=0; int n=0; while (*s>='0'&&*s<='9') { r=r*10+(*s++-'0'); n++; } if (n>3 && r<1000) return -1; return r; }
