import contextlib
@contextlib.contextmanager
def open_doors(program):
    yield []
