import CFFmpeg
import ExactTime
package import ExportPlan
import Vocabulary

extension MovieWriter {
    /// Adds chapters. Must be called before anything is written.
    package func add(_ chapters: [Chapter]) throws(MediaError) {
        guard format.chapters != .vorbisComments else {
            for (index, chapter) in chapters.enumerated() { addComments(chapter, number: index + 1) }
            return
        }
        let list = try LibavResult.allocated(
            av_malloc(chapters.count * MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride), path
        ).bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        context.pointee.chapters = list
        for (index, chapter) in chapters.enumerated() {
            let made = try LibavResult.allocated(
                av_mallocz(MemoryLayout<AVChapter>.size)?.assumingMemoryBound(to: AVChapter.self), path)
            made.pointee.id = Int64(index + 1)
            made.pointee.time_base = AVRational(num: 1, den: 1000)
            made.pointee.start = chapter.timeRange.start.milliseconds
            made.pointee.end = chapter.timeRange.end.milliseconds
            av_dict_set(&made.pointee.metadata, "title", chapter.title, 0)
            list[index] = made
            context.pointee.nb_chapters = UInt32(index + 1)
        }
    }

    /// Adds a chapter as Vorbis comments, by Xiph's "Chapter Extension". libavformat 59 would round the seconds up from
    /// the half and so write 1.5 s as `00:00:02.500`.
    private func addComments(_ chapter: Chapter, number: Int) {
        let name = "CHAPTER" + digits(Int64(number), 3)
        let start = chapter.timeRange.start.milliseconds
        let (seconds, milliseconds) = start.quotientAndRemainder(dividingBy: 1000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }.joined(separator: ":")
        av_dict_set(&context.pointee.metadata, name, "\(clock).\(digits(milliseconds, 3))", 0)
        av_dict_set(&context.pointee.metadata, name + "NAME", chapter.title, 0)
    }

    private func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension MediaTime {
    fileprivate var milliseconds: Int64 { Int64((seconds * Rational(1000)).rounded) }
}
