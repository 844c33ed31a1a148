import DraftModel
import TestSupport
import Testing

/// How parts of outlines and paths that turn into others are read.
@Suite struct ShapeReadingTests {
    private func faults(_ shape: String) -> [Fault] {
        Draft.faults(
            in: #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": "#
                + #"{"type": "shape", "size": {"width": 9, "height": 9}, \#(shape)}}]}"#)
    }

    @Test("Faults name the place")
    func places() {
        let place = "layers[0].source"
        let path = #""shape": "path", "path": "M0 0H9""#
        let stroke = ##""shape": "rect", "stroke": {"color": "#FF0000", "width": 2, "trim": "##
        let cases: [(String, [Fault])] = [
            (#"\#(path), "morphTo": ["M0 0H8"], "morph": 1"#, []),
            (#"\#(path), "morphTo": []"#, [Fault("\(place).morphTo", .outOfRange)]),
            (#"\#(path), "morphTo": "M0 0""#, [Fault("\(place).morphTo", .wrongType)]),
            (#"\#(path), "morphTo": ["M0 0H8", 7]"#, [Fault("\(place).morphTo[1]", .wrongType)]),
            (#"\#(path), "morphTo": ["M0 0H8"], "morph": 1.5"#, [Fault("\(place).morph", .outOfRange)]),
            (#"\#(path), "morph": 0"#, [Fault("\(place).morph", .conflict)]),
            (#""shape": "ellipse", "morphTo": ["M0 0"]"#, [Fault("\(place).morphTo", .conflict)]),
            ("\(stroke){}}", []), (#"\#(stroke){"start": 0.5, "offset": -3}}"#, []),
            (#"\#(stroke){"end": 1.5}}"#, [Fault("\(place).stroke.trim.end", .outOfRange)]),
            (#"\#(stroke){"length": 1}}"#, [Fault("\(place).stroke.trim.length", .unknownField)]),
        ]
        for (shape, wanted) in cases { #expect(faults(shape) == wanted, "\(shape)") }
        let text = ##"{"type": "text", "text": "a", "stroke": {"color": "#FF0000", "width": 2, "trim": {}}}"##
        let found = Draft.faults(
            in:
                #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": \#(text)}]}"#
        )
        #expect(found == [Fault("\(place).stroke.trim", .unknownField)])
        let unboxed = Draft.faults(
            in: #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": "#
                + #"{"type": "text", "text": "a", "fitBox": true}}]}"#)
        #expect(unboxed == [Fault("\(place).fitBox", .conflict)])
        let tooFar = Draft.faults(
            in: #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": "#
                + #"{"type": "shape", "size": {"width": 9, "height": 9}, \#(path), "morphTo": ["M0 0H8"]}, "#
                + #""animations": [{"keyPath": "source.morph", "keyTimes": [0, 1], "values": [0, 4]}]}]}"#)
        #expect(tooFar == [Fault("layers[0].animations[0].values[1]", .outOfRange)])
    }
}
