import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing
import FoundationEssentials

/// Compares answers with the OpenAPI document.
enum DescribedAnswers {
    static let document = OpenAPIDocument(Farm.routes, version: "1").tree

    /// What the document does not say of an answer, in words; empty where it says everything, and for addresses and methods
    /// that it does not have.
    static func faults(of answer: Answer, to method: HTTPRequest.Method, _ target: String) -> [String] {
        let path = target.split(separator: "?", omittingEmptySubsequences: false).first.map(String.init) ?? target
        guard let operation = operation(method, path) else { return [] }
        let status = "\(answer.status.code)"
        guard let response = operation["responses"]?[status] else {
            return ["\(method) \(path): the status \(status) is not described"]
        }
        var faults: [String] = []
        for name in (response["headers"]?.members ?? [:]).keys {
            guard let field = HTTPField.Name(name), answer.headers[field] != nil else {
                faults.append("\(method) \(path): the answer \(status) has no header \(name)")
                continue
            }
        }
        guard method != .head, answer.status != .noContent, answer.status != .notModified else { return faults }
        let type = answer.headers[.contentType]?.split(separator: ";").first.map(String.init) ?? ""
        let content = response["content"]?.members ?? [:]
        guard let described = content[type] ?? content["*/*"] else {
            return faults + ["\(method) \(path): the type '\(type)' of the answer \(status) is not described"]
        }
        guard type.hasSuffix("json"), content[type] != nil, let schema = described["schema"] else { return faults }
        do {
            let value = try answer.json(JSONTree.self)
            let validator = SchemaValidator(document: document)
            return faults + validator.faults(of: value, schema).map { "\(method) \(path), status \(status): \($0)" }
        } catch {
            return faults + ["\(method) \(path): the answer \(status) is no JSON: \(error)"]
        }
    }

    private static func operation(_ method: HTTPRequest.Method, _ path: String) -> JSONTree? {
        let asked = path.split(separator: "/")
        let paths = document["paths"]?.members ?? [:]
        // A path without parameters goes before one with.
        let found = paths.sorted { $0.key.count { $0 == "{" } < $1.key.count { $0 == "{" } }.first { path, _ in
            let parts = path.split(separator: "/")
            return parts.count == asked.count && zip(parts, asked).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return found?.value[method.rawValue.lowercased()]
    }
}
