// What Glibc's Swift module leaves out: epoll, eventfd, inotify, accept4, signals as descriptors.
#ifndef TARN_CLINUX_SHIM_H
#define TARN_CLINUX_SHIM_H
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Glibc's own Swift module is made without _GNU_SOURCE, and two definitions of one structure cannot
// meet in a program: so what needs that macro is declared here.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);

// Accepts a connection that neither blocks nor is inherited by other programs.
static inline int tarn_accept(int listener, struct sockaddr_storage *address, socklen_t *count) {
    return accept4(listener, (struct sockaddr *)address, count, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// A descriptor of nothing, to be given up for another.
static inline int tarn_open_nothing(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

static inline int tarn_socket_stream(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int tarn_connect(
    int socket, const struct sockaddr_storage *address, socklen_t count) {
    return connect(socket, (const struct sockaddr *)address, count);
}

static inline int tarn_bind(int socket, const struct sockaddr_storage *address, socklen_t count) {
    return bind(socket, (const struct sockaddr *)address, count);
}

static inline int tarn_local_address(
    int socket, struct sockaddr_storage *address, socklen_t *count) {
    return getsockname(socket, (struct sockaddr *)address, count);
}

static inline int tarn_address_text(
    const struct sockaddr_storage *address, socklen_t count, char *host, socklen_t host_count,
    char *port, socklen_t port_count) {
    return getnameinfo(
        (const struct sockaddr *)address, count, host, host_count, port, port_count,
        NI_NUMERICHOST | NI_NUMERICSERV);
}

// Writes without the signal that a closed peer would cause.
static inline ssize_t tarn_send(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_NOSIGNAL);
}

static inline int tarn_epoll_control(int epoll, int operation, int descriptor, uint32_t events,
                                     uint64_t data) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = data;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

// EPOLL_* are an enumeration for C, and these their plain numbers for Swift.
static const uint32_t tarn_epoll_in = EPOLLIN;
static const uint32_t tarn_epoll_out = EPOLLOUT;
static const uint32_t tarn_epoll_err = EPOLLERR;
static const uint32_t tarn_epoll_hup = EPOLLHUP;

// The words for an error number, cut to what the buffer holds.
static inline void tarn_error_text(int number, char *text, size_t count) {
    if (strerror_r(number, text, count) != 0) text[0] = 0;
}

// A descriptor that is readable when the process has ended. Kernels before 5.3 have none.
static inline int tarn_pidfd_open(int process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// Whether a program was started with the signal ignored, as nohup does.
static inline int tarn_signal_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The kernel sends this process the signal when the thread that started it ends, however it ends.
static inline int tarn_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }

// What somebody without privileges may still write to a path's disk, in bytes; -1 where that cannot
// be told. The structure cannot be made from Swift, whose name for it is also the function's.
static inline int64_t tarn_free_bytes(const char *path) {
    struct statvfs figures;
    if (statvfs(path, &figures) != 0) return -1;
    unsigned __int128 bytes = (unsigned __int128)figures.f_frsize * figures.f_bavail;
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

static inline int tarn_process_usage(struct rusage *usage) { return getrusage(RUSAGE_SELF, usage); }

static inline int tarn_descriptor_limit(struct rlimit *limit) {
    return getrlimit(RLIMIT_NOFILE, limit);
}

// This thread, and what it starts, run on one core of the first 64 from now on. 0 when they do.
static inline int tarn_stay_on_core(int core) {
    uint64_t cores = (uint64_t)1 << core;
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof cores, &cores);
}

static inline int64_t tarn_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
#endif
