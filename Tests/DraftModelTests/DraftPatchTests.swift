import DraftModel
import Testing
import FoundationEssentials

/// JSON Patches of drafts: the examples of RFC 6902's appendix, and faulty patches.
@Suite("Patches of drafts")
struct DraftPatchTests {
    private func patched(_ document: String, _ patch: String) throws -> String {
        let data = try DraftPatch(Data(patch.utf8)).apply(to: Data(document.utf8))
        return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test(
        "A patch of the standard's appendix gives the result shown there",
        arguments: [
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
            (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
                #"{"baz":"qux","foo":["a",2,"c"]}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
                #"{"child":{"grandchild":{}},"foo":"bar"}"#
            ),
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"baz":"qux","foo":"bar"}"#),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
            (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
            (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a/b","path":"/c"}]"#, #"{"a":{"b":1},"c":1}"#),
            (#"{"a":1}"#, #"[{"op":"replace","path":"","value":{"b":null}}]"#, #"{"b":null}"#),
            (#"{"a":0.1}"#, #"[{"op":"add","path":"/b","value":0.30000000000000001}]"#, #"{"a":0.1,"b":0.30000000000000001}"#),
        ])
    func examples(document: String, patch: String, result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test(
        "An operation that fails is an error with its index, and nothing is changed",
        arguments: [
            (#"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, "[0]: there is no '/baz'"),
            (#"[{"op":"test","path":"/foo","value":"x"}]"#, "[0]: '/foo' is not the value of the test"),
            (#"[{"op":"remove","path":"/foo"},{"op":"remove","path":"/foo"}]"#, "[1]: there is no '/foo'"),
            (#"[{"op":"add","path":"/list/3","value":1}]"#, "[0]: there is no '/list/3'"),
            (#"[{"op":"add","path":"/list/01","value":1}]"#, "[0]: there is no '/list/01'"),
            (#"[{"op":"remove","path":"/list/-"}]"#, "[0]: there is no '/list/-'"),
            (#"[{"op":"remove","path":""}]"#, "[0]: the whole document cannot be removed"),
            (#"[{"op":"move","from":"/list","path":"/list/0"}]"#, "[0]: '/list' cannot be moved into itself"),
        ])
    func impossible(patch: String, message: String) throws {
        let error = #expect(throws: DraftError.self) { try patched(#"{"foo":"bar","list":[1,2]}"#, patch) }
        #expect(error?.description == message)
    }

    @Test("A faulty patch is refused with all its faults")
    func faulty() {
        let text = """
            [{"op": "ad", "path": "/a"}, {"op": "add", "path": "a", "value": 1}, {"op": "add", "path": "/a"}, {"op": "move", "path": "/b"}, 7]
            """
        let error = #expect(throws: DraftError.self) { try DraftPatch(Data(text.utf8)) }
        #expect(error?.diagnostics.map(\.path) == ["[0].op", "[1].path", "[2].value", "[3].from", "[4]"])
        #expect(error?.description.contains("did you mean 'add'") == true)
        #expect(throws: DraftError.self) { try DraftPatch(Data("{}".utf8)) }
    }

    @Test("A patch keeps merge fields as they are")
    func mergeFields() throws {
        let result = try patched(
            #"{"title":"{{name}}","mainTrackClips":[]}"#,
            #"[{"op":"add","path":"/mainTrackClips/0","value":{"url":"{{clip}}"}}]"#)
        #expect(result == #"{"mainTrackClips":[{"url":"{{clip}}"}],"title":"{{name}}"}"#)
    }
}
