"""Views a camera with PyAV, as Home Assistant does: prints the size of the pictures, and how many of them were decoded."""

import sys

import av

with av.open(sys.argv[1], options={"rtsp_transport": "tcp"}, timeout=30) as stream:
    count = 0
    for picture in stream.decode(video=0):
        count += 1
        if count == 60:
            break
print(f"{picture.width} x {picture.height}: {count}")
