#!/usr/bin/python3
"""Views an RTSP stream with GStreamer: prints the number of each picture's buffer that comes out of the depayloader."""
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def main():
    url, codec = sys.argv[1:3]
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"rtspsrc name=source ! rtp{codec}depay ! {codec}parse ! video/x-{codec},alignment=au "
        "! fakesink name=sink signal-handoffs=true sync=false"
    )
    pipeline.get_by_name("source").set_property("location", url)
    count = 0

    def picture(*_):
        nonlocal count
        count += 1
        print(f"picture {count}", flush=True)

    pipeline.get_by_name("sink").connect("handoff", picture)
    loop = GLib.MainLoop()
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message::error", lambda _, message: (print("error", message.parse_error(), flush=True), loop.quit()))
    bus.connect("message::eos", lambda *_: (print("end", flush=True), loop.quit()))
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, loop.quit)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
