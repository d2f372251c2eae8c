"""The settings that the embedded server runs with."""

from __future__ import annotations

import os
from collections.abc import Mapping

# Chosen for one machine with one user (our choice). jit is off since its warm-up costs more than our queries.
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",  # a socket's path may have 107 bytes, and home may be deeper than that
    "max_connections": "100",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "jit": "off",
    "huge_pages": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}

# Patients' words are never in a log. Messages and details quote values (`invalid input syntax for … "…"`,
# `Key (…)=(…) already exists`, `Failed process was running: …`), hence level "log", which leaves out errors
# and warnings, and "terse". They win over `options`. A PANIC (a full disk) still prints its statement: text
# with $1, since psycopg's ordinary cursors send values apart from it.
_DISCRETION = {
    "log_statement": "none",
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_lock_waits": "off",
    "log_temp_files": "-1",
    "logging_collector": "off",
    "log_destination": "stderr",
}


def settings_for(options: Mapping[str, str], port: int) -> list[str]:
    """The server's command line arguments after `-D folder`."""
    chosen = {**_SETTINGS, **_shared_memory(), **options, **_DISCRETION, "port": str(port)}
    return [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]


def _shared_memory() -> dict[str, str]:
    """A container's /dev/shm often has 64 MB, and a parallel index build needs maintenance_work_mem of it."""
    try:
        room = os.statvfs("/dev/shm")
    except OSError:
        return {}
    roomy = room.f_bavail * room.f_frsize >= 512 << 20
    return {} if roomy else {"dynamic_shared_memory_type": "mmap"}
