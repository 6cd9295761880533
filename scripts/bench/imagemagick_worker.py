"""Renditions with ImageMagick's command: one process per photo, one decode, each rendition from
the next larger one."""

import os
import subprocess
import sys
import tempfile

from worker import JOB, serve

PROGRAM = sys.argv[2]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "MAGICK_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1"}


def make(path):
    with tempfile.TemporaryDirectory() as folder:
        peak_kib = run([PROGRAM, path, *options(folder)])
        return [(size["name"], read(folder, size)) for size in JOB["sizes"]], peak_kib


def options(folder):
    *larger, smallest = JOB["sizes"]
    arguments = ["-auto-orient", "-strip", "-quality", str(JOB["quality"])]
    for size in larger:
        arguments += [*resize(size), "-write", target(folder, size)]
    return [*arguments, *resize(smallest), target(folder, smallest)]


def resize(size):
    box = f"{size['width']}x{size['height']}"
    if size["fit"] == "cover":
        return ["-resize", box + "^", "-gravity", "center", "-extent", box]
    return ["-resize", box + ">"]


def target(folder, size):
    return f"webp:{folder}/{size['name']}.webp"


def read(folder, size):
    with open(f"{folder}/{size['name']}.webp", "rb") as file:
        return file.read()


def run(command):
    """Runs a command to its end and returns the most memory it has used, in KiB."""
    process = subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    with process.stderr as stderr:
        complaint = stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(complaint.decode(errors="replace").strip())
    return usage.ru_maxrss


first_line = subprocess.run([PROGRAM, "-version"], capture_output=True, text=True, check=True)
serve(" ".join(first_line.stdout.split()[1:3]), make)
