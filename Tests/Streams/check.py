#!/usr/bin/env python3
"""Checks a stream in a folder by the rules of RFC 8216 (HLS), ISO/IEC 14496-12 and 23000-19 (fragmented MP4, CMAF),
ISO/IEC 23009-1 (DASH) and those of Apple's "HLS Authoring Specification" that can be seen in the files.

    check.py FOLDER [MAIN.m3u8]

It shares no code with Spool. Prints one line for each broken rule and ends with 1 where there is any; otherwise prints what
the stream has as JSON: the renditions with their frames, the sounds with their samples, and the subtitles.
"""
import json
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree

folder = sys.argv[1]
main = sys.argv[2] if len(sys.argv) > 2 else "main.m3u8"
faults = []


def expect(holds, message):
    if not holds:
        faults.append(message)
    return holds


def attributes(text):
    """The attributes of a tag (RFC 8216, section 4.2)."""
    found = {}
    for name, value in re.findall(r'([A-Z0-9-]+)=("[^"]*"|[^,]*)', text):
        expect(name not in found, f"the attribute {name} stands twice in {text}")
        found[name] = value.strip('"')
    return found


# MARK: boxes


def boxes(data, start=0, end=None):
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", data[start + 8 : start + 16])[0], 16
        if not expect(size >= head and start + size <= end, f"a box {kind!r} at {start} ends outside"):
            return
        yield kind.decode("latin1"), start, start + head, start + size
        start += size
    expect(start == end, f"{end - start} bytes are left behind the last box")


def child(data, place, *path):
    for kind in path:
        found = [box for box in boxes(data, place[0], place[1]) if box[0] == kind]
        if not found:
            return None
        place = (found[0][2], found[0][3])
    return place


def number(data, place, size):
    return int.from_bytes(data[place : place + size], "big")


