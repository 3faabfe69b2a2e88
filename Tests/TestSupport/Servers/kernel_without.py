"""Runs a program as on a kernel that lacks a feature: kernel_without.py landlock,seccomp PROGRAM [ARGUMENT]..."""
import ctypes
import errno
import os
import platform
import struct
import sys

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
LANDLOCK_CREATE_RULESET = 444
PRCTL = {"x86_64": 157, "aarch64": 167}[platform.machine()]


def load_number():
    return (LOAD, 0, 0, 0)


def load_first_argument():
    return (LOAD, 0, 0, 16)


FILTERS = {
    "landlock": [
        load_number(),
        (EQUAL, 0, 1, LANDLOCK_CREATE_RULESET),
        (RETURN, 0, 0, FAIL | errno.EOPNOTSUPP),
        (RETURN, 0, 0, ALLOW),
    ],
    "seccomp": [
        load_number(),
        (EQUAL, 0, 3, PRCTL),
        load_first_argument(),
        (EQUAL, 0, 1, PR_SET_SECCOMP),
        (RETURN, 0, 0, FAIL | errno.EINVAL),
        (RETURN, 0, 0, ALLOW),
    ],
}

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
# The one that refuses filters comes last.
for feature in sorted(sys.argv[1].split(",")):
    steps = FILTERS[feature]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
    if libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0):
        sys.exit(f"kernel_without.py: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[2], sys.argv[2:])
