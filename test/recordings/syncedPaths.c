/* Preloaded into a process: writes the path of each file and folder that is synced as a line into the file SYNCED_PATHS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  char link[64], path[PATH_MAX + 1];
  int result = real(fd);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX);
  const char *list = getenv("SYNCED_PATHS");
  if (result != 0 || length <= 0 || !list) return result;
  path[length] = '\n';
  int to = open(list, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (to < 0 || write(to, path, length + 1) != length + 1) abort();
  close(to);
  return result;
}
