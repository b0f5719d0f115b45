//! Words that no name of ours may be, by where they come from. Names that we choose ourselves begin with `magneto_`, or
//! stand where none of these can.

/// C up to C23, with what compilers define beside it.
pub(super) const C: &str = "alignas alignof asm auto bool break case char complex const constexpr continue default do double else \
    enum extern false float for fortran goto i386 if imaginary inline int linux long noreturn nullptr register restrict \
    return short signed sizeof static static_assert struct switch thread_local true typedef typeof typeof_unqual union \
    unix unsigned void volatile while";

/// C++ up to C++23, the words that are so in some places only with them.
pub(super) const CPP: &str = "and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept \
    const_cast consteval constinit decltype delete dynamic_cast explicit export final friend import module mutable \
    namespace new noexcept not not_eq operator or or_eq override private protected public reinterpret_cast requires \
    static_cast std template this throw try typeid typename using virtual wchar_t xor xor_eq";

/// Rust up to its edition of 2024, reserved words with them.
pub(super) const RUST: &str = "abstract as async await become box break const continue crate do dyn else enum extern false final fn \
    for gen if impl in let loop macro match mod move mut override priv pub raw ref return safe self static struct super \
    trait true try type typeof union unsafe unsized use virtual where while yield";

/// Python, and the modules that it has always loaded, of which it would take its own.
pub(super) const PYTHON: &str = "and as assert async await break builtins case class codecs continue def del elif else encodings \
    errno except finally for from global if import in io is lambda marshal match math none nonlocal not or os pass pytest \
    raise return site stat sys test time try type while with yield zipimport";

/// MATLAB.
pub(super) const MATLAB: &str = "arguments break case catch classdef continue else elseif end enumeration events for function global \
    if methods otherwise parfor persistent properties return spmd switch try while";

/// Ada 2022, and what is visible everywhere.
pub(super) const ADA: &str = "abort abs abstract accept access ada aliased all and array ascii at begin body boolean case character \
    constant constraint_error declare delay delta digits do duration else elsif end entry exception exit false float for \
    function generic gnat goto if in integer interface interfaces is limited long_float long_integer long_long_float \
    long_long_integer loop mod natural new not null numeric_error of or others out overriding package parallel positive \
    pragma private procedure program_error protected raise range record rem renames requeue return reverse select separate \
    short_float short_integer short_short_integer some standard storage_error string subtype synchronized system tagged \
    task tasking_error terminate then true type until use when while wide_character wide_string wide_wide_character \
    wide_wide_string with xor";

