"""Writes random drafts over the sample media into a folder: random-drafts.py FOLDER COUNT SEED

They are small, short and mixed: clips with speeds, crops, filters and transitions, time effects, layers of every kind
with blend modes, masks and animations, sounds with fades and ducking, and different settings of the film."""
import json
import random
import sys

folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TRANSITIONS = ["fade", "dissolve", "wipeLeft", "slideUp", "circleOpen", "fadeBlack", "pixelize", "squeezeH", "radial", "hBlur"]
BLENDS = ["normal", "multiply", "screen", "overlay", "softLight", "difference", "add"]
EASINGS = ["linear", "easeIn", "easeOut", "easeInOut", "backOut"]


def filters(draw):
    known = [
        {"type": "contrast", "amount": draw.uniform(0.5, 1.6)}, {"type": "brightness", "amount": draw.uniform(-0.2, 0.2)},
        {"type": "saturation", "amount": draw.uniform(0, 2)}, {"type": "hue", "angle": draw.uniform(-180, 180)},
        {"type": "sepia", "amount": draw.random()}, {"type": "invert"}, {"type": "gamma", "amount": draw.uniform(0.6, 1.8)},
        {"type": "temperature", "kelvin": draw.uniform(3000, 9000)},
    ]
    return draw.sample(known, draw.randint(1, 3))


def clip(draw, index):
    if draw.random() < 0.15:
        return {"type": "image", "url": "media/card.png", "duration": draw.uniform(0.4, 1.2)}
    start = round(draw.uniform(0, 2), 2)
    value = {
        "type": "av", "url": draw.choice(["media/sea.mp4", "media/meadow.mp4"]),
        "timeRange": {"start": start, "duration": round(draw.uniform(0.6, 1.6), 2)},
        "scalingMode": draw.choice(["aspectFit", "aspectFill", "fill"]),
    }
    if draw.random() < 0.4: value["speed"] = draw.choice([0.5, 2, "3/2"])
    if draw.random() < 0.2: value["reverse"] = True
    if draw.random() < 0.4: value["filters"] = filters(draw)
    if draw.random() < 0.4: value["volume"] = round(draw.random(), 2)
    if draw.random() < 0.3: value["cropRect"] = {"x": 16, "y": 8, "width": 96, "height": 64}
    if index > 0 and draw.random() < 0.7:
        value["transition"] = {"type": draw.choice(TRANSITIONS), "duration": round(draw.uniform(0.1, 0.3), 2)}
    return value


def layer(draw):
    kinds = [
        {"type": "text", "text": "Spool %d" % draw.randint(1, 99), "font": "Sans Bold %d" % draw.randint(12, 40), "color": "#ffcc00"},
        {"type": "shape", "shape": "ellipse", "size": {"width": 60, "height": 40}, "fill": "#3366ff80"},
        {"type": "video", "url": "media/meadow.mp4", "timeRange": {"start": 0, "duration": 1}},
        {"type": "image", "url": "media/card.png"},
        {"type": "solid", "color": "#ff7a00", "size": {"width": 80, "height": 50}},
    ]
    value = {
        "source": draw.choice(kinds), "timeRange": {"start": round(draw.uniform(0, 0.3), 2), "duration": 0.5},
        "opacity": round(draw.uniform(0.3, 1), 2), "blendMode": draw.choice(BLENDS),
        "transform": {
            "center": {"x": round(draw.uniform(0.1, 0.9), 2), "y": round(draw.uniform(0.1, 0.9), 2)},
            "scale": round(draw.uniform(0.2, 1.1), 2), "rotation": draw.choice([0, 0, 90, draw.uniform(-40, 40)]),
        },
    }
    if draw.random() < 0.3:
        value["animations"] = [
            {"keyPath": "opacity", "keyTimes": [0, 0.4], "values": [0, 1], "timingFunctions": [draw.choice(EASINGS)]}]
        del value["opacity"]
    return value


def draft(draw):
    value = {
        "version": 1,
        "videoSize": draw.choice([{"width": 240, "height": 136}, {"width": 160, "height": 160}, {"width": 136, "height": 240}]),
        "frameRate": draw.choice([24, 25, 30, "30000/1001"]),
        "mainTrackClips": [clip(draw, index) for index in range(draw.randint(1, 4))],
    }
    if draw.random() < 0.6: value["layers"] = [layer(draw) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.5:
        value["audioClips"] = [
            {"url": "media/music.mp4", "volume": 0.5, "fadeIn": 0.3, "fadeOut": 0.3, "loop": True,
             "duck": draw.choice([0.3, {"gain": 0.2, "attack": 0.1, "release": 0.3}])}]
    if draw.random() < 0.3:
        value["effects"] = [
            {"type": "filter", "operation": filters(draw)[0], "timeRangeAtMainTrack": {"start": 0.1, "duration": 0.3}}]
    return value


for number in range(count):
    draw = random.Random(seed * 1_000_003 + number)
    with open("%s/random-%03d.json" % (folder, number), "w") as file:
        json.dump(draft(draw), file, indent=1)
