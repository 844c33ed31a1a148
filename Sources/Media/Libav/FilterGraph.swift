import CFFmpeg
import ExactTime
import ExportPlan

/// A graph of libavfilter's filters that turns pictures into pictures, or sounds into a sound. Runs on the thread that calls it.
final class FilterGraph {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private var sources: [UnsafeMutablePointer<AVFilterContext>] = []
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let description: String

    /// The pictures of an input.
    struct Input: Equatable {
        var size: FrameSize
        var pixelFormat: AVPixelFormat
        /// Seconds per tick of the pictures' times.
        var timeBase = Rational(1, 1000)

        /// libavfilter's arguments of the input.
        fileprivate var arguments: String {
            "width=\(size.width):height=\(size.height):pix_fmt=\(pixelFormat.rawValue):pixel_aspect=1/1:"
                + "time_base=\(timeBase.numerator)/\(timeBase.denominator)"
        }
    }

    /// - Parameters:
    ///   - description: in libavfilter's syntax; the inputs are `in0`, `in1`, ..., the output is `out`.
    ///   - inputs: the size of each input, whose pictures are BGRA.
    /// - Throws: `MediaError` `missingCodec` if this installation lacks a filter.
    convenience init(_ description: String, inputs: [FrameSize]) throws(MediaError) {
        try self.init(description, inputs: inputs.map { Input(size: $0, pixelFormat: AV_PIX_FMT_BGRA) })
    }

    /// - Parameter description: in libavfilter's syntax; the inputs are `in0`, `in1`, ..., the output is `out`.
    /// - Throws: `MediaError` `missingCodec` if this installation lacks a filter.
    convenience init(_ description: String, inputs: [Input]) throws(MediaError) {
        try self.init(description, inputs.map(\.arguments), from: "buffer", to: "buffersink")
    }

    /// - Parameters:
    ///   - description: in libavfilter's syntax; the inputs are `in0`, `in1`, ..., the output is `out`.
    ///   - soundInputs: libavfilter's arguments of each input, which is sound.
    /// - Throws: `MediaError` `missingCodec` if this installation lacks a filter.
    convenience init(_ description: String, soundInputs: [String]) throws(MediaError) {
        try self.init(description, soundInputs, from: "abuffer", to: "abuffersink")
    }

    private init(
        _ description: String, _ inputs: [String], from sourceFilter: String, to sinkFilter: String
    ) throws(MediaError) {
        self.description = description
        graph = try LibavResult.allocated(avfilter_graph_alloc(), description)
        graph.pointee.nb_threads = 1
        var taken: UnsafeMutablePointer<AVFilterInOut>?
        var given: UnsafeMutablePointer<AVFilterInOut>?
        defer {
            avfilter_inout_free(&taken)
            avfilter_inout_free(&given)
        }
        do {
            sink = try FilterGraph.add(sinkFilter, "out", nil, to: graph)
        } catch {
            var freeing: UnsafeMutablePointer<AVFilterGraph>? = graph
            avfilter_graph_free(&freeing)
            throw error
        }
        // From here on everything is initialised, so that an error ends in deinit, which frees the graph.
        for (index, input) in inputs.enumerated().reversed() {
            let source = try FilterGraph.add(sourceFilter, "in\(index)", input, to: graph)
            sources.insert(source, at: 0)
            // libavfilter calls the inputs of a graph the open outputs of what is in front of it.
            taken = try FilterGraph.open("in\(index)", source, before: taken)
        }
        given = try FilterGraph.open("out", sink, before: nil)
        LibavLog.begin()
        try LibavResult.check(
            avfilter_graph_parse_ptr(graph, description, &given, &taken, nil), description, "cannot be built", .missingCodec)
        try LibavResult.check(avfilter_graph_config(graph, nil), description, "cannot be built")
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&freeing)
    }

    private static func add(
        _ filter: String, _ name: String, _ arguments: String?, to graph: UnsafeMutablePointer<AVFilterGraph>
    ) throws(MediaError) -> UnsafeMutablePointer<AVFilterContext> {
        var made: UnsafeMutablePointer<AVFilterContext>?
        LibavLog.begin()
        try LibavResult.check(
            avfilter_graph_create_filter(&made, avfilter_get_by_name(filter), name, arguments, nil, graph), filter,
            "cannot be made")
        return try LibavResult.allocated(made, filter)
    }

    private static func open(
        _ name: String, _ filter: UnsafeMutablePointer<AVFilterContext>, before next: UnsafeMutablePointer<AVFilterInOut>?
    ) throws(MediaError) -> UnsafeMutablePointer<AVFilterInOut> {
        let made = try LibavResult.allocated(avfilter_inout_alloc(), name)
        made.pointee.name = av_strdup(name)
        made.pointee.filter_ctx = filter
        made.pointee.pad_idx = 0
        made.pointee.next = next
        return made
    }

    /// Sends a picture to an input; nil ends that input.
    func push(_ frame: VideoFrame?, into input: Int = 0) throws(MediaError) { try push(frame: frame?.pointer, into: input) }

    /// Sends a picture or sound to an input, which keeps a reference to it; nil ends that input.
    func push(frame: UnsafeMutablePointer<AVFrame>?, into input: Int) throws(MediaError) {
        LibavLog.begin()
        try LibavResult.check(
            av_buffersrc_add_frame_flags(sources[input], frame, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)), description,
            "refused its input")
    }

    /// - Returns: the next picture; nil if the graph needs another input first, or has ended.
    func pull() throws(MediaError) -> VideoFrame? {
        let frame = try VideoFrame()
        return try pull(into: frame.pointer) ? frame : nil
    }

    /// Takes the next picture or sound.
    /// - Returns: false if the graph needs another input first, or has ended.
    func pull(into frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Bool {
        LibavLog.begin()
        let code = av_buffersink_get_frame(sink, frame)
        if code == spool_error_again || code == spool_error_eof { return false }
        try LibavResult.check(code, description, "failed")
        return true
    }
}
