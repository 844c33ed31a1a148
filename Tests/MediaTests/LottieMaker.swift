import TestSupport
import FoundationEssentials

/// Lottie animations for tests, and what a program of a few lines makes of them by calling rlottie directly.
enum LottieMaker {
    static let names = ["shapes", "gradients", "trim", "mattes", "precomposition"]
    static let size = (width: 120, height: 80)
    static let frameCount = 30

    /// Writes the animations of `names` into a directory.
    static func write(in directory: TemporaryDirectory) async throws {
        _ = try await PythonTool.run(script, [directory.path])
    }

    /// All frames of an animation as RGBA with straight alpha, drawn by rlottie.
    static func witness(_ path: String, width: Int, height: Int, in directory: TemporaryDirectory) async throws -> [[UInt8]] {
        let (source, raw) = (directory.file("witness.c"), directory.file("witness.bgra"))
        try Data(program.utf8).write(to: URL(fileURLWithPath: source))
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && gcc -O1 -o witness witness.c -lrlottie && ./witness '\(path)' \(width) \(height) '\(raw)'")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: outcome.errors) }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let count = width * height * 4
        return stride(from: 0, to: bytes.count, by: count).map { start in
            var frame: [UInt8] = []
            frame.reserveCapacity(count)
            for pixel in stride(from: start, to: start + count, by: 4) {
                let alpha = Int(bytes[pixel + 3])
                for channel in [2, 1, 0] {
                    frame.append(alpha == 0 ? 0 : UInt8(min(255, (Int(bytes[pixel + channel]) * 255 + alpha / 2) / alpha)))
                }
                frame.append(UInt8(alpha))
            }
            return frame
        }
    }

    private static let program = """
        #include <rlottie_capi.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(int count, char **words) {
            Lottie_Animation *animation = lottie_animation_from_file(words[1]);
            if (animation == NULL) return 1;
            size_t width = atoi(words[2]), height = atoi(words[3]);
            uint32_t *pixels = malloc(width * height * 4);
            FILE *file = fopen(words[4], "wb");
            for (size_t i = 0; i < lottie_animation_get_totalframe(animation); i++) {
                memset(pixels, 0, width * height * 4);
                lottie_animation_render(animation, i, pixels, width, height, width * 4);
                fwrite(pixels, 4, width * height, file);
            }
            return fclose(file);
        }
        """

