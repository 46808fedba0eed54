/* Logs calls of your own intersection tests, for `hitscope collect` to compare with the exact verdict.

   1. Where the answer of a test is known:

          #include "hitscope_capture.h"
          HITSCOPE(ray_aabb, HITSCOPE_XYZ(origin), HITSCOPE_XYZ(direction), HITSCOPE_XYZ(lo), HITSCOPE_XYZ(hi), hit);

      The pair, its numbers in the order below, the answer (1 a hit, 0 a miss, -1 not a pair for this test) and, of
      segments, rays, lines and casts, if you like, the t of the hit. What is not laid out as .x, .y, .z or [0], [1], [2]
      (HITSCOPE_012) is written number by number. All floats, or else they count as doubles.
   2. Compile with -DHITSCOPE_CAPTURE (without it HITSCOPE is nothing), and run with HITSCOPE_LOG=calls.log.
   3. hitscope collect calls.log -o scenes

   point x y z | segment start end | ray, line origin direction | triangle a b c | aabb min max | obb center, half
   extents, three axes | parallelepiped origin, three edges | plane normal, offset (dot(normal, p) = offset) |
   sphere center, radius | capsule start, end, radius | frustum six normals, six offsets | rounded_aabb the numbers of
   an aabb, radius | cast_sphere those of a sphere, motion; so of every type.

   The environment, read at the first call:
     HITSCOPE_LOG         the log, to which calls are appended; %p in it becomes the number of the process. Without it
                          nothing is logged.
     HITSCOPE_UNBUFFERED  if it is set, every call is written at once. Otherwise the last 64 KiB of calls, some hundred,
                          are lost where a program ends without exit(): by a signal, abort(), _exit() or exec.

   Any number of threads, files and processes may append to one log: only whole calls are appended. A forked process
   repeats what was buffered. A log that is 1 GiB long stays as it is, as does one that cannot be written: a program
   that logs does what it does without. errno is kept. C99 or C++11 with GCC, Clang or a compiler that has their
   __atomic and __typeof__, or MSVC for C++.

   A call in the log, every number little-endian:
     0     0x9E 'h' 'i' 't'
     4     uint8: the bytes of a number, 4 or 8
     5     uint8: the count of numbers, those of the answer included
     6     uint8: the length of the pair's name
     7     0
     8     the name, padded with zeros to a multiple of 8 bytes; it includes them in its length
     then  the numbers, padded with zeros to a multiple of 8 bytes

   Part of hitscope, under the MIT licence. */

#ifndef HITSCOPE_CAPTURE_H
#define HITSCOPE_CAPTURE_H

#define HITSCOPE_XYZ(v) (v).x, (v).y, (v).z
#define HITSCOPE_012(v) (v)[0], (v)[1], (v)[2]

#ifndef __cplusplus
/* The sum of up to 64 numbers, of which only the type is used: float or double. */
#define HITSCOPE_SUM(...) \
    HITSCOPE_SUM_OF_64(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
                       0, 0, 0, 0, 0, 0, 0, 0, 0)
#define HITSCOPE_SUM_OF_64(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, \
                           D, E, F, a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2, o2, p2, q2, r2, s2, \
                           t2, u2, v2, w2, x2, y2, z2, A2, B2, C2, D2, E2, F2, ...) \
    (0.0f + (a) + (b) + (c) + (d) + (e) + (f) + (g) + (h) + (i) + (j) + (k) + (l) + (m) + (n) + (o) + (p) + (q) \
     + (r) + (s) + (t) + (u) + (v) + (w) + (x) + (y) + (z) + (A) + (B) + (C) + (D) + (E) + (F) + (a2) + (b2) \
     + (c2) + (d2) + (e2) + (f2) + (g2) + (h2) + (i2) + (j2) + (k2) + (l2) + (m2) + (n2) + (o2) + (p2) + (q2) \
     + (r2) + (s2) + (t2) + (u2) + (v2) + (w2) + (x2) + (y2) + (z2) + (A2) + (B2) + (C2) + (D2) + (E2) + (F2))
#endif

