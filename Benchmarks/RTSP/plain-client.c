/* The exchange of a probe to the description, as plainly as C and OpenSSL do it: the measure for ours.
   cc -O2 -o plain-client plain-client.c -lssl -lcrypto;  plain-client HOST PORT PATH USER PASSWORD COUNT */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static char host[64], path[256], user[64], password[64];
static int port;

static void md5(char out[33], const char *text) {
    unsigned char digest[16];
    EVP_Digest(text, strlen(text), digest, NULL, EVP_md5(), NULL);
    for (int i = 0; i < 16; i++) sprintf(out + 2 * i, "%02x", digest[i]);
}

/* Sends a request and reads its answer with its body; returns the status. */
static int ask(SSL *ssl, const char *request, char *answer, size_t size) {
    if (SSL_write(ssl, request, (int)strlen(request)) <= 0) exit(1);
    size_t have = 0;
    for (;;) {
        int n = SSL_read(ssl, answer + have, (int)(size - 1 - have));
        if (n <= 0) exit(1);
        have += (size_t)n;
        answer[have] = 0;
        char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "Content-Length:");
        if (end && have >= (size_t)(end + 4 - answer) + (length && length < end ? strtoul(length + 15, NULL, 10) : 0))
            return atoi(answer + 9);
    }
}

static void value(char *out, const char *answer, const char *name) {
    const char *start = strstr(answer, name);
    if (!start) exit(1);
    start += strlen(name);
    size_t length = strcspn(start, "\"");
    memcpy(out, start, length);
    out[length] = 0;
}

static void probe(SSL_CTX *context) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) exit(1);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    if (SSL_connect(ssl) != 1) exit(1);
    char url[512], request[2048], realm[256], nonce[256], a[512], ha1[33], ha2[33], both[512], response[33];
    static char answer[65536];
    snprintf(url, sizeof url, "rtsps://%s:%d%s", host, port, path);
    snprintf(request, sizeof request, "OPTIONS %s RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: c\r\n\r\n", url);
    if (ask(ssl, request, answer, sizeof answer) != 200) exit(1);
    snprintf(request, sizeof request, "DESCRIBE %s RTSP/1.0\r\nCSeq: 2\r\nUser-Agent: c\r\nAccept: application/sdp\r\n\r\n", url);
    if (ask(ssl, request, answer, sizeof answer) == 401) {
        value(realm, answer, "realm=\"");
        value(nonce, answer, "nonce=\"");
        snprintf(a, sizeof a, "%s:%s:%s", user, realm, password);
        md5(ha1, a);
        snprintf(a, sizeof a, "DESCRIBE:%s", url);
        md5(ha2, a);
        snprintf(both, sizeof both, "%s:%s:%s", ha1, nonce, ha2);
        md5(response, both);
        snprintf(request, sizeof request,
                 "DESCRIBE %s RTSP/1.0\r\nCSeq: 3\r\nAuthorization: Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", "
                 "uri=\"%s\", response=\"%s\"\r\nUser-Agent: c\r\nAccept: application/sdp\r\n\r\n",
                 url, user, realm, nonce, url, response);
        if (ask(ssl, request, answer, sizeof answer) != 200) exit(1);
    }
    if (!strstr(answer, "m=video")) exit(1);
    SSL_shutdown(ssl);
    shutdown(fd, SHUT_WR);
    while (SSL_read(ssl, answer, sizeof answer) > 0) continue;
    while (read(fd, answer, sizeof answer) > 0) continue;
    SSL_free(ssl);
    close(fd);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
    if (argc != 7) return 64;
    snprintf(host, sizeof host, "%s", argv[1]);
    port = atoi(argv[2]);
    snprintf(path, sizeof path, "%s", argv[3]);
    snprintf(user, sizeof user, "%s", argv[4]);
    snprintf(password, sizeof password, "%s", argv[5]);
    int count = atoi(argv[6]);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    probe(context);
    double *times = malloc(sizeof(double) * (size_t)count), before = cpu();
    for (int i = 0; i < count; i++) {
        double start = now();
        probe(context);
        times[i] = now() - start;
    }
    double used = (cpu() - before) / count;
    qsort(times, (size_t)count, sizeof(double), compare);
    printf("wall_ms %f\ncpu_ms %f\n", times[count / 2] * 1000, used * 1000);
    return 0;
}
