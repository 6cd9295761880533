"""Writes a PNG file as WebP or HEIC, as cameras and telephones would, and what a decoder makes
of that as PNG again: convert.py FROM.png TO.webp|TO.heic DECODED.png"""

import sys

import pillow_heif
from PIL import Image

QUALITY = {".webp": 90, ".heic": 80}

source, target, decoded = sys.argv[1:]
pillow_heif.register_heif_opener()
with Image.open(source) as image:
    image.save(target, quality=QUALITY[target[-5:]])
with Image.open(target) as image:
    image.convert("RGB").save(decoded, compress_level=1)
