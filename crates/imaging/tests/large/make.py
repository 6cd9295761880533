#!/usr/bin/env python3
"""Makes the large images whose formats have no encoder among the crate's dependencies.

Needs Pillow, pillow-heif and pillow-jxl-plugin (PyPI). They are drawn here, hold no photograph,
and are plain enough to be small files, which does not change what a decoder holds in memory.
"""

import pathlib

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


def drawn():
    image = Image.new("RGB", (WIDTH, HEIGHT), (40, 60, 90))
    draw = ImageDraw.Draw(image)
    for at in range(0, WIDTH, 250):
        draw.ellipse((at, at // 2, at + 900, at // 2 + 900), fill=(at % 256, 90, 255 - at % 256))
    return image


if __name__ == "__main__":
    main()
