import DraftModel
import Testing
import TestSupport
import Vocabulary
import FoundationEssentials

@Suite("Reading audio filters")
struct AudioFilterReadingTests {
    @Test("Filters of clips, audio clips, layers and the mix are read with their parameters, and written as they were")
    func read() throws {
        let text = #"""
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4", "audioFilters": [
              {"type": "highpass", "frequency": 80}, {"type": "equalizer", "bands": [{"frequency": 900, "width": 2, "gain": -3}]}]}],
             "audioClips": [{"url": "m.wav", "audioFilters": [{"type": "echo", "echoes": [{"delay": 40, "decay": 0.5}]}]}],
             "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "video", "url": "b.mp4"},
               "audioFilters": [{"type": "reverb", "url": "room.wav", "wet": 0.5}]}],
             "audio": {"audioFilters": [{"type": "compressor", "ratio": 3}]}}
            """#
        let (found, faults) = Draft.read(text)
        #expect(faults.isEmpty)
        let draft = try #require(found)
        #expect(
            draft.mainTrackClips[0].audioFilters == [
                AudioFilter(type: .highpass, parameters: ["frequency": 80]),
                AudioFilter(type: .equalizer, parts: [["frequency": 900, "width": 2, "gain": -3]]),
            ])
        #expect(draft.audioClips?[0].audioFilters == [AudioFilter(type: .echo, parts: [["delay": 40, "decay": 0.5]])])
        #expect(draft.layers?[0].audioFilters == [AudioFilter(type: .reverb, url: "room.wav", parameters: ["wet": 0.5])])
        #expect(draft.audio?.audioFilters == [AudioFilter(type: .compressor, parameters: ["ratio": 3])])
        #expect(try JSONDecoder().decode(Draft.self, from: JSONEncoder().encode(draft)) == draft)
    }

    @Test(
        "Faults of filters are named at their places",
        arguments: [
            (#"{"type": "highpas"}"#, "type", DraftDiagnostic.Code.invalidValue), (#"{}"#, "type", .missingField),
            (#"{"type": "highpass"}"#, "frequency", .missingField),
            (#"{"type": "highpass", "frequency": 0}"#, "frequency", .outOfRange),
            (#"{"type": "highpass", "frequency": 80, "gain": 1}"#, "gain", .unknownField),
            (#"{"type": "compressor", "ratio": 21}"#, "ratio", .outOfRange), (#"{"type": "equalizer"}"#, "bands", .missingField),
            (#"{"type": "equalizer", "bands": []}"#, "bands", .missingField),
            (#"{"type": "equalizer", "bands": [{"frequency": 90}]}"#, "bands[0].gain", .missingField),
            (#"{"type": "reverb"}"#, "url", .missingField), (#"{"type": "denoise", "url": "a"}"#, "url", .unknownField),
        ])
    func faults(_ filter: String, _ field: String, _ code: DraftDiagnostic.Code) {
        #expect(
            Draft.faults(in: DraftText.withClip(#""audioFilters": [\#(filter)]"#))
                == [Fault("mainTrackClips[0].audioFilters[0].\(field)", code)])
    }

    @Test("Filters belong to sounds: pictures and drawn layers refuse them, and the mix has no reverb")
    func places() {
        #expect(
            Draft.faults(in: DraftText.withImage(#""duration": 1, "audioFilters": []"#))
                == [Fault("mainTrackClips[0].audioFilters", .conflict)])
        let layer =
            ##""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}, "audioFilters": []}]"##
        #expect(Draft.faults(in: DraftText.with(layer)) == [Fault("layers[0].audioFilters", .conflict)])
        #expect(
            Draft.faults(in: DraftText.with(#""audio": {"audioFilters": [{"type": "reverb", "url": "r.wav"}]}"#))
                == [Fault("audio.audioFilters[0]", .unsupported)])
    }

    @Test("A group has a volume, ramps, a pan and filters, and no pitch of its own")
    func groups() throws {
        func faults(_ more: String) -> [Fault] {
            Draft.faults(
                in: DraftText.with(
                    #""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": []}, \#(more)}]"#
                ))
        }
        #expect(
            faults(
                #""audio": {"volumeRamps": [], "muted": false}, "audioFilters": [{"type": "gate"}], "animations": [{"keyPath": "audio.pan", "keyTimes": [0, 1], "values": [0, 1]}, {"keyPath": "audio.volume", "keyTimes": [0, 1], "values": [0, 1]}]"#
            ) == [])
        #expect(
            faults(#""audio": {"pitch": 1, "timePitchAlgorithm": "varispeed"}"#)
                == [Fault("layers[0].audio.pitch", .conflict), Fault("layers[0].audio.timePitchAlgorithm", .conflict)])
        #expect(
            faults(#""audio": {"pan": 0.5}, "animations": [{"keyPath": "audio.pan", "keyTimes": [0, 1], "values": [0, 1]}]"#)
                == [Fault("layers[0].audio.pan", .conflict)])
    }
}
