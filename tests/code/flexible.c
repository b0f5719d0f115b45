/* Arrays at the end of structures that go on behind them. */
#include <string.h>

struct node { struct node *next; char used; char text[1]; };

int is_found(struct node *list)
{
    for (; list; list = list->next)
        if (strcmp(list->text, "proj=merc") == 0) {
            list->used = 1;
            return 1;
        }
    return 0;
}

struct row { int count; double values[]; };

double largest(const struct row *r)
{
    double most = 0;
    for (int i = 0; i < r->count && i < 10; i++)
        if (r->values[i] > most)
            most = r->values[i];
    if (r->count > 7 && r->values[7] == most && most > 0)
        return -1;
    return most;
}
