#!/bin/sh
# Makes picture.jpg: the inside of a printer as its camera sees it, with a print on the bed.
# JPEGStamp replaces its lowest row of blocks: each row is decoded by itself (slices), with the usual Huffman tables.
set -eu
cd "$(dirname "$0")"
box() { printf ',drawbox=x=%s:y=%s:w=%s:h=%s:color=%s:t=fill' "$@"; }
scene=$(
  # The rods and the bed.
  box 0 96 1280 14 0x39434a; box 0 132 1280 8 0x2c343a
  box 150 560 980 26 0x6d6a52; box 110 586 1060 60 0x45433a; box 110 646 1060 74 0x1c1f22
  # The print: a tower of layers that becomes narrower.
  y=540
  for width in 300 300 292 284 276 268 260 252 244 236 228 220; do
    box $((640 - width / 2)) "$y" "$width" 18 0xe07a1f
    box $((640 - width / 2)) $((y + 16)) "$width" 4 0xa9540f
    y=$((y - 20))
  done
  # The tool head with its nozzle.
  box 540 60 200 150 0x8f989d; box 556 76 168 60 0x20262a; box 600 210 80 40 0x5d666b; box 622 250 36 34 0xc9a24b
  box 632 284 16 30 0xb08d3c
  # The lamp.
  box 60 30 220 10 0xfff6dc
)
ffmpeg -v error -y -f lavfi -i "gradients=size=1280x720:c0=0x2a3238:c1=0x12161a:x0=0:y0=0:x1=0:y1=720:n=2:d=1$scene" \
  -frames:v 1 -threads 45 -thread_type slice -huffman default -pix_fmt yuvj420p -q:v 5 -map_metadata -1 -bitexact picture.jpg
