#!/usr/bin/python3
"""Measures what input of strangers costs: check.py PROGRAM [DOOR...]

Each door gets each shape in two sizes, of which the larger one is the largest that the door lets through. It fails if
four times the bytes cost more than six times as much, or if the larger one costs more than 50 ms of the processor.
"""

import math
import sys

import front
import functions
import shapes

RATIO = 6
LIMIT_MS = 50
# Smaller costs cannot be told from the program's other work.
NOISE_MS = 4


def measure(door, shape):
    """The cost of the larger size in ms, and what is wrong with it; None if nothing is.

    Tries again, and takes the least of the larger size, because the work of another program may add to the time.
    """
    fault = None
    large = math.inf
    for _ in range(10):
        large = min(large, door.cost(door.frame(shape(door.size))))
        if large <= NOISE_MS:
            return large, None
        if large > LIMIT_MS:
            fault = f"{large:.1f} ms, which is more than {LIMIT_MS}"
            if large > 10 * LIMIT_MS:
                break
            continue
        small = door.cost(door.frame(shape(door.size // 4)))
        if large <= RATIO * max(small, NOISE_MS / RATIO):
            return large, None
        fault = f"{small:.1f} ms, and {large:.1f} ms for four times as much"
    return large, fault


def main(program, wanted):
    shapes.self_check()
    faults = 0
    for group in (functions, front):
        with group.open_doors(program) as doors:
            for door in doors:
                if wanted and door.name not in wanted:
                    continue
                measured = {name: measure(door, shape) for name, shape in door.shapes.items()}
                dearest = max(measured, key=lambda name: measured[name][0])
                print(f"{door.name:<44} {len(measured):>3} shapes, at most {measured[dearest][0]:6.2f} ms ({dearest})", flush=True)
                for name, (_, fault) in measured.items():
                    if fault:
                        faults += 1
                        print(f"  FAULT {name}: {fault}", flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], set(sys.argv[2:])))
