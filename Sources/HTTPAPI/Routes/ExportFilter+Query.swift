import Coordinator
import FarmAPI
import FoundationEssentials

extension ExportFilter {
    /// The parameters of a query that narrow a list of exports.
    static let parameters = [
        QueryParameter(
            "tag", "`KEY=VALUE`", "only exports with this tag; may be repeated, and all have to match",
            .array(of: .string)),
        QueryParameter("metadata", "a JSON object", "only exports whose metadata contain all of it", .string),
        QueryParameter("batch", "a batch's id", "only exports of this batch", BatchID.schema),
    ]

    /// - Parameter tags: the values of the parameter `tag`.
    /// - Throws: `RequestFault` `badRequest`.
    init(_ query: QueryParameters, tags: [String]) throws {
        self.init()
        for text in tags {
            guard let mark = text.firstIndex(of: "=") else {
                throw RequestFault(.badRequest, "tag takes KEY=VALUE, not '\(text)'")
            }
            let (key, value) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
            if let other = self.tags[key], other != value {
                throw RequestFault(.badRequest, "no export has two values of the tag '\(key)'; give one")
            }
            self.tags[key] = value
        }
        try ExportTags.check(self.tags)
        if let text = query.values["metadata"] {
            try TextCheck.noNUL(inJSON: text, "metadata")
            guard let value = try? FarmJSON.decode(FreeJSON.self, from: Data(text.utf8)), case .object = value else {
                throw RequestFault(.badRequest, "metadata takes a JSON object, not '\(text)'")
            }
            try ExportTags.check(value)
            metadata = value
        }
        if let text = query.values["batch"] {
            guard let id = BatchID(text) else { throw RequestFault(.badRequest, "batch takes the id of a batch, not '\(text)'") }
            batch = id
        }
    }
}

extension BatchID {
    /// - Throws: `RequestFault` `notFound`, because text that is not an id names no batch.
    init(checking text: String) throws {
        guard let id = BatchID(text) else { throw RequestFault(.notFound, "'\(text)' is not the id of a batch") }
        self = id
    }
}
