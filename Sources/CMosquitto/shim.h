#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
// What waits for the library's sockets; Glibc's module leaves it out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
