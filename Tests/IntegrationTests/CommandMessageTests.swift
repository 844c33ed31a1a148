import TestSupport
import Testing
import FoundationEssentials

/// Command lines that cannot be carried out, with what a person reads: the option or argument, what is wrong with it, and
/// what to give instead. Nothing of them needs a farm, a source or a cache.
@Suite("Messages of the command line")
struct CommandMessageTests {
    private static let id = "0193f0d2-7a7e-7000-8000-000000000001"
    private static let draft = """
        {"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 25,
         "mainTrackClips": [{"type": "color", "duration": 1}]}
        """

    static let ofDrafts: [(String, String)] = [
        ("export d.json -o f.mp4 --set quality", "--set takes name=value, not 'quality'"),
        (
            "export d.json -o frames/ --set fileType=png --provenance",
            "--provenance writes a file beside one film, and 'frames/' has several; name an archive such as film.tar"
        ),
        ("export d.json -o f.mp4 --start-number -1", "--start-number must be 0...1000000000, not -1"),
        ("frame d.json --time 0 -o f.png --size 8x8 --max-size 8x8", "give --size or --max-size, not both"),
        ("thumbnails d.json -o t.png --count 0", "--count must be 1...400, not 0"),
        ("snapshots d.json -o out --time 0 --start 1", "give --time, or --start and --end, not both"),
        ("waveform d.json --json --samples-per-pixel 0", "--samples-per-pixel must be 1...1000000, not 0"),
        ("waveform d.json", "give -o FILE, --json or both"),
        ("presets d.json --preset gif", "all presets are tried; leave --preset out"),
        ("presets d.json --set preset=gif", "all presets are tried; leave preset out"),
        ("edit - --patch -", "draft and patch cannot both come from standard input"),
        ("draft new a.mp4 --transition lumaMap", "lumaMap needs a picture of its own; add it with spool edit"),
        (
            "draft new a.mp4 --transition externalTransition",
            "externalTransition needs the name of a plug-in; add it with spool edit"
        ),
        ("operations nonesuch", "there is no operation 'nonesuch'; 'spool operations' lists them"),
        ("preview -", "spool preview looks at the draft's file; name it instead of -"),
        (
            "preview d.json --set videoQuality=20",
            "a preview has the same settings for all films; leave --set, --settings and --preset out"
        ),
        ("preview d.json --strict", "the page of the preview shows warnings; leave --strict out"),
        ("preview d.json --port 70000", "--port must be 0...65535, not 70000"),
    ]

    static let ofRecordings: [(String, String)] = [
        ("record new", "name a directory for the recording, or give --farm"),
        ("record new r --farm", "a recording on the farm has no directory"),
        ("record new r --param a=b", "--param belongs to --from DRAFT"),
        ("record new r --from - --settings -", "only one of --from and --settings reads standard input"),
        ("record set r", "name a setting, such as mirror=true, or give --settings"),
        ("record append r - --sound -", "picture and sound cannot both come from standard input"),
        (
            "record append r in.mp4 --raw-video 8x8@25:yuv420p --input-format mp4",
            "--raw-video already names the format; leave --input-format out"
        ),
        (
            "record append r - --raw-video 8x8@25:yuv420p --raw-audio 48000:2:s16le",
            "raw pictures and raw sound come from two inputs; give the sound's with --sound"
        ),
        ("record append r in.mp4 --events --json", "--events and --json would both write to standard output; leave one out"),
        ("record finish r --film f.mp4 --json", "--json prints the recording and not the film; leave one out"),
        ("record finish r --film -", "--film names a file; spool export DRAFT -o - writes to standard output"),
    ]

