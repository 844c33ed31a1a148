"""The films of yardstick.py as data: a draft of Spool, inputs and a filter graph of ffmpeg, and arguments of melt.

All three describe the same cuts, sizes, transitions and times. yardstick.py adds the settings of the encoders. These
differences are left:

- melt picks other pictures of a source whose rate is not the film's (`six-clips`, `speeds`), and its blur of `portrait`
  is a box;
- zoompan of ffmpeg moves by whole pixels of an enlarged picture, so `stills` shakes a little there;
- each program lays out the letters of the title in `lut-title` itself, and they lie up to three pixels apart.
"""
import dataclasses
import pathlib
import subprocess


@dataclasses.dataclass
class Film:
    """One film three times. `graph` ends in [v] and [a]. `melt` is None where melt has no counterpart, and
    `melt_scaling` is how it interpolates the pictures that it scales."""
    name: str
    size: tuple
    rate: int
    seconds: float
    draft: dict
    inputs: list
    graph: str
    melt: list | None
    melt_scaling: str = "bicubic"


class Media:
    """The paths of the sources: the real footage in `folder`, and in `work` what is made of it once."""

    def __init__(self, folder, work):
        self.bunny = f"{folder}/av/bbb_1080p24_h264_aac51_30s.mp4"
        self.small_bunny = f"{folder}/av/bbb_720p24_vp8_vorbis_30s.webm"
        self.car = f"{folder}/av/car_768x432_12.5fps_h264_aac_30s.mp4"
        self.cockatoo = f"{folder}/av/cockatoo_720p20_yuv444_mp3_14s.mp4"
        self.music = f"{folder}/audio/music_effect_a.m4a"
        self.sticker = f"{folder}/image/alpha.png"
        self.table = f"{folder}/lut/resolve_17.cube"
        self.large = f"{work}/2160p-one-keyframe.mp4"
        self.stills = [f"{work}/still-{number:02}.jpg" for number in range(1, 13)]

    def make(self):
        """Makes the 2160p source, which has one keyframe in ten seconds, and twelve stills, unless they are there."""
        make(self.large, "-ss", "15", "-t", "10", "-i", self.bunny,
             "-vf", "scale=3840:2160:flags=lanczos,noise=alls=6:allf=t:all_seed=1", "-c:v", "libx264",
             "-preset", "veryfast", "-crf", "23", "-g", "9999", "-sc_threshold", "0", "-c:a", "copy")
        for index, still in enumerate(self.stills):
            make(still, "-ss", str(3.75 + 2.25 * index), "-i", self.bunny, "-frames:v", "1", "-q:v", "2")


def make(file, *arguments):
    """Makes a file with ffmpeg. It has its name only when it is complete."""
    file = pathlib.Path(file)
    if not file.exists():
        unfinished = file.with_name(f"unfinished-{file.name}")
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, str(unfinished)], check=True)
        unfinished.rename(file)


def draft(size, rate, clips, **members):
    width, height = size
    return {"version": 1, "videoSize": {"width": width, "height": height}, "frameRate": rate, "mainTrackClips": clips,
            **members}


def clip(url, start, seconds, **members):
    return {"type": "av", "url": url, "timeRange": {"start": start, "duration": seconds}, **members}


def transition(kind, seconds):
    return {"transition": {"type": kind, "duration": seconds}}


def inputs(*ranges):
    """The options of ffmpeg that open (file, start, seconds)."""
    return [option for url, start, seconds in ranges for option in ("-ss", str(start), "-t", str(seconds), "-i", url)]


def cut(part, rate):
    """The arguments of melt that play (file, start, seconds)."""
    url, start, seconds = part
    return [url, f"in={round(start * rate)}", f"out={round((start + seconds) * rate) - 1}"]


def scaled(size, colours=""):
    """Filters that bring a picture to the film's size. `colours` converts what is not BT.709 of limited range."""
    return f"scale={size[0]}:{size[1]}{colours},setsar=1,format=yuv420p"


TO_BT709 = ":out_color_matrix=bt709:out_range=tv"


def held(rate):
    """The filter that brings pictures to the film's rate: a frame shows the one that began last, as in Spool."""
    return f"fps={rate}:round=up"


SOUND = "aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo"


def joined(kind, filters):
    """A chain of two-input filters that joins [v0], [v1] and so on (or [a0], ...), and the label of its result."""
    graph, last = [], f"{kind}0"
    for index, joint in enumerate(filters, 1):
        graph.append(f"[{last}][{kind}{index}]{joint}[{kind}to{index}]")
        last = f"{kind}to{index}"
    return graph, last


