import Streaming
import Testing

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
            MultivariantPlaylist.Sound(file: "sound-0.m3u8", name: "the \"first\"\nsound", language: "eng"),
            MultivariantPlaylist.Sound(file: "sound-1.m3u8", name: "Ton", language: nil),
        ]
        let playlist = MultivariantPlaylist(
            pictures: "pictures.m3u8", sounds: sounds, codecs: ["avc1.64001F", "mp4a.40.2"], size: (1280, 720),
            frameRate: 30000.0 / 1001, bandwidth: 1_234_567)
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
            pictures: "p", sounds: [], codecs: ["avc1.64001F"], size: nil, frameRate: 24, bandwidth: 0)
        #expect(
            silent.text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001F",FRAME-RATE=24.000
                p

                """)
    }
}
