#!/bin/sh
# Makes clip.h264: three seconds of ffmpeg's test picture, one key frame a second, Constrained Baseline.
# H264Stamp replaces the second slice of each frame, the lowest row of blocks.
# H264Clip.framesPerSecond has to say the same rate.
set -eu
cd "$(dirname "$0")"
ffmpeg -v error -y -f lavfi -i testsrc=size=320x180:rate=15:duration=3 -an -pix_fmt yuv420p \
  -c:v libx264 -profile:v baseline -preset veryslow -tune zerolatency -crf 34 \
  -x264-params keyint=15:min-keyint=15:scenecut=0:sliced-threads=0:slice-max-mbs=220:threads=1 \
  -bsf:v filter_units=remove_types=6 -f h264 clip.h264
