#!/usr/bin/env python3
"""Makes the images of kinds that are refused: drawn here, written by real encoders.

Needs Pillow, imagecodecs and tifffile (PyPI), and avifenc (Debian: libavif-bin). `inks.jxl` was written by a
few lines of C with libjxl 0.7: three channels and an extra one of the type "black".
"""

import subprocess
from pathlib import Path

import imagecodecs
import numpy
import tifffile
from PIL import Image

HERE = Path(__file__).parent


def main():
    image = Image.linear_gradient("L").resize((128, 128)).convert("RGB")
    small = image.resize((32, 24))
    small.convert("P").save(HERE / "palette.tif")
    small.convert("LAB").save(HERE / "lab.tif")
    numbers = numpy.arange(24 * 32, dtype=numpy.int32).reshape(24, 32)
    Image.fromarray(numbers).save(HERE / "integers.tif")
    pixels = numpy.asarray(small)
    tifffile.imwrite(HERE / "lzma.tif", pixels, photometric="rgb", compression="lzma")
    deep = pixels.astype(numpy.uint16) * 16
    write("twelve-bits.jpg", imagecodecs.jpeg8_encode(deep, bitspersample=12))
    image.save("/tmp/refused.png")
    avifenc("ycgco.avif", "--cicp", "1/13/8")
    avifenc("crop.avif", "--clap", "64,1,32,1,0,1,0,1")


def write(name, data):
    (HERE / name).write_bytes(data)


def avifenc(name, *options):
    subprocess.run(["avifenc", "-s", "8", *options, "/tmp/refused.png", HERE / name], check=True)


main()
