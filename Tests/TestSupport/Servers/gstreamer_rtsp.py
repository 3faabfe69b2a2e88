#!/usr/bin/python3
"""A real RTSP(S) server for tests: GStreamer's gst-rtsp-server, TLS, test video.

Protocol code of others end to end; only the configuration is ours. Prints `ready <url>` once it listens.
"""
import argparse
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--host", default="127.0.0.1")
    p.add_argument("--port", type=int, default=0, help="0 picks a free port")
    p.add_argument("--user", default="bblp")
    p.add_argument("--password", default="12345678")
    p.add_argument("--auth", choices=["none", "basic", "digest"], default="digest")
    p.add_argument("--cert", help="PEM, leaf first; without it the server speaks plain RTSP")
    p.add_argument("--key")
    p.add_argument("--path", default="/streaming/live/1")
    p.add_argument("--codec", choices=["h264", "h265"], default="h264")
    p.add_argument("--size", default="640x360")
    p.add_argument("--pattern", default="ball", help="snow has any bitrate")
    p.add_argument("--fps", type=int, default=15)
    p.add_argument("--group", type=int, default=15, help="pictures from one key frame to the next")
    p.add_argument("--b-pictures", type=int, default=0, help="of H.264, between two others")
    p.add_argument("--bitrate", type=int, default=500, help="kbit/s")
    p.add_argument("--max-sessions", type=int, default=0, help="0: no limit; else further SETUPs get 503")
    return p.parse_args()


def launch_line(a):
    width, height = a.size.split("x")
    encoder = {
        "h264": "x264enc tune=zerolatency speed-preset=ultrafast threads=1",
        "h265": "x265enc tune=zerolatency speed-preset=ultrafast",
    }[a.codec] + f" bitrate={a.bitrate} key-int-max={a.group}"
    if a.b_pictures:
        encoder += f" bframes={a.b_pictures} b-adapt=false ! video/x-h264,profile=main"
    return (
        f"( videotestsrc is-live=true pattern={a.pattern} ! video/x-raw,width={width},height={height},framerate={a.fps}/1 "
        f"! videoconvert ! video/x-raw,format=I420 ! {encoder} ! {a.codec}parse "
        f"! rtp{a.codec}pay name=pay0 pt=96 config-interval=1 )"
    )


def authentication(a):
    auth, token = GstRtspServer.RTSPAuth(), GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    if a.auth == "none":
        auth.set_default_token(token)
    elif a.auth == "basic":
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.BASIC)
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic(a.user, a.password), token)
    else:
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest(a.user, a.password, token)
    if a.cert:
        auth.set_tls_certificate(Gio.TlsCertificate.new_from_files(a.cert, a.key))
    return auth


def main():
    a = arguments()
    # Whoever started us may have had them blocked, as Dispatch's threads do.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    Gst.init(None)
    server = GstRtspServer.RTSPServer(address=a.host, service=str(a.port))
    if a.max_sessions:
        server.get_session_pool().set_max_sessions(a.max_sessions)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(launch_line(a))
    factory.set_shared(True)  # one encoder for all viewers, as in a camera
    factory.set_protocols(GstRtsp.RTSPLowerTrans.TCP)
    permissions = GstRtspServer.RTSPPermissions()
    for permission in ("media.factory.access", "media.factory.construct"):
        permissions.add_permission_for_role("viewer", permission, True)
    factory.set_permissions(permissions)
    server.set_auth(authentication(a))
    server.get_mount_points().add_factory(a.path, factory)

    loop = GLib.MainLoop()
    if server.attach(None) == 0:
        sys.exit("could not listen (address in use?)")
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, loop.quit)
    print(f"ready {'rtsps' if a.cert else 'rtsp'}://{a.host}:{server.get_bound_port()}{a.path}", flush=True)
    loop.run()


if __name__ == "__main__":
    main()
