#!/usr/bin/python3
"""A real RTSP server for tests: VLC's, by its library (its program refuses to run as root).

    vlc_rtsp.py VIDEO PORT

No TLS, no interleaving, a password by Digest or Basic as VLC likes. Prints `ready` once it listens.
"""
import ctypes
import signal
import socket
import sys
import time

video, port = sys.argv[1:]
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
signal.signal(signal.SIGTERM, signal.SIG_DFL)
vlc = ctypes.CDLL("libvlc.so.5")
for name in ("libvlc_new", "libvlc_media_new_path", "libvlc_media_player_new_from_media"):
    getattr(vlc, name).restype = ctypes.c_void_p
options = [b"--intf=dummy", b"--no-audio", b"--sout-rtsp-user=bblp", b"--sout-rtsp-pwd=12345678"]
library = ctypes.c_void_p(vlc.libvlc_new(len(options), (ctypes.c_char_p * len(options))(*options)))
media = ctypes.c_void_p(vlc.libvlc_media_new_path(library, video.encode()))
for option in (f":sout=#rtp{{sdp=rtsp://127.0.0.1:{port}/streaming/live/1}}", ":sout-keep", ":input-repeat=65535"):
    vlc.libvlc_media_add_option(media, option.encode())
player = ctypes.c_void_p(vlc.libvlc_media_player_new_from_media(media))
vlc.libvlc_media_player_play(player)
while True:
    try:
        socket.create_connection(("127.0.0.1", int(port))).close()
        break
    except OSError:
        time.sleep(0.05)
print("ready", flush=True)
signal.pause()
