// To preload into a program: its time of day is off by the seconds in the file FAKE_CLOCK, which may change at any time.
// Its other clocks go on, as on a machine whose date is set. (Debian's libfaketime costs a Swift program its arguments:
// it changes the environment, next to which Swift looks for them.)
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  long seconds = 0;
  const char *path = getenv("FAKE_CLOCK");
  FILE *file = path ? fopen(path, "re") : NULL;
  if (!file) return 0;
  if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
  fclose(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = (int)syscall(SYS_gettimeofday, now, zone);
  if (!result && now) now->tv_sec += offset();
  return result;
}

time_t time(time_t *now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now) *now = precise.tv_sec;
  return precise.tv_sec;
}
