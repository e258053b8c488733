/* Preloaded into a process: while the file FULL is there, the disk has no room for what is written to files of a database. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_full(int fd) {
  const char *full = getenv("FULL");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (!full || length <= 0 || access(full, F_OK) != 0) return 0;
  path[length] = 0;
  if (!strstr(path, ".db")) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  return is_full(fd) ? -1 : real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  return is_full(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return is_full(fd) ? -1 : real(fd, bytes, count, at);
}