def six_clips(media):
    size, rate, names = (1280, 720), 30, ["dissolve", "wipeLeft", "dissolve", "wipeUp", "dissolve"]
    ranges = [(media.bunny, 8, 5), (media.small_bunny, 3, 5), (media.car, 2, 5), (media.cockatoo, 0, 5),
              (media.bunny, 20, 5), (media.car, 14, 5)]
    clips = [clip(*ranges[0])] + [clip(*part, **transition(name, 0.5)) for part, name in zip(ranges[1:], names)]
    sticker = {"timeRange": {"start": 3, "duration": 20}, "source": {"type": "image", "url": media.sticker},
               "transform": {"fit": {"rect": {"x": 900, "y": 60, "width": 324, "height": 300}, "mode": "fill"}}}
    pictures, last = joined("v", [
        f"xfade=transition={name.replace('dissolve', 'fade').lower()}:duration=0.5:offset={4.5 * (index + 1)}"
        for index, name in enumerate(names)])
    sounds, heard = joined("a", ["acrossfade=d=0.5:c1=tri:c2=tri"] * 5)
    # WebM rounds times to milliseconds, and the car's colours are those of BT.601.
    filters = {media.small_bunny: f"fps=24,{scaled(size)}", media.car: scaled(size, TO_BT709)}
    graph = [f"[{index}:v]{filters.get(part[0], scaled(size))},{held(rate)}[v{index}];"
             f"[{index}:a]{SOUND}[a{index}]" for index, part in enumerate(ranges)]
    graph += pictures + sounds + [
        f"[6:v]scale=324:300[s];[{last}][s]overlay=900:60:enable='gte(t,3)*lt(t,23)'[v]",
        f"[7:a]{SOUND},volume=0.4[m];[{heard}][m]amix=inputs=2:normalize=0:duration=first[a]"]
    mixes = {"dissolve": ["luma"], "wipeLeft": ["luma", "resource=%luma01.pgm", "invert=1"],
             "wipeUp": ["luma", "resource=%luma02.pgm", "invert=1"]}
    melt = [*cut(ranges[0], rate)]
    for part, name in zip(ranges[1:], names):
        melt += [*cut(part, rate), "-mix", "15", "-mixer", *mixes[name]]
    melt += ["-track", "-blank", "89", media.sticker, "in=0", "out=599",
             "-track", media.music, "out=599", media.music, "out=224", "-attach-track", "volume", "level=-7.96",
             "-transition", "composite", "a_track=0", "b_track=1", "in=90", "out=689", "geometry=900/60:324x300",
             "distort=1",
             "-transition", "mix", "a_track=0", "b_track=2", "sum=1", "always_active=1"]
    return Film("six-clips", size, rate, 27.5, draft(
        size, rate, clips, layers=[sticker], audioClips=[{"url": media.music, "volume": 0.4, "loop": True}]),
        inputs(*ranges) + ["-i", media.sticker, "-stream_loop", "-1", "-i", media.music], ";".join(graph), melt)


def lut_title(media):
    size, rate, title = (1920, 1080), 24, "A title over a film"
    ranges = [(media.bunny, 9, 6), (media.bunny, 22, 6)]
    text = {"timeRange": {"start": 1, "duration": 8}, "transform": {"center": {"x": 0.5, "y": 0.85}},
            "source": {"type": "text", "text": title, "font": "DejaVu Sans 96"}}
    graph = [f"[{index}:v]{scaled(size)}[v{index}];[{index}:a]{SOUND}[a{index}]" for index in range(2)] + [
        "[v0][v1]xfade=transition=fade:duration=0.5:offset=5.5,scale=in_color_matrix=bt709,format=gbrp,"
        f"lut3d=file={media.table},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,"
        f"drawtext=text='{title}':font='DejaVu Sans':fontsize=96:fontcolor=white:x=(w-tw)/2:y=0.85*h-th/2:"
        "enable='gte(t,1)*lt(t,9)'[v]",
        "[a0][a1]acrossfade=d=0.5:c1=tri:c2=tri[a]"]
    melt = [*cut(ranges[0], rate), *cut(ranges[1], rate), "-mix", "12", "-mixer", "luma",
            "-attach-track", "avfilter.lut3d", f"av.file={media.table}",
            "-attach-track", "dynamictext", f"argument={title}", "in=24", "out=215", "family=DejaVu Sans", "size=96",
            "weight=400", "fgcolour=#ffffffff", "bgcolour=#00000000", "geometry=0 864 1920 108", "halign=centre",
            "valign=middle"]
    return Film("lut-title", size, rate, 11.5, draft(
        size, rate, [clip(*ranges[0]), clip(*ranges[1], **transition("dissolve", 0.5))], layers=[text],
        effects=[{"type": "lut", "url": media.table}]), inputs(*ranges), ";".join(graph), melt)


def ten_cuts(media):
    size, rate = (1280, 720), 24
    ranges = [(media.bunny, start, 2) for start in (16, 4, 25, 9, 20, 12, 27, 6, 22, 14)]
    graph = [f"[{index}:v]{scaled(size)}[v{index}];[{index}:a]{SOUND}[a{index}]" for index in range(10)]
    graph.append("".join(f"[v{index}][a{index}]" for index in range(10)) + "concat=n=10:v=1:a=1[v][a]")
    return Film("ten-cuts", size, rate, 20, draft(size, rate, [clip(*part) for part in ranges]), inputs(*ranges),
                ";".join(graph), [word for part in ranges for word in cut(part, rate)])


