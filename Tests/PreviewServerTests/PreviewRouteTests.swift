import HTTPClient
import HTTPTypes
import PreviewServer
import TestServer
import TestSupport
import Testing

@Suite("Routes of the preview", .timeLimit(.minutes(2)))
struct PreviewRouteTests {
    @Test("The state is the engine's file, and its absence is 503 with a time to ask again")
    func state() async throws {
        let preview = try Preview()
        let missing = try await preview.get("/state")
        #expect(missing.status == .serviceUnavailable && missing.headers[.retryAfter] == "1")
        #expect(missing.text == "the draft has not been read yet; ask again in a second\n")
        for revision in 1...2 {
            try preview.write(#"{"revision":\#(revision)}"#, to: "state.json")
            let answer = try await preview.get("/state")
            #expect(answer.status == .ok && answer.text == #"{"revision":\#(revision)}"#)
            #expect(answer.headers[.contentType] == "application/json")
        }
    }

    @Test("The waveform is 404 until the engine has written it")
    func waveform() async throws {
        let preview = try Preview()
        let early = try await preview.get("/waveform")
        #expect(early.status == .notFound)
        #expect(early.text == "there is no waveform yet; an event 'state' says when there may be one\n")
        #expect(
            try await preview.get("/stream/other.m3u8").text
                == "there is no such playlist; players open /stream/main.m3u8, which names the others\n")
        #expect(
            try await preview.get("/playhead", .post).text
                == "send the place as JSON: {\"time\": SECONDS, \"playing\": true or false}\n")
        try preview.write(#"{"samplesPerSecond":20,"peaks":[0.5]}"#, to: "waveform.json")
        #expect(try await preview.get("/waveform").text == #"{"samplesPerSecond":20,"peaks":[0.5]}"#)
    }

    @Test("The names of the media files that are there are listed, without those that are being written")
    func ready() async throws {
        let preview = try Preview()
        #expect(try await preview.get("/ready").text == #"{"files":[]}"#)
        for name in ["b-1.m4s", "a-0.mp4", ".b-2.m4s.part"] { try preview.write("x", to: "media/\(name)") }
        #expect(try await preview.get("/ready").text == #"{"files":["a-0.mp4","b-1.m4s"]}"#)
    }

    @Test("A playlist comes as it is with the cookie, and has the token in its addresses where the request had it")
    func playlists() async throws {
        let preview = try Preview()
        let main = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",URI="sound.m3u8",DEFAULT=YES
            #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42C01E,mp4a.40.2",AUDIO="sound"
            pictures.m3u8

            """
        let pictures = "#EXTM3U\n#EXT-X-MAP:URI=\"../media/h.mp4\"\n#EXTINF:1.0,\n../media/a-0.m4s\n#EXT-X-ENDLIST\n"
        try preview.write(main, to: "stream/main.m3u8")
        try preview.write(pictures, to: "stream/pictures.m3u8")
        let plain = try await preview.send(.get, "/stream/main.m3u8", headers: [.cookie: try await preview.cookie()])
        #expect(plain.text == main && plain.headers[.contentType] == "application/vnd.apple.mpegurl")
        let query = "?token=\(Preview.token)"
        #expect(
            try await preview.get("/stream/main.m3u8").text
                == main.replacing("sound.m3u8", with: "sound.m3u8" + query)
                .replacing("pictures.m3u8", with: "pictures.m3u8" + query))
        #expect(
            try await preview.get("/stream/pictures.m3u8").text
                == pictures.replacing("h.mp4", with: "h.mp4" + query).replacing("a-0.m4s", with: "a-0.m4s" + query))
        try preview.write("x", to: "stream/notes.txt")
        for name in ["sound.m3u8", "notes.txt"] { #expect(try await preview.get("/stream/\(name)").status == .notFound) }
    }

    @Test("A page gets the state and the progress of now, then each event, until the engine is gone")
    func events() async throws {
        let preview = try Preview()
        preview.service.take(.state(revision: 2))
        async let answer = preview.get("/events")
        while preview.service.openPages == 0 { try await nextLook() }
        let file = try Preview.file("a-0.m4s")
        preview.service.take(.progress(busy: [file, try Preview.file("b-0.m4s")]))
        preview.service.take(.ready(file))
        preview.service.take(.state(revision: 3))
        preview.service.end()
        let expected = """
            retry: 1000

            event: state
            data: {"revision":2}

            event: progress
            data: {"busy":[]}

            event: progress
            data: {"busy":["a-0.m4s","b-0.m4s"]}

            event: ready
            data: {"file":"a-0.m4s"}

            event: state
            data: {"revision":3}


            """
        let received = try await answer
        #expect(received.status == .ok && received.text == expected)
        #expect(received.headers[.contentType] == "text/event-stream")
        #expect(preview.service.openPages == 0)
        // A page that comes after the end is told what was last, and its stream ends.
        #expect(try await preview.get("/events").text.contains(#"data: {"revision":3}"#))
    }

    @Test("A stream of events that is silent has comments, which keep the connection")
    func keepAlive() async throws {
        var options = PreviewService.Options()
        options.keepAlive = .milliseconds(1)
        let preview = try Preview(options)
        try await serving(preview.service.router()) { port in
            let request = OutgoingRequest("GET", "http://127.0.0.1:\(port)/events?token=\(Preview.token)")
            let response = try await Connections().execute(request)
            #expect(response.status == 200)
            var text = ""
            for try await chunk in response.body {
                text += String(decoding: chunk, as: UTF8.self)
                if text.contains(": still here\n\n") { break }
            }
            #expect(text.hasPrefix("retry: 1000\n\nevent: progress\n"))
            preview.service.end()
        }
    }

    @Test("The engine is told the place of the page, and what is no place is refused")
    func playhead() async throws {
        let preview = try Preview()
        let cookie: HTTPFields = [.cookie: try await preview.cookie()]
        let answer = try await preview.send(.post, "/playhead", headers: cookie, body: #"{"time":12.5,"playing":true}"#)
        #expect(answer.status == .noContent)
        #expect(preview.reports.map(\.line) == [#"{"playhead":12.5,"playing":true}"#])
        for body in [
            "", "x", "{}", #"{"time":"1","playing":true}"#, #"{"time":-1,"playing":true}"#, #"{"time":1e300,"playing":true}"#,
            #"{"time":1}"#, #"{"time":1,"playing":true,"more":"\#(String(repeating: "x", count: 2000))"}"#,
        ] {
            let refused = try await preview.send(.post, "/playhead", headers: cookie, body: body)
            #expect(refused.status == .badRequest, "\(body.prefix(40))")
        }
        #expect(preview.reports.count == 1)
    }

    @Test("An address where nothing is leads to the page by words")
    func nothing() async throws {
        let answer = try await Preview().get("/nothing")
        #expect(answer.status == .notFound && answer.text == "there is nothing at this address; the page is at /\n")
    }
}
