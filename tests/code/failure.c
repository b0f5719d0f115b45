/* Functions that allocate. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pair { double *first, *second; };

/* The second of three calls fails, or the third. */
int makes_pair(double x)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return errno == ENOMEM ? -1 : -2;
    p->first = calloc(4, sizeof(double));
    if (!p->first) {
        free(p);
        return -3;
    }
    p->first[3] = x;
    p->second = realloc(p->first, 8 * sizeof(double));
    if (!p->second) {
        int is_kept = p->first[3] == x;
        free(p->first), free(p);
        return is_kept ? -4 : -5;
    }
    if (p->second[3] > 7)
        return 1;
    return 0;
}