#ifndef HITSCOPE_CAPTURE

#ifdef __cplusplus
template <class... Numbers> char hitscope_nothing(const Numbers &...);
#define HITSCOPE(pair, ...) do { (void)sizeof(hitscope_nothing(__VA_ARGS__)); } while (0)
#else
#define HITSCOPE(pair, ...) do { (void)sizeof(HITSCOPE_SUM(__VA_ARGS__)); } while (0)
#endif

#else

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "hitscope_capture.h writes the numbers of little-endian machines"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <type_traits>
#endif
#ifdef _WIN32
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#else
#include <unistd.h>
#endif
#ifdef _MSC_VER
#include <intrin.h>
#pragma warning(push)
#pragma warning(disable : 4996) /* getenv and _open are not deprecated */
#endif

/* How many numbers a pair has, HITSCOPE_ray_aabb = 12. */
#define HITSCOPE_PAIRS(probe, count) \
    HITSCOPE_##probe##_aabb = (count) + 6, HITSCOPE_##probe##_obb = (count) + 15, \
    HITSCOPE_##probe##_parallelepiped = (count) + 12, HITSCOPE_##probe##_triangle = (count) + 9, \
    HITSCOPE_##probe##_plane = (count) + 4, HITSCOPE_##probe##_sphere = (count) + 4, \
    HITSCOPE_##probe##_capsule = (count) + 7, HITSCOPE_##probe##_frustum = (count) + 24, \
    HITSCOPE_##probe##_rounded_aabb = (count) + 7, HITSCOPE_##probe##_rounded_obb = (count) + 16, \
    HITSCOPE_##probe##_rounded_parallelepiped = (count) + 13, HITSCOPE_##probe##_rounded_triangle = (count) + 10
#define HITSCOPE_CAST(probe, count) HITSCOPE_PAIRS(probe, count), HITSCOPE_PAIRS(cast_##probe, (count) + 3)
#define HITSCOPE_ROUNDED(probe, count) HITSCOPE_CAST(probe, count), HITSCOPE_CAST(rounded_##probe, (count) + 1)
enum {
    HITSCOPE_PAIRS(point, 3),
    HITSCOPE_PAIRS(segment, 6),
    HITSCOPE_PAIRS(ray, 6),
    HITSCOPE_PAIRS(line, 6),
    HITSCOPE_ROUNDED(triangle, 9),
    HITSCOPE_ROUNDED(aabb, 6),
    HITSCOPE_ROUNDED(obb, 15),
    HITSCOPE_ROUNDED(parallelepiped, 12),
    HITSCOPE_CAST(sphere, 4),
    HITSCOPE_CAST(capsule, 7),
    HITSCOPE_CAST(frustum, 24)
};

enum {
    HITSCOPE_BUFFER = 1 << 16,
    HITSCOPE_LONGEST_LOG = 1 << 30,
    HITSCOPE_LONGEST_CALL = 8 + 64 + 8 * 64 /* its head, the name of the pair, the numbers */
};

#ifdef __cplusplus
#define HITSCOPE_FUNCTION inline
#define HITSCOPE_AS(type, value) static_cast<type>(value)
#else
#define HITSCOPE_FUNCTION static inline
#define HITSCOPE_AS(type, value) ((type)(value))
#endif

#ifdef _MSC_VER
#define HITSCOPE_LOAD(place) _InterlockedCompareExchange(place, 0, 0)
#define HITSCOPE_STORE(place, value) (void)_InterlockedExchange(place, value)
#define HITSCOPE_EXCHANGE(place, value) _InterlockedExchange(place, value)
#define HITSCOPE_REPLACE(place, before, value) (_InterlockedCompareExchange(place, value, before) == before)
#else
#define HITSCOPE_LOAD(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define HITSCOPE_STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
#define HITSCOPE_EXCHANGE(place, value) __atomic_exchange_n(place, value, __ATOMIC_ACQUIRE)
#define HITSCOPE_REPLACE(place, before, value) __sync_bool_compare_and_swap(place, before, value)
#endif

