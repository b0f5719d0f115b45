#ifndef MAGNETO_ERRNO_H
#define MAGNETO_ERRNO_H
/* One to a file: nothing in a program under test sets it but itself. */
static int magneto_errno __attribute__((unused));
#define errno magneto_errno
#define EDOM 33
#define ERANGE 34
#define EINVAL 22
#endif