class Track:
    """A fragmented MP4 file with one track."""

    def __init__(self, name):
        self.name = name
        with open(os.path.join(folder, name), "rb") as file:
            self.data = data = file.read()
        top = list(boxes(data))
        kinds = [box[0] for box in top]
        expect(kinds[0] == "ftyp", f"{name}: begins with {kinds[0]}")
        brands = {data[at : at + 4] for at in range(top[0][2], top[0][3], 4)}
        expect(b"cmfc" in brands and b"iso6" in brands, f"{name}: has the brands {brands}")
        expect(kinds.count("moov") == 1 and kinds[1] == "moov", f"{name}: has no header behind 'ftyp'")
        moov = (top[1][2], top[1][3])
        tracks = [box for box in boxes(data, *moov) if box[0] == "trak"]
        expect(len(tracks) == 1, f"{name}: has {len(tracks)} tracks")
        expect(child(data, moov, "mvex", "trex") is not None, f"{name}: has no 'trex'")
        trak = (tracks[0][2], tracks[0][3])
        self.clock = number(data, child(data, trak, "mdia", "mdhd")[0] + 12, 4)
        handler = child(data, trak, "mdia", "hdlr")[0] + 8
        self.kind = data[handler : handler + 4].decode()
        stbl = child(data, trak, "mdia", "minf", "stbl")
        for table, at in (("stts", 4), ("stsc", 4), ("stco", 4), ("stsz", 8)):
            expect(number(data, child(data, stbl, table)[0] + at, 4) == 0, f"{name}: '{table}' has entries")
        entry = child(data, stbl, "stsd")[0] + 8
        self.entry = data[entry + 4 : entry + 8].decode()
        expect(self.entry in ("avc1", "hvc1", "mp4a"), f"{name}: has samples of the kind {self.entry}")
        if self.entry == "hvc1":
            self.check_parameter_sets(child(data, stbl, "stsd")[0] + 8)
        edits = child(data, trak, "edts", "elst")
        self.start = number(data, edits[0] + 12, 4) if edits else 0
        self.header = (0, top[1][3])
        self.fragments = []
        self.samples = []
        time = sequence = 0
        index = None
        for kind, at, content, end in top[2:]:
            if kind == "sidx":
                index = (at, content, end)
            elif kind == "moof":
                sequence_number = number(data, child(data, (content, end), "mfhd")[0] + 4, 4)
                expect(sequence_number == sequence + 1, f"{name}: fragment {sequence_number} follows {sequence}")
                sequence = sequence_number
                traf = child(data, (content, end), "traf")
                flags = number(data, child(data, traf, "tfhd")[0] + 1, 3)
                expect(flags & 0x20000, f"{name}: offsets do not count from the fragment")
                decode = child(data, traf, "tfdt")[0]
                first = number(data, decode + 4, 8 if data[decode] else 4)
                expect(first == time, f"{name}: fragment {sequence} begins at {first} instead of {time}")
                runs = [box for box in boxes(data, *traf) if box[0] == "trun"]
                expect(len(runs) == 1, f"{name}: fragment {sequence} has {len(runs)} runs")
                run = runs[0][2]
                flags, count = number(data, run + 1, 3), number(data, run + 4, 4)
                expect(flags & 0xF00 == 0xF00 and flags & 1, f"{name}: fragment {sequence} has the flags {flags:x}")
                offset = number(data, run + 8, 4)
                expect(offset == end - at + 8, f"{name}: the samples of fragment {sequence} are not in its 'mdat'")
                sizes = 0
                for sample in range(count):
                    duration, size, sample_flags, shift = struct.unpack(
                        ">IIIi", data[run + 12 + 16 * sample : run + 28 + 16 * sample])
                    is_sync = not sample_flags & 0x10000
                    expect(sample > 0 or is_sync, f"{name}: fragment {sequence} does not begin with a keyframe")
                    self.samples.append((time + shift - self.start, duration, at + offset + sizes, size, is_sync))
                    time += duration
                    sizes += size
                self.fragments.append({"at": start_of(top, at), "moof": at, "time": first, "end": None, "size": sizes})
                self.fragments[-1]["duration"] = time - first
            elif kind == "mdat":
                fragment = self.fragments[-1]
                fragment["end"] = end
                expect(end - content == fragment["size"], f"{name}: an 'mdat' is larger than its samples")
            else:
                expect(kind == "styp", f"{name}: has a box '{kind}'")
        self.duration = time
        self.check_index(index)
        times = sorted(sample[0] for sample in self.samples)
        if self.kind == "vide":
            expect(times[0] == 0, f"{name}: the first picture is shown at {times[0]}")
            gaps = {after - before for before, after in zip(times, times[1:])}
            expect(len(gaps) <= 1, f"{name}: pictures follow each other after {sorted(gaps)} ticks")

    def check_parameter_sets(self, entry):
        """ISO/IEC 14496-15, section 8.3.3.1: with 'hvc1' all parameter sets are in the header."""
        size = number(self.data, entry, 4)
        record = child(self.data, (entry + 8 + 78, entry + size), "hvcC")
        place = record[0] + 23
        for _ in range(self.data[record[0] + 22]):
            kind, count = self.data[place], number(self.data, place + 1, 2)
            expect(kind & 0x3F not in (32, 33, 34) or kind & 0x80, f"{self.name}: the sets of the kind {kind & 0x3F} are not complete")
            place += 3
            for _ in range(count):
                place += 2 + number(self.data, place, 2)

    def check_index(self, index):
        """ISO/IEC 14496-12, section 8.16.3."""
        if not expect(index is not None, f"{self.name}: has no 'sidx'"):
            return
        data, (at, content, end) = self.data, index
        self.index = (at, end)
        expect(number(data, content + 8, 4) == self.clock, f"{self.name}: the index has another clock")
        wide = data[content] == 1
        place = content + (28 if wide else 20)
        expect(number(data, content + (20 if wide else 16), 8 if wide else 4) == 0, f"{self.name}: segments do not follow the index")
        count = number(data, place + 2, 2)
        position, time, starts = end, 0, {fragment["at"]: fragment for fragment in self.fragments}
        self.segments = []
        for entry in range(count):
            size, duration, access = struct.unpack(">III", data[place + 4 + 12 * entry : place + 16 + 12 * entry])
            fragment = starts.get(position)
            # The samples that an encoder of sound puts in front are not heard.
            lead = self.start if self.kind == "soun" else 0
            expect(fragment is not None and max(0, fragment["time"] - lead) == time, f"{self.name}: segment {entry} is no fragment's beginning")
            expect(access >> 28 == 9, f"{self.name}: segment {entry} does not begin with an access point of type 1")
            self.segments.append((position, size, duration / self.clock))
            position += size
            time += duration
        expect(position == len(data) and time == self.duration - (self.start if self.kind == "soun" else 0), f"{self.name}: the index ends at {position} of {len(data)}")