/* All zero at first; in C each source file has its own. */
struct hitscope_log {
    long file; /* 0: not opened yet; -1: off; else one more than its descriptor */
    long lock; /* 1 while a thread uses the buffer, and from the end of the program on */
    int unbuffered;
    size_t used;
    unsigned char buffer[HITSCOPE_BUFFER];
};

HITSCOPE_FUNCTION struct hitscope_log *hitscope_state(void)
{
    static struct hitscope_log log;
    return &log;
}

/* Opens a file to append to; returns its descriptor, -1 if that cannot be done. */
HITSCOPE_FUNCTION int hitscope_open_file(const char *name)
{
    char path[4096];
    size_t used = 0;
    int file;
    for (; *name; name++) {
        if (used + 32 > sizeof path)
            return -1;
        if (name[0] == '%' && name[1] == 'p') {
#ifdef _WIN32
            used += HITSCOPE_AS(size_t, snprintf(path + used, 32, "%ld", HITSCOPE_AS(long, _getpid())));
#else
            used += HITSCOPE_AS(size_t, snprintf(path + used, 32, "%ld", HITSCOPE_AS(long, getpid())));
#endif
            name++;
        } else {
            path[used++] = *name;
        }
    }
    path[used] = 0;
#ifdef _WIN32
    file = _open(path, _O_WRONLY | _O_CREAT | _O_APPEND | _O_BINARY, _S_IREAD | _S_IWRITE);
#else
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0666); /* a pipe must not let the program wait */
    if (file >= 0 && lseek(file, 0, SEEK_END) < 0) {
        close(file);
        file = -1;
    }
#endif
    return file;
}

/* Appends whole calls to the log; an error ends the logging. */
HITSCOPE_FUNCTION void hitscope_write(struct hitscope_log *log, const unsigned char *bytes, size_t size)
{
    const int file = HITSCOPE_AS(int, HITSCOPE_LOAD(&log->file)) - 1;
    const int before = errno;
    if (file < 0)
        return;
#ifdef _WIN32
    if (_lseeki64(file, 0, SEEK_END) >= HITSCOPE_LONGEST_LOG ||
        _write(file, bytes, HITSCOPE_AS(unsigned, size)) < 0)
        HITSCOPE_STORE(&log->file, -1);
#else
    if (lseek(file, 0, SEEK_END) >= HITSCOPE_LONGEST_LOG) {
        HITSCOPE_STORE(&log->file, -1);
        size = 0;
    }
    while (size) {
        const ssize_t written = write(file, bytes, size);
        if (written >= 0) {
            bytes += written;
            size -= HITSCOPE_AS(size_t, written);
        } else if (errno != EINTR) {
            HITSCOPE_STORE(&log->file, -1);
            break;
        }
    }
#endif
    errno = before;
}

/* Takes the buffer; returns 0 if another thread keeps it, which may have been a thread before a fork. */
HITSCOPE_FUNCTION int hitscope_take(struct hitscope_log *log, long tries)
{
    while (HITSCOPE_EXCHANGE(&log->lock, 1))
        if (--tries < 0)
            return 0;
    return 1;
}

/* Writes what is buffered at the end of the program; what is called later finds the buffer taken. */
#ifdef __cplusplus
extern "C"
#endif
HITSCOPE_FUNCTION void hitscope_finish(void)
{
    struct hitscope_log *log = hitscope_state();
    if (hitscope_take(log, 1000000)) {
        hitscope_write(log, log->buffer, log->used);
        log->used = 0;
    }
}

/* Returns whether calls are logged; opens the log at the first call. */
HITSCOPE_FUNCTION int hitscope_is_on(void)
{
    struct hitscope_log *log = hitscope_state();
    long file = HITSCOPE_LOAD(&log->file);
    if (!file) {
        const int before = errno;
        const char *name = getenv("HITSCOPE_LOG");
        const int opened = name && *name ? hitscope_open_file(name) : -1;
        file = opened < 0 ? -1 : opened + 1L;
        if (opened >= 0)
            log->unbuffered = getenv("HITSCOPE_UNBUFFERED") ? 1 : 0;
        if (HITSCOPE_REPLACE(&log->file, 0, file)) {
            if (opened >= 0)
                atexit(hitscope_finish);
            else if (name && *name)
                fprintf(stderr, "hitscope: %s: cannot be written, so no call is logged\n", name);
        } else if (opened >= 0) { /* another thread was first */
#ifdef _WIN32
            _close(opened);
#else
            close(opened);
#endif
        }
        errno = before;
    }
    return file > 0;
}

