import DraftModel
import TestSupport
import Testing

/// How gradients of texts, shapes and solids are read.
@Suite struct GradientReadingTests {
    private func faults(_ gradient: String, _ more: String = "") -> [Fault] {
        Draft.faults(
            in: ##"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": "##
                + ##"{"type": "solid", "gradient": \##(gradient)\##(more)}}]}"##)
    }

    private let stops = ##""stops": [{"color": "#FF0000"}, {"color": "#0000FF80"}]"##

    @Test("Every kind is read with its defaults")
    func defaults() throws {
        for type in ["", #", "type": "linear""#, #", "type": "radial""#, #", "type": "angular""#] {
            #expect(faults("{\(stops)\(type)}").isEmpty, "\(type)")
        }
        #expect(faults(##"{"stops": [{"color": "#FF0000", "location": 0.5}, {"color": "#0000FF", "location": 0.5}]}"##).isEmpty)
    }

    @Test("Faults of gradients name the place")
    func places() {
        let place = "layers[0].source"
        let cases: [(String, String, DraftDiagnostic.Code)] = [
            ("{}", "gradient.stops", .missingField), (#"{"stops": []}"#, "gradient.stops", .outOfRange),
            (##"{"stops": [{"color": "#FF0000"}]}"##, "gradient.stops", .outOfRange),
            (#"{"stops": [{"color": "red"}, {"color": "blue"}]}"#, "gradient.stops[0].color", .invalidValue),
            (#"{"stops": [{}, {"location": 2}]}"#, "gradient.stops[0].color", .missingField),
            (##"{"stops": [{"color": "#FF0000", "location": 1}, {"color": "#FF0000"}]}"##, "gradient.stops", .conflict),
            (
                ##"{"stops": [{"color": "#FF0000", "location": 0.6}, {"color": "#FF0000", "location": 0.5}]}"##,
                "gradient.stops", .invalidValue
            ),
            (#"{\#(stops), "type": "conic"}"#, "gradient.type", .invalidValue),
            (#"{\#(stops), "endPoint": {"x": 0.5, "y": 0}}"#, "gradient.endPoint", .invalidValue),
            (#"{\#(stops), "type": "radial", "endPoint": {"x": 0.5}}"#, "gradient.endPoint", .invalidValue),
            (#"{\#(stops), "startPoint": {"x": 11}}"#, "gradient.startPoint.x", .outOfRange),
            (#"{\#(stops), "colors": []}"#, "gradient.colors", .unknownField),
        ]
        for (gradient, field, code) in cases {
            let found = faults(gradient)
            #expect(found.first == Fault("\(place).\(field)", code), "\(gradient): \(found)")
        }
        #expect(faults("{\(stops)}", ##", "color": "#FFFFFF""##) == [Fault("\(place).gradient", .conflict)])
        let many =
            "[" + Array(repeating: ##"{"color": "#FF0000"}"##, count: DraftLimits.gradientStops + 1).joined(separator: ",") + "]"
        #expect(faults("{\"stops\": \(many)}").first == Fault("\(place).gradient.stops", .outOfRange))
    }
}
