#!/usr/bin/env python3
"""Makes the large images whose formats have no encoder among the crate's dependencies.

Needs Pillow, pillow-heif, pillow-jxl-plugin and numpy (PyPI), and cjxl (Debian: libjxl-tools). They are drawn here, hold no photograph,
and are plain enough to be small files, which does not change what a decoder holds in memory.
"""

import pathlib
import subprocess
import tempfile

import numpy

import pillow_heif
import pillow_jxl  # noqa: F401 (registers the format)
from PIL import Image, ImageDraw

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 4000, 3000


def main():
    image = drawn()
    clear = image.copy()
    clear.putalpha(Image.linear_gradient("L").resize((WIDTH, HEIGHT)))
    pillow_heif.register_heif_opener()
    image.save(HERE / "plain.heic", quality=20)
    clear.save(HERE / "alpha.heic", quality=20)
    samples = b"".join(bytes((sample, sample)) for sample in image.tobytes())
    deep = pillow_heif.from_bytes("RGB;16", image.size, samples)
    deep.save(HERE / "deep.heic", quality=20)
    image.save(HERE / "plain.jxl", quality=50)
    clear.save(HERE / "alpha.jxl", quality=50)
    image.save(HERE / "lossless.jxl", lossless=True, effort=4)
    image.save(HERE / "plain.avif", quality=30, speed=8)
    clear.save(HERE / "alpha.avif", quality=30, speed=8)
    high_dynamic_range()


def high_dynamic_range():
    """16 bits of the curve PQ, in the size of an ordinary camera."""
    width, height = 5600, 3840
    samples = numpy.asarray(drawn(width, height)).astype(">u2") * 197
    with tempfile.NamedTemporaryFile(suffix=".ppm") as source:
        source.write(b"P6\n%d %d\n65535\n" % (width, height) + samples.astype(">u2").tobytes())
        source.flush()
        for name, distance in [("hdr.jxl", "2"), ("hdr-lossless.jxl", "0")]:
            options = ["-x", "color_space=RGB_D65_202_Rel_PeQ", "-d", distance, "-e", "3"]
            subprocess.run(["cjxl", *options, source.name, HERE / name], check=True)


def drawn(width=WIDTH, height=HEIGHT):
    image = Image.new("RGB", (width, height), (40, 60, 90))
    draw = ImageDraw.Draw(image)
    for at in range(0, width, 250):
        draw.ellipse((at, at // 2, at + 900, at // 2 + 900), fill=(at % 256, 90, 255 - at % 256))
    return image


if __name__ == "__main__":
    main()
