/* Asks an echo for answers and measures: drive PORT COUNT WINDOW prints the answers a second and the median and the 99th
 * percentile of the time to an answer, in microseconds. WINDOW questions are open at once; 1 is ping-pong. */
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int count, window, sent, answered;
static double *asked, *taken;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static void ask(struct mosquitto *m) {
  if (sent == count) return;
  char payload[64] = {0};
  snprintf(payload, sizeof payload, "%d", sent);
  asked[sent++] = now();
  mosquitto_publish(m, NULL, "bench/set", sizeof payload, payload, 1, false);
}

static void answer(struct mosquitto *m, void *context, const struct mosquitto_message *message) {
  (void)context;
  int number = atoi(message->payload);
  if (number < 0 || number >= sent) exit(3);
  taken[answered++] = now() - asked[number];
  ask(m);
}

/* Goes on until so many answers are there; they must not stay away for ten seconds. */
static void run(struct mosquitto *m, int until) {
  double deadline = now() + 10;
  for (int last = answered; answered < until;) {
    if (mosquitto_loop(m, 100, 1)) exit(1);
    if (answered != last) last = answered, deadline = now() + 10;
    if (now() > deadline) fprintf(stderr, "no answer after %d of %d\n", answered, count), exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  count = atoi(argv[2]), window = atoi(argv[3]);
  asked = calloc(count, sizeof *asked), taken = calloc(count, sizeof *taken);
  mosquitto_lib_init();
  struct mosquitto *m = mosquitto_new(NULL, true, NULL);
  mosquitto_message_callback_set(m, answer);
  mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_max_inflight_messages_set(m, 0);
  if (mosquitto_connect(m, "127.0.0.1", atoi(argv[1]), 60)) return 1;
  mosquitto_subscribe(m, NULL, "bench/state", 1);
  for (double end = now() + 0.5; now() < end;) mosquitto_loop(m, 50, 1);
  double start = now();
  for (int i = 0; i < window; i++) ask(m);
  run(m, count);
  double wall = now() - start;
  qsort(taken, count, sizeof *taken, ascending);
  printf("%.0f %.0f %.0f\n", count / wall, taken[count / 2] * 1e6, taken[count / 100 * 99] * 1e6);
  return 0;
}