/* Logs one call: the name of its pair, and count numbers of 4 or 8 bytes. */
HITSCOPE_FUNCTION void hitscope_record(const char *pair, size_t length, const void *numbers, size_t size, size_t count)
{
    struct hitscope_log *log = hitscope_state();
    const size_t name = (length + 7) / 8 * 8, all = (8 + name + size * count + 7) / 8 * 8;
    unsigned char call[HITSCOPE_LONGEST_CALL];
    memcpy(call, "\x9Ehit", 4);
    call[4] = HITSCOPE_AS(unsigned char, size);
    call[5] = HITSCOPE_AS(unsigned char, count);
    call[6] = HITSCOPE_AS(unsigned char, name);
    call[7] = 0;
    memset(call + name, 0, 8);
    memcpy(call + 8, pair, length);
    memset(call + all - 8, 0, 8);
    memcpy(call + 8 + name, numbers, size * count);
    if (!hitscope_take(log, 100)) { /* never wait for it */
        hitscope_write(log, call, all);
        return;
    }
    memcpy(log->buffer + log->used, call, all);
    log->used += all;
    if (log->used + HITSCOPE_LONGEST_CALL > sizeof log->buffer || log->unbuffered) {
        hitscope_write(log, log->buffer, log->used);
        log->used = 0;
    }
    HITSCOPE_STORE(&log->lock, 0);
}

#ifdef __cplusplus
template <int Width, class... Numbers>
inline void hitscope_call(const char *pair, size_t length, Numbers... given)
{
    typedef typename std::common_type<float, Numbers...>::type Real;
    static_assert(sizeof...(given) == Width + 1 || sizeof...(given) == Width + 2,
                  "HITSCOPE expects the numbers of the pair, then 1 or 0, then at most a t");
    static_assert(std::is_same<Real, float>::value || std::is_same<Real, double>::value,
                  "HITSCOPE expects numbers of float or double");
    const Real numbers[] = {static_cast<Real>(given)...};
    hitscope_record(pair, length, numbers, sizeof(Real), sizeof...(given));
}
#define HITSCOPE(pair, ...) \
    do { \
        if (hitscope_is_on()) \
            hitscope_call<HITSCOPE_##pair>(#pair, sizeof #pair - 1, __VA_ARGS__); \
    } while (0)
#else
/* An answer of int among floats is meant to become one. */
#define HITSCOPE_QUIETLY(...) \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"") __VA_ARGS__ \
    _Pragma("GCC diagnostic pop")
#define HITSCOPE(pair, ...) \
    do { \
        if (hitscope_is_on()) { \
            HITSCOPE_QUIETLY(const __typeof__(HITSCOPE_SUM(__VA_ARGS__)) hitscope_numbers[] = {__VA_ARGS__};) \
            enum { \
                hitscope_size = sizeof hitscope_numbers[0], \
                hitscope_count = sizeof hitscope_numbers / sizeof hitscope_numbers[0], \
                hitscope_answer = (int)hitscope_count - (int)HITSCOPE_##pair, \
                hitscope_expects_the_numbers_of_the_pair_then_1_or_0_then_at_most_a_t = \
                    1 / (hitscope_answer == 1 || hitscope_answer == 2), \
                hitscope_expects_numbers_of_float_or_double = 1 / (hitscope_size <= 8) \
            }; \
            hitscope_record(#pair, sizeof #pair - 1, hitscope_numbers, hitscope_size, hitscope_count); \
        } \
    } while (0)
#endif

#ifdef _MSC_VER
#pragma warning(pop)
#endif

#endif
#endif
