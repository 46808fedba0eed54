"""The workers of a Dask scheduler, with what a campaign has to know of them: that some are lost, or all."""

import gc
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from time import monotonic, sleep

from distributed import Client
from distributed.comm.addressing import get_address_host_port, parse_address
from distributed.scheduler import KilledWorker

from hitscope.errors import HitscopeError, shown
from hitscope.terminal import print_error

CONNECT_SECONDS = 10.0
"""The seconds that a scheduler has to answer."""
ALONE_SECONDS = 30.0
"""The seconds that a scheduler may have no worker."""
LONGEST_GREETING = 1 << 20
LOOK_SECONDS = 1.0
"""The seconds between two looks at the workers."""


class DaskWorkers:
    """The workers of a scheduler: an executor, and how many they are."""

    def __init__(self, client: Client, name: str, alone_seconds: float) -> None:
        """Wait for the first worker; raises HitscopeError where none comes."""
        self.executor = client.get_executor(pure=False)
        self.threads = 0
        self._client, self._name, self._alone_seconds = client, name, alone_seconds
        self._workers: set[str] = set()
        self._next = 0.0
        self._last_seen = monotonic()
        while not self.threads:
            self.check()
            sleep(0.0 if self.threads else LOOK_SECONDS / 10)

    def check(self) -> None:
        """Say which workers are lost since the last look; raises HitscopeError where all are, for too long."""
        if monotonic() < self._next:
            return
        try:
            found = self._client.nthreads()
        except (OSError, AttributeError):  # the scheduler does not answer, and its tasks will be cancelled
            found = dict.fromkeys(self._workers, 1)
        now = monotonic()
        self._next = now + LOOK_SECONDS
        if lost := self._workers - {*found}:
            left = f"{len(found)} left" if found else f"none left, waiting {self._alone_seconds:g} s for another"
            print_error(f"{self._name}: lost the worker {', '.join(sorted(lost))}; {left}")
        self._workers, self.threads = {*found}, sum(found.values())
        if found:
            self._last_seen = now
        elif now - self._last_seen >= self._alone_seconds:
            raise HitscopeError(f"{self._name}: expected workers, found none for {self._alone_seconds:g} s")


@contextmanager
def dask_workers(address: str, alone_seconds: float = ALONE_SECONDS) -> Iterator[DaskWorkers]:
    """Connect to a scheduler, which may lack workers for so many seconds; raises HitscopeError for a failure."""
    name = f"--dask {address}"
    logging.disable(logging.CRITICAL)  # a line for each try, and tracebacks
    try:
        with _connected(address, name) as client:
            try:
                yield DaskWorkers(client, name, alone_seconds)
            except CancelledError:
                raise HitscopeError(f"{name}: expected a scheduler to the end, found none") from None
            except KilledWorker as error:
                words = f"a task that ended {error.allowed_failures + 1} of them"
                raise HitscopeError(f"{name}: expected workers that finish their tasks, found {words}") from None
    finally:
        logging.disable(logging.NOTSET)


def _connected(address: str, name: str) -> Client:
    """Return a client; before it begins, which would go on trying, the address is looked at."""
    expected = f"{name}: expected a Dask scheduler, found"
    try:
        scheme, _ = parse_address(address)
        with socket.create_connection(get_address_host_port(address), CONNECT_SECONDS) as connection:
            # It speaks first, and begins with the size of a short message.
            if scheme == "tcp" and not 0 < int.from_bytes(connection.recv(8), "little") < LONGEST_GREETING:
                raise HitscopeError(f"{expected} another server")
    except (OSError, ValueError, OverflowError) as error:
        raise HitscopeError(f"{expected} {getattr(error, 'strerror', None) or shown(error)}") from None
    try:
        return Client(address, set_as_default=False, timeout=CONNECT_SECONDS)
    except (OSError, TypeError) as error:  # TypeError: of TLS without its certificates
        words = shown(error)
    gc.collect()  # a client that could not begin has to be closed before Python ends
    raise HitscopeError(f"{expected} {words}")
