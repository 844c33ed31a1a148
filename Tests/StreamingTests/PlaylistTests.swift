import Streaming
import Testing
import FoundationEssentials

@Suite("Playlists of streams")
struct PlaylistTests {
    @Test("A playlist grows by segments, and ends when no more follow")
    func media() {
        var playlist = MediaPlaylist(
            header: "pictures.mp4", segments: [.init(file: "pictures-0.m4s", duration: 4.0041666)], longest: 9.26,
            isComplete: false)
        let growing = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:10
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:EVENT
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="pictures.mp4"
            #EXTINF:4.004167,
            pictures-0.m4s

            """
        #expect(playlist.text == growing)
        playlist.segments.append(.init(file: "pictures-1.m4s", duration: 9.26))
        playlist.isComplete = true
        #expect(playlist.text == growing + "#EXTINF:9.260000,\npictures-1.m4s\n#EXT-X-ENDLIST\n")
    }

    @Test("The main playlist names the tracks, whatever their titles contain")
    func main() {
        let sounds = [
            MultivariantPlaylist.Track(
                file: "sound-0.m3u8", name: "the \"first\"\nsound", language: "eng", codec: "mp4a.40.2", bandwidth: 34_567),
            MultivariantPlaylist.Track(file: "sound-1.m3u8", name: "Ton", language: nil, codec: "mp4a.40.2", bandwidth: 30_000),
        ]
        let playlist = MultivariantPlaylist(
            variants: [.init(file: "pictures.m3u8", codec: "avc1.64001F", size: (1280, 720), bandwidth: 1_200_000)],
            sounds: sounds, frameRate: 30000.0 / 1001)
        #expect(
            playlist.text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="the  first  sound",LANGUAGE="eng",DEFAULT=YES,AUTOSELECT=YES,URI="sound-0.m3u8"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Ton",DEFAULT=NO,AUTOSELECT=YES,URI="sound-1.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=1234567,CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="sound"
                pictures.m3u8

                """)
        let silent = MultivariantPlaylist(
            variants: [.init(file: "p", codec: "avc1.64001F", size: nil, bandwidth: 0)], sounds: [], frameRate: 24)
        #expect(
            silent.text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001F",FRAME-RATE=24.000
                p

                """)
    }

    @Test("Renditions have their keyframes, and name the sounds and subtitles that belong to them")
    func renditions() {
        let playlist = MultivariantPlaylist(
            variants: [
                .init(
                    file: "a.m3u8", keyframes: ("a-keyframes.m3u8", 300), codec: "avc1.64001F", size: (1280, 720), bandwidth: 900,
                    averageBandwidth: 700),
                .init(file: "b.m3u8", codec: "avc1.640015", size: (640, 360), bandwidth: 400, averageBandwidth: 300),
            ],
            sounds: [
                .init(
                    file: "s.m3u8", name: "s", language: nil, codec: "mp4a.40.2", channels: 2, bandwidth: 100,
                    averageBandwidth: 90)
            ],
            subtitles: [.init(file: "t.m3u8", name: "t", language: "deu")], frameRate: 25)
        #expect(
            playlist.text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="s",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="s.m3u8"
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="t",LANGUAGE="deu",DEFAULT=NO,AUTOSELECT=YES,URI="t.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=790,CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=1280x720,\
                FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="subtitles"
                a.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=500,AVERAGE-BANDWIDTH=390,CODECS="avc1.640015,mp4a.40.2",RESOLUTION=640x360,\
                FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="subtitles"
                b.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=300,CODECS="avc1.64001F",RESOLUTION=1280x720,URI="a-keyframes.m3u8"

                """)
    }

    @Test("Segments and the header may be ranges of one file")
    func ranges() {
        var playlist = MediaPlaylist(
            header: "a.mp4", segments: [.init(file: "a.mp4", duration: 6, range: 900..<1900)], longest: 6, isComplete: true)
        playlist.headerRange = 0..<800
        playlist.kind = .whole
        let whole = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="a.mp4",BYTERANGE="800@0"
            #EXTINF:6.000000,
            #EXT-X-BYTERANGE:1000@900
            a.mp4
            #EXT-X-ENDLIST

            """
        #expect(playlist.text == whole)
        playlist.kind = .keyframes
        #expect(playlist.text == whole.replacing("#EXT-X-INDEPENDENT-SEGMENTS", with: "#EXT-X-I-FRAMES-ONLY"))
    }

    @Test("The peak is that of parts in turn which last about as long as the longest one")
    func peak() {
        func parts(_ list: [(bytes: Int, seconds: Double)]) -> [StreamFile.Part] {
            list.map { .init(range: 0..<$0.bytes, duration: $0.seconds) }
        }
        #expect(parts([(1000, 4), (1000, 4)]).peakBandwidth == 2000)
        #expect(parts([(1000, 4), (3000, 4), (1000, 4)]).peakBandwidth == 6000)
        // A short part counts with its neighbours only.
        #expect(parts([(1000, 4), (1000, 1), (1000, 4)]).peakBandwidth == 3200)
        // The target is 3 s, so that 1.2 s alone are too short.
        #expect(parts([(1200, 2.4), (1200, 1.2), (1200, 2.4)]).peakBandwidth == 5334)
        #expect(parts([(500, 0.5)]).peakBandwidth == 8000 && parts([(500, 0.5)]).averageBandwidth == 8000)
    }
}
