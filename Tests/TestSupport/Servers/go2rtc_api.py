#!/usr/bin/python3
"""The part of go2rtc's HTTP API that keeps streams, and gives pictures of them.

GET, PUT and DELETE of /api/streams; GET of /api/frame.jpeg, which is made by ffmpeg as go2rtc does.
As there, user and password of sources are masked.

Prints `ready <port>` once it listens, all its streams as JSON after each change, and `picture <name>`.
"""
import http.server
import json
import re
import subprocess
import urllib.parse

streams = {}
PICTURE = subprocess.run(
    ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=640x360", "-frames:v", "1", "-f", "mjpeg", "-"],
    capture_output=True,
    check=True,
).stdout


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        if url.path == "/api/frame.jpeg" and self.command == "GET":
            if query["src"][0] not in streams:
                return self.answer(404)
            print("picture", query["src"][0], flush=True)
            return self.answer(200, PICTURE)
        if url.path != "/api/streams":
            return self.answer(404)
        if self.command == "PUT":
            streams[query["name"][0]] = query["src"][0]
        elif self.command == "DELETE":
            streams.pop(query["src"][0], None)
        else:
            masked = {name: re.sub("://[^/]*@", "://***@", source) for name, source in streams.items()}
            body = {name: {"producers": [{"url": source}], "consumers": None} for name, source in masked.items()}
            return self.answer(200, json.dumps(body).encode())
        print(json.dumps(streams, sort_keys=True), flush=True)
        self.answer(200)

    do_GET = do_PUT = do_DELETE = handle_request

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"ready {server.server_port}", flush=True)
server.serve_forever()