    static let ofFarms: [(String, String)] = [
        ("submit", "give a draft file, or --draft with a draft of the library"),
        ("submit d.json --strict", "--strict needs --wait: warnings are known when an export has ended"),
        ("status \(id) --tag a=b", "--tag and --batch narrow the list of the newest; leave them out where exports are named"),
        ("batch results \(id) --csv --json", "give --csv or --json, not both"),
        ("batch submit - --rows -", "only one of the template and the rows can come from standard input"),
        (
            "batch submit t.json --rows rows.txt",
            "--rows needs a file that ends with .csv, .tsv or .jsonl, or --format csv, tsv or jsonl; got 'rows.txt'"
        ),
        (
            "batch submit t.json --rows rows.csv --limit-rate 0",
            "--limit-rate must be 0.01...1000000 exports per minute, not 0.0"
        ),
        ("dead discard", "name the jobs to discard, or give --all, not both"),
        ("queue purge video --dry-run --yes", "--dry-run cancels nothing, so it needs no --yes; give one of them"),
        ("webhook set 1", "name what changes: --address, --label, --event or --progress-step"),
        ("audit files --sample -1", "--sample must be 0 or more, not -1"),
        (
            "draft diff intro --to 1 --server http://127.0.0.1:9 --token t",
            "revision 1 is the first of 'intro'; name two with --from and --to"
        ),
        ("top --interval 0", "--interval must be 1...3600, not 0"),
        ("up --port 0", "--port must be 1...65535, not 0"),
        ("guard --log l -- true", "name a program by its absolute path, after --"),
        ("guard --log l --user root -- /bin/true", "--user takes two numbers, such as 65534:65534, not 'root'"),
        ("status --server http://127.0.0.1:9", "a token is needed: set SPOOL_TOKEN, or give --token"),
        (
            "submit d.json --metadata 5 --server http://127.0.0.1:9 --token t",
            "--metadata takes a JSON object, as in '{\"customer\": 7}', or @FILE; got '5'"
        ),
    ]

