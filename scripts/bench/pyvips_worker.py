"""Renditions with libvips through pyvips: `thumbnail` for each, as vipsthumbnail does, which
shrinks JPEG files while it decodes them."""

import os

os.environ["VIPS_CONCURRENCY"] = "1"

import pyvips

from worker import JOB, serve


def make(path):
    return [(size["name"], rendition(path, size)) for size in JOB["sizes"]]


def rendition(path, size):
    crop = "centre" if size["fit"] == "cover" else "none"
    image = pyvips.Image.thumbnail(
        path, size["width"], height=size["height"], size="down", crop=crop
    )
    return image.webpsave_buffer(Q=JOB["quality"], keep="none")


libvips = ".".join(str(pyvips.version(part)) for part in range(3))
serve(f"pyvips {pyvips.__version__} (libvips {libvips})", make)
