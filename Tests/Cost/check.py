"""Measures what input of strangers costs: check.py PROGRAM [DOOR...]

Each door gets each shape in two sizes, of which the larger one is the largest that the door lets through. It fails where
four times the bytes cost more than six times as much, or where the larger one costs more than 50 ms of the processor.
"""

import sys

import front
import functions
import shapes

RATIO = 6
LIMIT_MS = 50
# What costs less is lost in what a program does anyway.
NOISE_MS = 4


def fault(small, large):
    if large > LIMIT_MS:
        return f"more than {LIMIT_MS} ms"
    if large > NOISE_MS and large > RATIO * max(small, NOISE_MS / RATIO):
        return f"more than {RATIO} times as much"
    return None


def measure(door, name, shape):
    """The costs of both sizes in ms, and what is wrong with them: what another program's work adds is gone at the next try."""
    for _ in range(3):
        costs = [door.cost(door.frame(shape(size))) for size in (door.size // 4, door.size)]
        problem = fault(*costs)
        if not problem or costs[1] > 10 * LIMIT_MS:
            break
    return costs, problem


def main(program, wanted):
    shapes.self_check()
    faults = 0
    for group in (functions, front):
        with group.open_doors(program) as doors:
            for door in doors:
                if wanted and door.name not in wanted:
                    continue
                measured = {name: measure(door, name, shape) for name, shape in door.shapes.items()}
                dearest = max(measured, key=lambda name: measured[name][0][1])
                print(f"{door.name:<44} {len(measured):>3} shapes, at most {measured[dearest][0][1]:6.2f} ms ({dearest})", flush=True)
                for name, (costs, problem) in measured.items():
                    if problem:
                        faults += 1
                        print(f"  FAULT {name}: {problem}: {costs[0]:.2f} and {costs[1]:.2f} ms", flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], set(sys.argv[2:])))
