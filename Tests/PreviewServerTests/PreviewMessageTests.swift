import PreviewServer
import Testing

@Suite("Messages between the engine and the server of the preview")
struct PreviewMessageTests {
    @Test("Each message of the engine is read")
    func events() throws {
        let file = try Preview.file("KEY-120.m4s")
        let lines: [(String, EngineEvent)] = [
            (#"{"event": "state", "revision": 3}"#, .state(revision: 3)),
            (#"{"event":"ready","file":"KEY-120.m4s"}"#, .ready(file)),
            (#"{"event":"failed","file":"KEY-120.m4s","message":"no \"room\""}"#, .failed(file, message: "no \"room\"")),
            (#"{"event":"failed","file":"KEY-120.m4s"}"#, .failed(file, message: "the file cannot be rendered")),
            (#"{"event":"progress","busy":["KEY-120.m4s","KEY-120.m4s"]}"#, .progress(busy: [file, file])),
            (#"{"event":"progress","busy":[]}"#, .progress(busy: [])),
        ]
        for (line, event) in lines { #expect(EngineEvent(line: line) == event, "\(line)") }
    }

    @Test(
        "A line that is no message is none",
        arguments: [
            "", "state", "{}", "[]", #"{"event":"melt"}"#, #"{"event":"state"}"#, #"{"event":"ready"}"#,
            #"{"event":"ready","file":"../a"}"#, #"{"event":"failed","file":".a","message":"x"}"#,
            #"{"event":"state","revision":"3"}"#,
        ])
    func noEvents(_ line: String) { #expect(EngineEvent(line: line) == nil) }

    @Test("The server's messages are lines of JSON")
    func reports() throws {
        #expect(ServerReport.listening(port: 41234).line == #"{"listening":41234}"#)
        #expect(ServerReport.want(try Preview.file("KEY-120.m4s")).line == #"{"want":"KEY-120.m4s"}"#)
    }
}
