"""OpenCV's side of `cargo xtask bench faces`: the folder of the models, then photos."""

import json
import sys
import time

import cv2

cv2.setNumThreads(1)
models, files = sys.argv[1], sys.argv[2:]
detector = cv2.FaceDetectorYN.create(
    models + "/face_detection_yunet_2023mar_int8bq.onnx", "", (640, 480), 0.7, 0.3, 5000
)
embedder = cv2.FaceRecognizerSF.create(models + "/face_recognition_sface_2021dec_int8bq.onnx", "")
said = {"version": "OpenCV " + cv2.__version__, "faces": 0, "cpu_seconds": 0.0, "detect_seconds": 0.0}


def detect(photo):
    longer = max(photo.shape[:2])
    scale = min(1.0, 640 / longer)
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    detector.setInputSize((small.shape[1], small.shape[0]))
    found = detector.detect(small)[1]
    return [] if found is None else found, scale


def look(photo):
    found, scale = detect(photo)
    for face in found:
        face[:14] /= scale
        embedder.feature(embedder.alignCrop(photo, face))
    return len(found)


for number, file in enumerate(files):
    photo = cv2.imread(file)
    if number == 0:
        look(photo)
    started = time.process_time()
    said["faces"] += look(photo)
    said["cpu_seconds"] += time.process_time() - started
    started = time.process_time()
    detect(photo)
    said["detect_seconds"] += time.process_time() - started

with open("/proc/self/status") as status:
    peak = next(line for line in status if line.startswith("VmHWM"))
said["peak_bytes"] = int(peak.split()[1]) * 1024
print(json.dumps(said))