/// What the headers of C's library declare that an exported file includes, itself or by way of a framework: functions that
/// are not of numbers alone, types and variables. Compilers know many of them without a header.
pub(super) const LIBRARY: &str = "abort abs access acct alarm aligned_alloc alloca assert atexit atof atoi atol atoll basename bcmp \
    bcopy bsearch bzero calloc chdir chown clearerr clock close confstr crypt ctermid ctime daemon dev_t difftime div div_t \
    dprintf dup dup2 dup3 ecvt environ errno execl execle execlp execv execve execvp exit fchdir fchown fclose fcvt fd_set \
    fdopen feof ferror fflush ffs fgetc fgetpos fgets file fileno fopen fork fpathconf fpclassify fpos_t fprintf fputc fputs fread free \
    freopen frexp fscanf fseek fseeko fsetpos fsync ftell ftello ftruncate fwrite gcvt getc getchar getcwd getdelim getegid \
    getenv geteuid getgid getgroups gethostid gethostname getline getlogin getopt getpagesize getpass getpgid getpgrp getpid \
    getppid gets getsid getsubopt getuid getw getwd gmtime ilogb imaxabs imaxdiv index initstate int16_t int32_t int64_t \
    int8_t intmax_t intptr_t ioctl isalnum isalpha isatty isblank iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal \
    islessgreater islower isnan isnormal isprint ispunct isspace isunordered isupper isxdigit j0 j1 jmp_buf jn jrand48 kill l64a labs lchown lcong48 ldexp ldiv ldiv_t lfind link llabs lldiv llrint \
    llround localtime lockf log longjmp lrand48 lrint lround lsearch lseek main malloc max_align_t mblen mbstowcs mbtowc \
    memccpy memchr memcmp memcpy memmem memmove mempcpy memset mkdtemp mkstemp mktemp mktime modf mrand48 nan nanosleep nice \
    nrand48 offsetof on_exit open optarg opterr optind optopt pathconf pause pclose perror pipe pipe2 popen posix_memalign \
    pread printf profil ptrdiff_t ptsname putc putchar putenv puts putw pwrite qsort quick_exit raise rand random rawmemchr \
    read readlink realloc reallocarray realpath remove remquo rename rewind rindex rmdir sbrk scalbln scalbn scanf seed48 \
    select setbuf setenv setgid setjmp setkey setlinebuf setpgid setpgrp setregid setreuid setsid setstate setuid setup \
    setvbuf sig_atomic_t sigaction siglongjmp signal signbit signgam sigset_t sigsetjmp size_t sleep snprintf sprintf srand srandom \
    sscanf ssize_t stderr stdin stdout stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror \
    strfry strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn strstr \
    strtod strtof strtok strtol strtold strtoll strtoul strtoull strxfrm swab symlink sync syscall sysconf system teardown \
    tempnam time timegm timelocal tmpfile tmpnam tolower toupper truncate ttyname tzname tzset ualarm uint16_t uint32_t \
    uint64_t uint8_t uintmax_t uintptr_t ungetc unlink unsetenv usleep va_arg va_copy va_end va_list va_start valloc vdprintf \
    vfork vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wcstombs wctomb write y0 y1 yn";

/// Macros of the same headers and of the frameworks, in the case that they have.
pub(super) const MACROS: &str = "ASSERT_TRUE BUFSIZ CAPTURE CATCH_CONFIG_MAIN CHECK CHECK_FALSE DOMAIN E2BIG EACCES EADDRINUSE \
    EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED \
    ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT \
    EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED \
    EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE \
    EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL END_TEST ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI \
    ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR \
    ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP \
    EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART \
    ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN \
    EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS EXPECT_TRUE FAIL FAIL_CHECK FILENAME_MAX FOPEN_MAX \
    FRIEND_TEST GENERATE GIVEN HUGE_VAL INFINITY INFO INT_MAX INT_MIN LONG_MAX LONG_MIN L_tmpnam METHOD_AS_TEST_CASE NAN NDEBUG \
    NULL OVERFLOW PLOSS P_tmpdir RAND_MAX REQUIRE RUN_ALL_TESTS RUN_TEST R_OK SCENARIO SCOPED_TRACE SECTION SEEK_CUR SEEK_END \
    SEEK_SET SIGABRT SIGALRM SIGBUS SIGCHLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR \
    SIGQUIT SIGSEGV SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU \
    SIGXFSZ SING SIZE_MAX START_TEST STATIC_REQUIRE SUCCEED TEST TEST_CASE TEST_F TEST_P THEN TLOSS TMP_MAX TYPED_TEST UINT_MAX \
    UNDERFLOW UNSCOPED_INFO WARN WHEN WNOHANG WUNTRACED W_OK X_OK F_OK M_E M_PI M_LN2 MB_CUR_MAX";

/// Whether a name is taken in one of the languages, whatever its case, or by what exported code includes. One list for all:
/// a reader meets the same names everywhere.
pub(super) fn is_reserved(name: &str) -> bool {
    let words = [C, CPP, RUST, PYTHON, MATLAB, ADA, LIBRARY];
    let word = || words.iter().any(|list| list.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(name)));
    let ours = name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("magneto"));
    ours || word() || MACROS.split_ascii_whitespace().any(|w| w == name)
}
