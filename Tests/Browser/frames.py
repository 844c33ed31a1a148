"""The frames of a film, and those that a browser shows, both as small pictures that can be compared."""
import subprocess

WIDTH, HEIGHT = 64, 36

# The picture at a time, made small.
LOOK = """
const [time, width, height, done] = arguments;
const video = document.querySelector('video');
video.pause();
video.addEventListener('seeked', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.createElement('canvas');
  canvas.width = width; canvas.height = height;
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(video, 0, 0, width, height);
  done(Array.from(context.getImageData(0, 0, width, height).data));
})), {once: true});
video.currentTime = time;
"""


def frames(film):
    """The luma of all frames, made as small as the browser's."""
    raw = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", film, "-vf", f"scale={WIDTH}:{HEIGHT}:flags=area",
                          "-pix_fmt", "gray", "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
    return [raw[start:start + WIDTH * HEIGHT] for start in range(0, len(raw), WIDTH * HEIGHT)]


def rate(film):
    """Frames a second."""
    text = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=r_frame_rate", "-of",
                           "csv=p=0", film], check=True, capture_output=True, text=True).stdout.strip().rstrip(",")
    over, under = map(int, text.split("/"))
    return over / under
