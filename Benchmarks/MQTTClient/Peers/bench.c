/* The measured program on libmosquitto alone, with the loop that it brings; modes as in Sources/Bench/Bench.swift. */
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 100, SIZE = 64 };

static int count, sent, answered;
static struct timespec start;
static const char payload[SIZE];

static void subscribe(struct mosquitto *m, void *context, int code) {
  (void)context;
  if (code == 0) mosquitto_subscribe(m, NULL, "bench/set", 1);
}

static void reply(struct mosquitto *m, void *context, const struct mosquitto_message *message) {
  (void)context;
  mosquitto_publish(m, NULL, "bench/state", message->payloadlen, message->payload, 1, false);
}

static void publish_next(struct mosquitto *m) {
  if (sent == count) return;
  sent++;
  mosquitto_publish(m, NULL, "bench/none", SIZE, payload, 1, false);
}

static void fill(struct mosquitto *m, void *context, int code) {
  (void)context;
  if (code != 0) return;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < WINDOW; i++) publish_next(m);
}

static void refill(struct mosquitto *m, void *context, int id) {
  (void)context, (void)id;
  answered++;
  publish_next(m);
  if (answered == count) mosquitto_disconnect(m);
}

static struct mosquitto *client(int port) {
  struct mosquitto *m = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_int_option(m, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(m, MOSQ_OPT_SEND_MAXIMUM, WINDOW);
  mosquitto_int_option(m, MOSQ_OPT_RECEIVE_MAXIMUM, WINDOW);
  return mosquitto_connect(m, "127.0.0.1", port, 60) ? NULL : m;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *mode = argv[1];
  int port = atoi(argv[2]);
  count = argc > 3 ? atoi(argv[3]) : 0;
  mosquitto_lib_init();
  struct mosquitto *m = client(port);
  if (!m) return 1;
  if (strcmp(mode, "echo") == 0) {
    mosquitto_connect_callback_set(m, subscribe);
    mosquitto_message_callback_set(m, reply);
    return mosquitto_loop_forever(m, -1, 1);
  }
  mosquitto_connect_callback_set(m, fill);
  mosquitto_publish_callback_set(m, refill);
  mosquitto_loop_forever(m, -1, 1);
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.0f\n", count / (end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9));
  return 0;
}
