"""Renditions with Pillow: one decode, each rendition from the next larger one."""

import io
import platform

import PIL
import pillow_heif
from PIL import Image, ImageOps, features

from worker import JOB, serve

pillow_heif.register_heif_opener()


def make(path):
    made = []
    with Image.open(path) as file:
        image = ImageOps.exif_transpose(file)
    for size in JOB["sizes"]:
        box = (size["width"], size["height"])
        if size["fit"] == "cover":
            image = ImageOps.fit(image, box, Image.Resampling.LANCZOS)
        else:
            image = image.copy() if made else image
            image.thumbnail(box, Image.Resampling.LANCZOS)
        data = io.BytesIO()
        image.save(data, "WEBP", quality=JOB["quality"], exif=b"", icc_profile=None)
        made.append((size["name"], data.getvalue()))
    return made


libwebp, python = features.version("webp"), platform.python_version()
serve(f"Pillow {PIL.__version__} (libwebp {libwebp}, Python {python})", make)
