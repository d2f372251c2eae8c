"""A client of the embedded server as a process of its own: prints what it got, stays until its input ends.

python embedded_client.py HOME ['{"bin_dir": …, "spawn": true}']
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psycopg

from storage.errors import StorageError
from storage.postgres import ensure_server

FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "16MB"}


def main() -> None:
    wishes = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    try:
        address = ensure_server(Path(sys.argv[1]), options=FAST, linger=0.2)
    except StorageError as error:
        print(json.dumps({"error": type(error).__name__, "text": str(error), "remedy": error.remedy}))  # noqa: T201
        return
    with psycopg.connect(address.url()) as connection:
        row = connection.execute("SELECT pg_postmaster_start_time()::text, current_setting('data_directory')")
        started, cluster = row.fetchone() or ("", "")
    report = {"port": str(address.port), "started": started, "cluster": cluster}
    if wishes.get("spawn"):
        null = subprocess.DEVNULL
        child = subprocess.Popen(["sleep", "600"], close_fds=False, stdin=null, stdout=null)
        report["child"] = str(child.pid)
    print(json.dumps(report), flush=True)  # noqa: T201
    sys.stdin.read()


main()
