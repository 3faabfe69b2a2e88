// For LD_PRELOAD: makes each fdatasync take SYNC_DELAY microseconds longer, as a slower disk does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

int fdatasync(int descriptor) {
  static int (*real)(int);
  static useconds_t delay;
  if (!real) {
    delay = (useconds_t)atoi(getenv("SYNC_DELAY") ? getenv("SYNC_DELAY") : "0");
    real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  }
  int result = real(descriptor);
  usleep(delay);
  return result;
}