    private static let script = """
        import json, sys
        def k(v): return {"a": 0, "k": v}
        def moving(*keys):
            frames = []
            for i, (t, v) in enumerate(keys):
                v = v if isinstance(v, list) else [v]
                frame = {"t": t, "s": v}
                if i < len(keys) - 1:
                    n = keys[i + 1][1]
                    frame.update(i={"x": [.4], "y": [1]}, o={"x": [.6], "y": [0]}, e=n if isinstance(n, list) else [n])
                frames.append(frame)
            return {"a": 1, "k": frames}
        def transform(p=[0, 0], s=[100, 100], r=0, o=100, a=[0, 0]):
            value = lambda v: v if isinstance(v, dict) else k(v)
            return {"p": value(p), "s": value(s), "r": value(r), "o": value(o), "a": value(a)}
        def group(*items):
            return {"ty": "gr", "nm": "g", "it": list(items) + [dict(transform(), ty="tr", sk=k(0), sa=k(0))]}
        def rect(x, y, w, h, r=0): return {"ty": "rc", "p": k([x, y]), "s": k([w, h]), "r": k(r), "d": 1}
        def ellipse(x, y, w, h): return {"ty": "el", "p": k([x, y]), "s": k([w, h]), "d": 1}
        def fill(c, o=100): return {"ty": "fl", "c": k(c + [1]), "o": k(o), "r": 1}
        def stroke(c, w): return {"ty": "st", "c": k(c + [1]), "o": k(100), "w": k(w), "lc": 2, "lj": 2, "ml": 4}
        def path(v, i, o, c): return {"ty": "sh", "ks": k({"v": v, "i": i, "o": o, "c": c})}
        def layer(shapes, ind=1, ks=None, **more):
            return dict({"ddd": 0, "ty": 4, "ind": ind, "ip": 0, "op": 30, "st": 0, "sr": 1, "bm": 0, "nm": "l",
                         "ks": ks or transform(), "shapes": shapes}, **more)
        def composition(ind, ks, **more):
            return dict({"ddd": 0, "ty": 0, "ind": ind, "refId": "c", "w": 60, "h": 40, "ip": 0, "op": 30, "st": 0, "sr": 1,
                         "bm": 0, "ks": ks, "nm": "p"}, **more)
        def write(name, layers, fr=25, assets=[]):
            json.dump({"v": "5.5.2", "fr": fr, "ip": 0, "op": 30, "w": 120, "h": 80, "nm": name, "ddd": 0, "assets": assets,
                       "layers": layers}, open(sys.argv[1] + "/" + name + ".json", "w"))
        write("shapes", [layer([group(rect(0, 0, 30, 20, 5), fill([.9, .2, .1])),
            group(ellipse(10, 10, 30, 30), fill([.1, .3, .9], 60), stroke([0, 0, 0], 3))],
            ks=transform(p=moving((0, [20, 20, 0]), (29, [100, 60, 0])), r=moving((0, 0), (29, 180))))])
        write("gradients", [layer([group(rect(60, 40, 100, 60), {"ty": "gf", "o": k(100), "r": 1, "t": 1, "s": k([10, 10]),
            "e": k([110, 70]), "g": {"p": 3, "k": k([0, 1, 0, 0, .5, 0, 1, 0, 1, 0, 0, 1, 0, 1, .5, .5, 1, .2])}}),
            group(ellipse(60, 40, 50, 50), {"ty": "gf", "o": k(80), "r": 1, "t": 2, "s": k([60, 40]), "e": k([85, 40]),
            "h": k(0), "a": k(0), "g": {"p": 2, "k": k([0, 1, 1, 1, 1, .2, .2, 0])}})],
            ks=transform(o=moving((0, 10), (29, 100))))])
        write("trim", [layer([group(path([[10, 40], [60, 10], [110, 40]], [[0, 0], [-20, 0], [0, 30]],
            [[10, -30], [20, 0], [0, 0]], False), {"ty": "tm", "s": moving((0, 0), (29, 60)), "e": moving((0, 20), (29, 100)),
            "o": k(10), "m": 1}, stroke([.2, .7, .3], 6))])])
        write("mattes", [
            layer([group(ellipse(0, 0, 40, 40), fill([1, 1, 1]))], ks=transform(p=moving((0, [20, 40, 0]), (29, [100, 40, 0]))),
                  td=1),
            layer([group(rect(60, 40, 110, 60), fill([.8, .5, 0]), stroke([1, 1, 1], 4))], ind=2, tt=1),
            layer([group(rect(60, 40, 120, 80), fill([.1, .1, .3]))], ind=3, hasMask=True, masksProperties=[{"inv": False,
                "mode": "a", "pt": k({"v": [[10, 10], [110, 10], [60, 75]], "i": [[0, 0]] * 3, "o": [[0, 0]] * 3, "c": True}),
                "o": k(100), "x": k(0)}])])
        write("precomposition", [
            composition(1, transform(p=[30, 20], s=moving((0, [50, 50, 100]), (29, [150, 150, 100])))),
            composition(2, transform(p=[5, 40], r=10), ip=5, op=25, st=5, sr=2)], fr=29.97,
            assets=[{"id": "c", "layers": [layer([group(rect(30, 20, 40, 20, 4), fill([.4, .8, .9]))],
                ks=transform(p=moving((0, [0, 0, 0]), (29, [15, 10, 0]))))]}])
        """
}
