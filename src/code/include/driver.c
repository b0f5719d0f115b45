/* Calls functions under test, each call in a process of its own: a crash, an endless loop or a variable that keeps its value
   is that call's own. Arguments: a file of calls and a file for what they come to; all of it words of 64 bits. A call is the
   function's number and its inputs; what it comes to is a status (0: returned, 1: ended otherwise, 2 and above: the signal plus
   1), the result, and what is behind pointers afterwards. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef unsigned long long word;
extern void (*const magneto_functions[])(const word *in, word *out);
extern const unsigned magneto_in, magneto_out;

void *magneto_room(unsigned long size)
{
    void *room = calloc(size, 1);
    if (!room)
        _exit(3);
    return room;
}

static void call(const word *in, word *out)
{
    alarm(10);
    magneto_functions[in[0]](in + 1, out + 1);
    out[0] = 0;
    /* Coverage is written at a regular exit. */
    exit(0);
}

int main(int count, char **arguments)
{
    struct rlimit none = {0, 0};
    size_t in = 1 + magneto_in, out = 2 + magneto_out;
    FILE *calls = count == 3 ? fopen(arguments[1], "rb") : 0;
    FILE *results = calls ? fopen(arguments[2], "wb") : 0;
    word *shared = mmap(0, out * sizeof(word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    word *all = 0;
    size_t n, length;
    if (!results || shared == MAP_FAILED || fseek(calls, 0, SEEK_END))
        return 2;
    /* Read to the end before there are children: a child's exit would move the place in an open file. */
    length = (size_t)ftell(calls) / sizeof(word);
    all = magneto_room(length * sizeof(word) + 1);
    rewind(calls);
    if (fread(all, sizeof(word), length, calls) != length || fclose(calls))
        return 2;
    setrlimit(RLIMIT_CORE, &none);
    for (n = 0; n + in <= length; n += in) {
        int status;
        pid_t child;
        memset(shared, 0, out * sizeof(word));
        shared[0] = 1;
        child = fork();
        if (child == 0)
            call(all + n, shared);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFSIGNALED(status))
            shared[0] = 1 + (word)WTERMSIG(status);
        /* Nothing may wait in a buffer that the next child would write once more. */
        if (fwrite(shared, sizeof(word), out, results) != out || fflush(results))
            return 2;
    }
    return 0;
}