def stills(media):
    """Twelve pictures of two seconds, into which or out of which the film zooms by 15 %."""
    size, rate = (1280, 720), 30
    clips, graph, melt = [], [], []
    for index, url in enumerate(media.stills):
        first, last = (1, 1.15) if index % 2 == 0 else (1.15, 1)
        zoom = {"keyPath": "transform.scale", "keyTimes": [0, 2], "values": [first, last]}
        clips.append({"type": "image", "url": url, "duration": 2, "animations": [zoom],
                      **(transition("dissolve", 0.5) if index else {})})
        # zoompan moves by whole pixels of its input, so that is enlarged before, as is usual.
        graph.append(f"[{index}:v]scale=5120:2880{TO_BT709},format=yuv420p,"
                     f"zoompan=z='{first}+{(last - first) / 60:.5f}*on':x='(iw-iw/zoom)/2':y='(ih-ih/zoom)/2':d=60:"
                     f"s=1280x720:fps=30,setsar=1,settb=1/30[v{index}]")
        rects = [f"{frame}={(1 - scale) * 640:.0f} {(1 - scale) * 360:.0f} {scale * 1280:.0f} {scale * 720:.0f}"
                 for frame, scale in ((0, first), (60, last))]
        melt += [url, "in=0", "out=59", "-attach", "affine", f"transition.rect={';'.join(rects)}"]
        melt += ["-mix", "15", "-mixer", "luma"] if index else []
    chain, joint = joined("v", [f"xfade=transition=fade:duration=0.5:offset={1.5 * index}" for index in range(1, 12)])
    graph += chain + [f"[{joint}]null[v];[12:a]{SOUND},atrim=duration=18.5[a]"]
    melt += ["-track", media.music, "in=0", "out=554"]
    return Film("stills", size, rate, 18.5, draft(size, rate, clips, audioClips=[{"url": media.music}]),
                [word for url in [*media.stills, media.music] for word in ("-i", url)], ";".join(graph), melt,
                melt_scaling="bilinear")


def portrait(media):
    size, rate, part = (1080, 1920), 24, (media.bunny, 10, 8)
    graph = ("[0:v]split[p][q];"
             "[p]scale=-2:1920,crop=1080:1920,gblur=sigma=40[back];[q]scale=1080:-2[front];"
             f"[back][front]overlay=0:(H-h)/2,setsar=1,format=yuv420p[v];[0:a]{SOUND}[a]")
    melt = [*cut(part, rate), "-attach", "pillar_echo", "rect=0 656 1080 608", "blur=4"]
    return Film("portrait", size, rate, 8, draft(size, rate, [clip(*part)], background={"type": "blur", "radius": 40}),
                inputs(part), graph, melt)


def speeds(media):
    size, rate = (1280, 720), 30
    backwards, slow, fast = (media.bunny, 16, 4), (media.bunny, 9, 3), (media.bunny, 20, 6)
    graph = ";".join([
        f"[0:v]{scaled(size)},reverse,{held(rate)}[v0]", f"[0:a]{SOUND},areverse[a0]",
        f"[1:v]{scaled(size)},setpts=2*PTS,{held(rate)}[v1]", f"[1:a]{SOUND},atempo=0.5[a1]",
        f"[2:v]setpts=PTS/2,{held(rate)},{scaled(size)}[v2]", f"[2:a]{SOUND},atempo=2[a2]",
        "[v0][a0][v1][a1][v2][a2]concat=n=3:v=1:a=1[v][a]"])
    # A timewarp with a range shows a single frame on melt's command line, but plays in XML. It counts frames in the
    # changed time, and backwards from the end of the source, which is frame 901.
    ranges = [(-1, 301, 420), (0.5, 540, 719), (2, 300, 389)]
    producers = "".join(
        f"<producer id='{speed}'><property name='mlt_service'>timewarp</property><property name='resource'>{speed}:"
        f"{media.bunny}</property><property name='warp_pitch'>1</property></producer>" for speed, _, _ in ranges)
    entries = "".join(f"<entry producer='{speed}' in='{first}' out='{last}'/>" for speed, first, last in ranges)
    melt = [f"xml-string:<mlt>{producers}<playlist id='film'>{entries}</playlist></mlt>"]
    return Film("speeds", size, rate, 13, draft(size, rate, [
        clip(*backwards, reverse=True), clip(*slow, speed="1/2"), clip(*fast, speed=2)]),
        inputs(backwards, slow, fast), graph, melt)


def large(media):
    size, rate, part = (1920, 1080), 24, (media.large, 1, 8)
    return Film("4k-to-1080p", size, rate, 8, draft(size, rate, [clip(*part)]), inputs(part),
                f"[0:v]{scaled(size)}[v];[0:a]{SOUND}[a]", cut(part, rate))


def films(media):
    return [film(media) for film in (six_clips, lut_title, ten_cuts, stills, portrait, speeds, large)]
