import Glibc

/// Robert Penner's easing equations as he published them ("Programming Macromedia Flash MX", 2002, chapter 7): the
/// reference for Spool's own easing functions, which are written differently.
package enum PennerEasing {
    /// The equations by their usual names: time `t` of `d`, initial value `b`, change `c`.
    package static let published: [String: @Sendable (_ t: Double, _ b: Double, _ c: Double, _ d: Double) -> Double] = [
        "linear": { t, b, c, d in c * t / d + b },
        "quadIn": { t, b, c, d in c * (t / d) * (t / d) + b },
        "quadOut": { t, b, c, d in -c * (t / d) * (t / d - 2) + b },
        "quadInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * h * h + b : -c / 2 * ((h - 1) * (h - 3) - 1) + b
        },
        "cubicIn": { t, b, c, d in c * pow(t / d, 3) + b },
        "cubicOut": { t, b, c, d in c * (pow(t / d - 1, 3) + 1) + b },
        "cubicInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 3) + b : c / 2 * (pow(h - 2, 3) + 2) + b
        },
        "quartIn": { t, b, c, d in c * pow(t / d, 4) + b },
        "quartOut": { t, b, c, d in -c * (pow(t / d - 1, 4) - 1) + b },
        "quartInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 4) + b : -c / 2 * (pow(h - 2, 4) - 2) + b
        },
        "quintIn": { t, b, c, d in c * pow(t / d, 5) + b },
        "quintOut": { t, b, c, d in c * (pow(t / d - 1, 5) + 1) + b },
        "quintInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 5) + b : c / 2 * (pow(h - 2, 5) + 2) + b
        },
        "sineIn": { t, b, c, d in -c * cos(t / d * (.pi / 2)) + c + b },
        "sineOut": { t, b, c, d in c * sin(t / d * (.pi / 2)) + b },
        "sineInOut": { t, b, c, d in -c / 2 * (cos(.pi * t / d) - 1) + b },
        "expoIn": { t, b, c, d in t == 0 ? b : c * pow(2, 10 * (t / d - 1)) + b },
        "expoOut": { t, b, c, d in t == d ? b + c : c * (-pow(2, -10 * t / d) + 1) + b },
        "expoInOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(2, 10 * (h - 1)) + b : c / 2 * (-pow(2, -10 * (h - 1)) + 2) + b
        },
        "circIn": { t, b, c, d in -c * (sqrt(1 - (t / d) * (t / d)) - 1) + b },
        "circOut": { t, b, c, d in c * sqrt(1 - (t / d - 1) * (t / d - 1)) + b },
        "circInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? -c / 2 * (sqrt(1 - h * h) - 1) + b : c / 2 * (sqrt(1 - (h - 2) * (h - 2)) + 1) + b
        },
        "backIn": { t, b, c, d in
            let s = 1.70158
            return c * (t / d) * (t / d) * ((s + 1) * (t / d) - s) + b
        },
        "backOut": { t, b, c, d in
            let s = 1.70158
            let u = t / d - 1
            return c * (u * u * ((s + 1) * u + s) + 1) + b
        },
        "backInOut": { t, b, c, d in
            let s = 1.70158 * 1.525
            let h = t / (d / 2)
            if h < 1 { return c / 2 * (h * h * ((s + 1) * h - s)) + b }
            return c / 2 * ((h - 2) * (h - 2) * ((s + 1) * (h - 2) + s) + 2) + b
        },
        "elasticIn": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * 0.3
            let u = t / d - 1
            return -(c * pow(2, 10 * u) * sin((u * d - p / 4) * (2 * .pi) / p)) + b
        },
        "elasticOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * 0.3
            return c * pow(2, -10 * t / d) * sin((t - p / 4) * (2 * .pi) / p) + c + b
        },
        "elasticInOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * (0.3 * 1.5)
            let u = t / (d / 2) - 1
            if u < 0 { return -0.5 * (c * pow(2, 10 * u) * sin((u * d - p / 4) * (2 * .pi) / p)) + b }
            return c * pow(2, -10 * u) * sin((u * d - p / 4) * (2 * .pi) / p) * 0.5 + c + b
        },
        "bounceOut": bounceOut,
        "bounceIn": { t, b, c, d in c - bounceOut(d - t, 0, c, d) + b },
        "bounceInOut": { t, b, c, d in
            t < d / 2
                ? (c - bounceOut(d - t * 2, 0, c, d)) * 0.5 + b : bounceOut(t * 2 - d, 0, c, d) * 0.5 + c * 0.5 + b
        },
    ]

    private static let bounceOut: @Sendable (Double, Double, Double, Double) -> Double = { t, b, c, d in
        let u = t / d
        if u < 1 / 2.75 { return c * (7.5625 * u * u) + b }
        if u < 2 / 2.75 { return c * (7.5625 * (u - 1.5 / 2.75) * (u - 1.5 / 2.75) + 0.75) + b }
        if u < 2.5 / 2.75 { return c * (7.5625 * (u - 2.25 / 2.75) * (u - 2.25 / 2.75) + 0.9375) + b }
        return c * (7.5625 * (u - 2.625 / 2.75) * (u - 2.625 / 2.75) + 0.984375) + b
    }
}
