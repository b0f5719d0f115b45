/* Functions that take and return what is no number. */
#include <complex.h>

struct point {
    double x, y;
    int kind;
};

struct shape {
    struct point centre;
    struct point *corner;
    double turn[2][3];
    enum { ROUND, SQUARE } form;
};

typedef struct {
    float u, v;
} pair;

int by_value(struct point p, int n)
{
    if (p.kind == 7 && p.x > 3)
        return n;
    return p.y < -1e10 ? 2 : 3;
}

int by_pointer(const struct shape *s)
{
    if (!s)
        return -1;
    if (s->form == SQUARE && s->turn[1][2] == 0.25)
        return 1;
    if (s->corner && s->corner->y > 100)
        return 2;
    return s->centre.kind == 12 ? 3 : 0;
}

struct point returned(struct point a, double *length)
{
    struct point r = {a.y, a.x, 0};
    if (r.x * r.x + r.y * r.y > 1e6)
        r.kind = 1;
    if (length)
        *length = r.x;
    return r;
}

/* In registers, two floats in one. */
pair added(pair a, pair b)
{
    pair r = {a.u + b.u, a.v + b.v};
    if (r.u > 10 && r.v < -10)
        r.u = 0;
    return r;
}

int matrix(double r[3][3], double v[3])
{
    int i, big = 0;
    for (i = 0; i < 3; i++)
        if (r[i][i] > 5)
            big++;
    if (big == 3 && v[2] == 4)
        return 1;
    return 0;
}

double complex turned(double complex z, float complex w)
{
    if (creal(z) > 2 && cimag(z) < -2)
        return -z;
    if (cimagf(w) == 3)
        return z + w;
    return z;
}

/* The same memory may be behind both. */
int aliased(struct point *p, struct point *q)
{
    p->kind = 1;
    q->kind = 2;
    if (p->kind == 2)
        return 1;
    return 0;
}

/* A value is the call's own. */
int own(struct point p, struct point *q)
{
    p.kind = 1;
    q->kind = 2;
    if (p.kind == 2)
        return 1;
    return 0;
}

int unknown(double);

int calls_unknown(double x)
{
    if (x > 2)
        return 5;
    if (unknown(x) == 3)
        return 6;
    return 7;
}

extern const double limits[4];

int reads_unknown(double x)
{
    if (x == 17)
        return 1;
    if (limits[2] > x)
        return 2;
    return 3;
}

int precise(long double x)
{
    if (x > 1 && x - 1 < 1e-18L)
        return 1;
    if (x < 0)
        return (double)x == x ? 2 : 3;
    return x * 0.1L > 1e4000L ? 4 : 5;
}

/* Of a union the other member may be the one that was written. */
union answer {
    _Bool known;
    unsigned char byte;
};

int unlike(const union answer *a)
{
    if (a->byte == 7)
        return 1;
    return 0;
}

#include <ctype.h>

/* Only in some locales there are letters beyond ASCII. */
int foreign(int c)
{
    if (c < 0 || c > 255)
        return 0;
    if ((tolower)(c) != c && c > 127)
        return 1;
    return 2;
}

#include <stdint.h>

/* What lies before an element is the caller's. */
int before(const double *p)
{
    if (p[-1] > 5)
        return 1;
    return 0;
}

struct triple {
    double x, y, z;
};

/* Where something lies is the machine's choice. */
int aligned(const double *p, struct triple q)
{
    if (((uintptr_t)p & 15) == 8)
        return 1;
    if ((uintptr_t)&q > 0x100000000)
        return 2;
    return 0;
}

/* How far two elements lie apart is not. */
int apart(const double *p, int n)
{
    if (n < 1 || n > 9)
        return 0;
    if (&p[n] - p > 9)
        return 1;
    return 2;
}

/* Bit-fields, some of which begin in the byte in which others end. */
struct flags {
    unsigned mode : 3;
    int offset : 7;
    unsigned is_on : 1;
    unsigned wide : 30;
    short level;
};

int by_bits(const struct flags *f, int n)
{
    if (f->mode == 5 && n == 3)
        return 1;
    if (f->offset == -64)
        return 2;
    if (f->is_on && f->wide == 0x2f00ff01 && f->level == -7)
        return 3;
    return 0;
}

int bits_by_value(struct flags f)
{
    if (f.mode == 6 && f.offset == 63)
        return f.level == 9 ? 1 : 2;
    return f.wide > 0x30000000;
}

/* A member that is far from 0 where a pointer leads nowhere. */
struct far {
    char before[300000];
    int n;
};

int far_from_nothing(const struct far *p)
{
    int extra = 0;
    if (!p)
        extra = 1;
    return p->n == 3 ? 1 : extra;
}

struct nibbles {
    unsigned low : 4;
    unsigned high : 4;
};

/* One of these begins in one unit and ends in the next. */
struct packed {
    unsigned first : 7;
    unsigned second : 30;
} __attribute__((packed));

int of_bits_alone(const struct nibbles *n, const struct packed *p)
{
    if (n->high == 3)
        return p->second == 0x2345678 ? 1 : 2;
    return p->first > 100 ? 3 : 4;
}