    @Test(
        "A command line that cannot be carried out ends with 64 and says what to give instead",
        arguments: ofDrafts + ofRecordings + ofFarms)
    func usage(words: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let draft = directory.file("d.json")
        try Data(CommandMessageTests.draft.utf8).write(to: URL(fileURLWithPath: draft))
        let words = words.split(separator: " ").map { $0 == "d.json" ? draft : String($0) }
        let outcome = try await SpoolTool.run(words)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("A film is not written to a terminal")
    func terminal() async throws {
        let outcome = try await PseudoTerminal.run([SpoolTool.executable, "export", "d.json", "-o", "-"], columns: 200)
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(
            outcome.output
                == "error: standard output is a terminal, which cannot show the file; pipe it into a program, or name a file with "
                + "-o\r\n", "\(outcome.output)")
    }

    @Test("More clips or times than a command takes are refused with the limit")
    func limits() async throws {
        let clips = try await SpoolTool.run(["draft", "new"] + Array(repeating: "a.mp4", count: 10_001))
        #expect(clips.status == 64)
        #expect(clips.errors.contains("a draft has at most 10000 clips, and there are 10001 files"))
        let times = try await SpoolTool.run(
            ["snapshots", "d.json", "-o", "out"] + Array(repeating: ["--time", "0"], count: 1_001).flatMap { $0 })
        #expect(times.status == 64)
        #expect(times.errors.contains("--time takes at most 1000 times, not 1001"))
    }

    /// Command lines about a draft of one coloured clip, whose output cannot be what they say.
    static let outputs: [(String, Int32, String)] = [
        ("frame d.json --time 0 -o f.bmp", 64, "is no name of a picture; end it with "),
        ("frame d.json --time 0 -o f.png --format webp", 64, "is no name of a webp file; leave --format out"),
        ("frame d.json --time 0 -o f.png --clip intro", 64, "the draft has no clip 'intro'; give the id of one, or its index"),
        (
            "export d.json -o f.mp4 --start-number 5", 64,
            "--start-number numbers pictures, and one file is written; leave it out, or name pictures, as in frames/%05d.png"
        ),
        (
            "export d.json -o f.png --set fileType=png", 64,
            "makes one for each picture: number them, as in frames/%05d.png, name a directory, or an archive such as frames.tar"
        ),
        (
            "export d.json -o f.png --set frameTime=1", 64,
            "frameTime and sheetCount are for exports on a farm; here `spool frame` and `spool thumbnails` make pictures"
        ),
        (
            "waveform d.json -o w.jpg", 64,
            "the background of a waveform is transparent, and a JPEG has no transparency; name a .png or .webp file"
        ),
        ("waveform d.json -o w.png --set fileType=gif", 65, "the file type that is set has no sound; leave it out"),
        ("frame d.json --time 9 -o f.png", 65, " is outside the video, which is "),
        ("fonts NoSuchFamily", 69, "'NoSuchFamily' is not a font that is installed on this machine; 'spool fonts' lists them"),
        ("plugins NoSuchPlugin", 64, "there is no plug-in 'NoSuchPlugin'; 'spool plugins' lists them"),
        ("record stop r", 65, "nothing is being captured into "),
        ("thumbnails d.json -o f.png --start 5 --end 6", 65, "--start 5 is outside the video, which is 1 s long"),
        ("thumbnails d.json -o f.png --end 0", 65, "there is no frame before --end; give a time after the beginning"),
    ]

    @Test("An output that a draft cannot have is refused with the remedy", arguments: outputs)
    func output(words: String, status: Int32, message: String) async throws {
        let directory = try TemporaryDirectory()
        try Data(CommandMessageTests.draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
        let names = ["d.json", "f.bmp", "f.png", "f.mp4", "w.jpg", "w.png", "r"]
        var words = words.split(separator: " ").map { names.contains(String($0)) ? directory.file(String($0)) : String($0) }
        if words[0] == "record" {
            let new = try await SpoolTool.run(["record", "new", directory.file("r")])
            #expect(new.status == 0, "\(new.errors)")
        } else if words[0] != "fonts" {
            words += ["--cache", directory.file("cache")]
        }
        let outcome = try await SpoolTool.run(words)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "A damaged recording is refused with what is wrong in its file",
        arguments: [
            ("[]", "it is not an object"), ("{", "it is not JSON"),
            (#"{"version": 1, "recording": {"settings": {"size": 1}}}"#, "its settings are not valid"),
            (
                #"{"version": 1, "recording": {"settings": {}, "state": {"open": {}}, "clips": [{"number": 1, "speed": "fast"}]}}"#,
                "'recording.clips.Index 0.speed' is not valid"
            ),
        ])
    func damaged(text: String, what: String) async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("r")
        #expect(try await SpoolTool.run(["record", "new", folder]).status == 0)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/recording.json"))
        let outcome = try await SpoolTool.run(["record", "status", folder])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors
                == "error: '\(folder)/recording.json' is damaged: \(what); restore the file from a copy, or begin a new "
                + "recording with the clips that are in '\(folder)/clips'\n")
    }

    @Test("A directory with other files is refused for a recording, and so is a place that cannot be written")
    func place() async throws {
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: directory.file("a")))
        let used = try await SpoolTool.run(["record", "new", directory.path])
        #expect(used.status == 65)
        #expect(used.errors == "error: '\(directory.path)' has other files in it; name a new directory\n")
        let closed = try await SpoolTool.run(["record", "new", directory.file("a/r")])
        #expect(closed.status == 73)
        #expect(closed.errors.contains("cannot be created or written; name a place that this user may write to"))
    }

    @Test("What is no provenance is refused by verify with how to get one")
    func provenance() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("film.mp4.provenance.json")
        try Data("[]".utf8).write(to: URL(fileURLWithPath: file))
        let none = try await SpoolTool.run(["verify", directory.file("film.mp4"), "--provenance", file])
        #expect(none.status == 65)
        #expect(
            none.errors.contains(
                "' is no provenance: it is no JSON object; 'spool export --provenance' and 'spool download --provenance' write "
                    + "one beside a film"))
    }

    @Test("A provenance of another version is refused by verify with which version to use")
    func otherProvenance() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("other.json")
        try Data(#"{"version": 99}"#.utf8).write(to: URL(fileURLWithPath: file))
        let other = try await SpoolTool.run(["verify", directory.file("film.mp4"), "--provenance", file])
        #expect(other.status == 65)
        #expect(other.errors.contains("has version 99 of the format, and this program reads version "))
        #expect(other.errors.contains("; use the version of spool that wrote it"))
    }

    /// Locations of sources that a local export cannot have.
    static let locations: [(String, String)] = [
        ("asset:\(String(repeating: "a", count: 64))", "' is an uploaded asset, which only a farm has; give a path"),
        ("ftp://host/a.mp4", "'ftp://host/a.mp4' is not a path, an https:// address or an asset:<sha256>"),
        ("/etc/hostname", "'/etc/hostname' lies outside the allowed directories"),
    ]

    @Test("A source that cannot be used on this machine is refused with what to give instead", arguments: locations)
    func location(url: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let draft = directory.file("d.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(url)"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(
            ["validate", draft, "--allow", directory.path, "--cache", directory.file("cache")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("error: mainTrackClips[0].url: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// Inputs for a farm that are wrong before it is asked. `folder` is empty, and `bytes` is not UTF-8.
    static let inputs: [(String, String)] = [
        ("submit folder", "there are no *.json files in "), ("draft put d -", "there is no draft on standard input"),
        ("webhook add https://example.com/ --secret-file bytes", "bytes' cannot be read as text"),
        (
            "record stop \(id)",
            "a clip of a recording on a farm is taken in where its append runs; end it there with Ctrl-C"
        ),
        (
            "record snapshot \(id) -o p.png",
            "a clip of a recording on a farm has no picture before it is uploaded; give --time, or record on this machine"
        ),
    ]

    @Test("What no farm can take or answer is refused before the farm is asked", arguments: inputs)
    func input(words: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: true)
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: directory.file("bytes")))
        let words = words.split(separator: " ").map(String.init)
            .map { ["folder", "bytes"].contains($0) ? directory.file($0) : $0 }
        let outcome = try await SpoolTool.run(words + ["--server", "http://127.0.0.1:9", "--token", "t"])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// Settings of the coordinator and of a worker that are refused before anything else is done, as variables and options.
    static let settings: [(String, String, String)] = [
        ("", "coordinator --store s3://films --store-style round", "storeStyle is path or virtualHost, not 'round'"),
        ("", "coordinator --store http://farm.example:8080", "store: only workers use the store of a coordinator, 'http://farm"),
        (
            "AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b", "coordinator --store s3://films --store-cache-size much",
            "storeCacheSize has to be a whole number and MB, GB or TB, such as 50GB, not 'much'"
        ),
        (
            "", "worker run --store store --source-size never",
            "sourceSize has to be a whole number and MB, GB or TB, such as 50GB, not 'never'"
        ),
        (
            "", "coordinator --store store --receiver-networks here",
            "'here' is no network; write it as 10.1.0.0/16 or fd00:1::/32"
        ),
        (
            "SPOOL_TRACE_ENDPOINT=ftp://x", "coordinator --store store",
            "traceEndpoint begins with http:// or https://, not as 'ftp://x'"
        ),
        (
            "SPOOL_TOKEN=", "worker run --store http://127.0.0.1:9",
            "store: a worker that uses the store of 'http://127.0.0.1:9' needs a token with the scope work in SPOOL_TOKEN"
        ),
        ("", "worker run --store store --roles cook", "roles are video, audio and stitch, not 'cook'"),
        (
            "", "worker run --store store --pools ,",
            "a worker needs at least one role and one pool; name some in roles and pools, or leave these out"
        ),
    ]

    @Test("A setting that a process cannot have is refused with the values that it may have", arguments: settings)
    func setting(variables: String, words: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)'; \(variables) '\(SpoolTool.executable)' \(words) --redis-url redis://127.0.0.1:9"
                + (words.hasPrefix("coordinator") ? " --database-url postgresql://127.0.0.1:9/none" : ""))
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// Command lines of the rendering program, which `spool` makes.
    static let rendering: [(String, String)] = [
        ("capture a b c -o x", "there are one or two inputs, not 3"),
        ("capture a -o x --limit soon", "--limit must be seconds or num/den above 0, not 'soon'"),
        (
            "capture a -o x --raw-video odd",
            "--raw-video must be WIDTHxHEIGHT@RATE:PIXELFORMAT, as in 640x480@30:yuv420p, with one of FFmpeg's pixel formats, not "
                + "'odd'"
        ),
        (
            "capture a -o x --raw-audio odd",
            "--raw-audio must be RATE:CHANNELS:s16le or RATE:CHANNELS:f32le, as in 48000:2:s16le, not 'odd'"
        ),
        ("serve --user 1:1", "--user needs --limited"), ("serve --control-group /x", "--control-group needs --limited"),
        ("serve --limited --user 0:0", "--user takes two numbers, such as 65534:65534, and not root's; got '0:0'"),
        ("serve --limited --require odd", "--require takes layers of the sandbox, which are "),
    ]

    @Test("The rendering program refuses a command line with 64 and says what it takes", arguments: rendering)
    func renderer(words: String, message: String) async throws {
        let program = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-render"
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run("cd '\(directory.path)'; '\(program)' \(words)")
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("A word that is not UTF-8 is refused with what to do about a file of that name")
    func encoding() async throws {
        let outcome = try await ShellTool.run("'\(SpoolTool.executable)' validate $'caf\\xe9.json'")
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.contains(
                "$'caf\\xe9.json', is not valid UTF-8; if it is the name of a file, rename it, or make a link to it with another "
                    + "name"))
    }

    @Test("A farm's address that is none is refused with the form of one")
    func address() async throws {
        let none = try await SpoolTool.run(["status", "--server", "nonsense", "--token", "t"])
        #expect(none.status != 0)
        #expect(none.errors.contains("'nonsense' is not the address of a server; give one such as http://localhost:8080"))
    }
}
