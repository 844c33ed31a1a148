// Frames and times of a film. A rate is a fraction, so that numbers of frames are exact.

export class FrameRate {
  constructor({numerator, denominator}) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  get perSecond() { return this.numerator / this.denominator; }

  // The second at which a frame begins.
  time(frame) { return frame * this.denominator / this.numerator; }

  // The middle of a frame: a player that is sent there shows this frame, and no neighbour by an error of rounding.
  middle(frame) { return (2 * frame + 1) * this.denominator / (2 * this.numerator); }

  // The frame that is shown at a time.
  frame(time) { return Math.floor(time * this.numerator / this.denominator + 1e-6); }

  // H:MM:SS:FF, where FF counts the frames that begin within the second.
  label(frame) {
    const second = Math.floor(frame * this.denominator / this.numerator);
    const first = Math.ceil(second * this.numerator / this.denominator);
    const digits = this.perSecond > 100 ? 3 : 2;
    const two = number => String(number).padStart(2, '0');
    return `${Math.floor(second / 3600)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}:`
      + String(frame - first).padStart(digits, '0');
  }

  // The rate for people: 30, 29.97.
  get words() { return String(Math.round(this.perSecond * 100) / 100); }
}

// Seconds without needless digits: 4, 0.5, 12.25.
export function seconds(number) { return String(Math.round(number * 100) / 100); }

export function clamp(number, least, most) { return Math.min(Math.max(number, least), most); }