def start_of(top, moof):
    """Where a fragment begins: at the 'styp' before it, or with it."""
    before = [box for box in top if box[3] == moof]
    return before[0][1] if before and before[0][0] == "styp" else moof


# MARK: playlists


def playlist(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    expect(lines[0] == "#EXTM3U" and lines[-1] == "", f"{name}: does not begin with #EXTM3U or has no end of line")
    return [line for line in lines if line]


def media(name, is_keyframes=False):
    """The header's file and range, and the segments (file, at, size, duration)."""
    lines = playlist(name)
    tags = {line.split(":")[0]: line.partition(":")[2] for line in lines if line.startswith("#EXT-X-")}
    target = int(tags["#EXT-X-TARGETDURATION"])
    expect(int(tags["#EXT-X-VERSION"]) >= 6, f"{name}: version {tags['#EXT-X-VERSION']}")
    expect(tags.get("#EXT-X-PLAYLIST-TYPE") == "VOD", f"{name}: is not of the type VOD")
    expect(lines[-1] == "#EXT-X-ENDLIST", f"{name}: has no end")
    expect(("#EXT-X-I-FRAMES-ONLY" in tags) == is_keyframes, f"{name}: is or is not of keyframes")
    header = None
    if "#EXT-X-MAP" in tags:
        found = attributes(tags["#EXT-X-MAP"])
        header = (found["URI"],) + split(found["BYTERANGE"])
    segments, duration, place = [], None, None
    for line in lines:
        if line.startswith("#EXTINF:"):
            duration = float(line[8:].rstrip(","))
            expect(round(duration) <= target, f"{name}: a segment of {duration} s, and the target is {target}")
        elif line.startswith("#EXT-X-BYTERANGE:"):
            place = split(line[17:])
        elif not line.startswith("#"):
            size = os.path.getsize(os.path.join(folder, line))
            segments.append((line,) + (place or (0, size)) + (duration,))
            expect(place is None or sum(place) <= size, f"{name}: a segment ends behind the end of {line}")
            duration = place = None
    return header, segments


def split(text):
    size, _, at = text.partition("@")
    return int(at), int(size)


def peak(segments):
    """The peak segment bit rate (RFC 8216, section 4.1)."""
    target = max(1, math.ceil(max(segment[3] for segment in segments)))
    most = sum(segment[2] for segment in segments) * 8 / sum(segment[3] for segment in segments)
    for first in range(len(segments)):
        size = duration = 0
        for segment in segments[first:]:
            size, duration = size + segment[2], duration + segment[3]
            if target * 0.5 <= duration <= target * 1.5:
                most = max(most, size * 8 / duration)
    return most


def check_media(name, tracks):
    header, segments = media(name)
    track = tracks.setdefault(header[0], None) or Track(header[0])
    tracks[header[0]] = track
    expect((header[1], header[2]) == track.header, f"{name}: the header is not that of {track.name}")
    expect([segment[1:3] for segment in segments] == [segment[:2] for segment in track.segments], f"{name}: other segments than the index")
    for segment, known in zip(segments, track.segments):
        expect(abs(segment[3] - known[2]) < 1e-5, f"{name}: a segment of {segment[3]} s has {known[2]} s")
    return track, segments


def check_keyframes(name, track):
    header, segments = media(name, is_keyframes=True)
    expect((header[1], header[2]) == track.header, f"{name}: the header is not that of {track.name}")
    first = {sample[2]: sample for sample in track.samples}
    for segment, fragment in zip(segments, track.fragments):
        expect(segment[1] == fragment["at"], f"{name}: a keyframe begins at {segment[1]} instead of {fragment['at']}")
        sample = first.get(fragment["end"] - fragment["size"])
        expect(sample is not None and sample[4] and segment[1] + segment[2] == sample[2] + sample[3], f"{name}: a range is no keyframe's")
    expect(len(segments) == len(track.fragments), f"{name}: has {len(segments)} of {len(track.fragments)} keyframes")
    return segments


tracks = {}
report = {"pictures": [], "sounds": [], "subtitles": []}
variants, groups, keyframes, pending = [], {}, [], None
for line in playlist(main):
    tag, _, value = line.partition(":")
    if tag == "#EXT-X-MEDIA":
        found = attributes(value)
        expect({"TYPE", "GROUP-ID", "NAME"} <= found.keys(), f"{main}: {line} lacks an attribute")
        names = [other["NAME"] for other in groups.get(found["GROUP-ID"], [])]
        expect(found["NAME"] not in names, f"{main}: the name {found['NAME']} stands twice in its group")
        groups.setdefault(found["GROUP-ID"], []).append(found)
    elif tag == "#EXT-X-STREAM-INF":
        pending = attributes(value)
    elif tag == "#EXT-X-I-FRAME-STREAM-INF":
        keyframes.append(attributes(value))
    elif not line.startswith("#"):
        variants.append((pending, line))

sounds = {}
for found in groups.get("sound", []):
    track, segments = check_media(found["URI"], tracks)
    expect(track.kind == "soun", f"{found['URI']}: is no sound")
    expect(int(found["CHANNELS"]) >= 1, f"{main}: a sound without channels")
    sounds[found["URI"]] = peak(segments)
    heard = track.duration - track.start
    report["sounds"].append({"name": found["NAME"], "language": found.get("LANGUAGE"), "samples": heard, "clock": track.clock})
expect(sum(found["DEFAULT"] == "YES" for found in groups.get("sound", [])) <= 1, f"{main}: several sounds are the default")
for found in groups.get("subtitles", []):
    _, segments = media(found["URI"])
    for segment in segments:
        with open(os.path.join(folder, segment[0]), encoding="utf-8") as file:
            text = file.read()
        expect(text.startswith("WEBVTT\n"), f"{segment[0]}: is no WebVTT")
        report["subtitles"].append({"language": found.get("LANGUAGE"), "cues": text.count(" --> ")})

aligned = set()
for found, name in variants:
    track, segments = check_media(name, tracks)
    expect(track.kind == "vide", f"{name}: has no pictures")
    expect(found["CODECS"].startswith(track.entry), f"{name}: the codecs are {found['CODECS']}")
    most = peak(segments) + max(sounds.values(), default=0)
    bandwidth, average = int(found["BANDWIDTH"]), int(found["AVERAGE-BANDWIDTH"])
    expect(most <= bandwidth * 1.001 and bandwidth <= most * 1.1, f"{name}: BANDWIDTH is {bandwidth}, and the peak {most:.0f}")
    expect(average <= bandwidth, f"{name}: the average is above the peak")
    aligned.add(tuple(round(segment[3], 5) for segment in segments))
    width, height = map(int, found["RESOLUTION"].split("x"))
    report["pictures"].append({"width": width, "height": height, "frames": len(track.samples), "segments": len(segments),
                               "keyframes": len(track.fragments), "bandwidth": bandwidth})
    rate = track.clock / track.samples[0][1]
    expect(abs(float(found["FRAME-RATE"]) - rate) < 1e-3, f"{name}: FRAME-RATE is {found['FRAME-RATE']}, and there are {rate}")
expect(len(aligned) == 1, f"{main}: the segments of the renditions differ")
expect(len(keyframes) == len(variants), f"{main}: {len(keyframes)} playlists of keyframes for {len(variants)} renditions")
for found, (_, name) in zip(keyframes, variants):
    segments = check_keyframes(found["URI"], tracks[media(name)[0][0]])
    expect(peak(segments) <= int(found["BANDWIDTH"]) * 1.001, f"{found['URI']}: has more bits than it says")

# MARK: the manifest

space = "{urn:mpeg:dash:schema:mpd:2011}"
root = xml.etree.ElementTree.parse(os.path.join(folder, main.replace(".m3u8", ".mpd"))).getroot()
expect(root.get("type") == "static" and "on-demand" in root.get("profiles"), "the manifest is not for on-demand playing")
named = set()
for representation in root.iter(space + "Representation"):
    name = representation.find(space + "BaseURL").text
    named.add(name)
    base = representation.find(space + "SegmentBase")
    if base is None:
        expect(name.endswith(".vtt"), f"the manifest has no index of {name}")
        continue
    track = tracks[name]
    first, last = map(int, base.get("indexRange").split("-"))
    expect((first, last + 1) == track.index, f"the manifest has another index of {name}")
    first, last = map(int, base.find(space + "Initialization").get("range").split("-"))
    expect((first, last + 1) == track.header, f"the manifest has another header of {name}")
expect(set(tracks) <= named, f"the manifest lacks {set(tracks) - named}")
longest = max(track.duration / track.clock for track in tracks.values() if track.kind == "vide")
expect(abs(float(root.get("mediaPresentationDuration")[2:-1]) - longest) < 1e-6, "the manifest has another duration")

for fault in faults:
    print(fault)
if faults:
    sys.exit(1)
print(json.dumps(report))
