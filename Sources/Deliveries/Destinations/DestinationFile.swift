package import Coordinator
import ExportPlan
import FoundationEssentials
import Glibc
import S3Store

/// The operator's file of destinations, a list in JSON:
///
///     [{"name": "archive", "bucket": {"address": "s3://films/spool", "region": "eu-central-1"},
///       "key": "{tenant}/{date}/{label}-{export}.{extension}", "cacheControl": "max-age=31536000", "manifest": true},
///      {"name": "nas", "tenants": ["news"], "directory": "/mnt/films"},
///      {"name": "cms", "put": {"address": "https://cms.example.com/films/", "headers": {"Authorization": "Bearer ..."}}}]
package struct DestinationFile: Sendable {
    /// By name.
    package let destinations: [String: Destination]

    /// Why the file cannot be used, as a sentence.
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    package init() { destinations = [:] }

    /// - Parameters:
    ///   - path: the path of the file.
    ///   - environment: where keys of buckets are looked for that the file does not have.
    /// - Throws: `Fault`.
    package init(_ path: String, environment: [String: String]) throws(Fault) {
        var status = stat()
        guard stat(path, &status) == 0, let content = FileManager.default.contents(atPath: path) else {
            throw Fault(message: "the file of destinations '\(path)' cannot be read")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw Fault(message: "the file of destinations '\(path)' can be read by everybody; run chmod 640 '\(path)'")
        }
        let entries: [DestinationEntry]
        let unknown: String?
        do {
            unknown = try JSONDecoder().decode([EntryFields].self, from: content).compactMap(\.unknown).first
            entries = unknown == nil ? try JSONDecoder().decode([DestinationEntry].self, from: content) : []
        } catch {
            // The decoder's error might repeat a secret.
            throw Fault(
                message: "the file of destinations '\(path)' is not a list of objects as docs/destinations.md describes them")
        }
        if let unknown { throw Fault(message: "the file of destinations '\(path)' has the unknown field '\(unknown)'") }
        var found: [String: Destination] = [:]
        for entry in entries {
            let destination = try entry.destination(environment)
            guard found.updateValue(destination, forKey: entry.name) == nil else {
                throw Fault(message: "there are two destinations '\(entry.name)'")
            }
        }
        destinations = found
    }

    /// Which tenants may use which destination.
    package var rule: DestinationRule { DestinationRule(destinations.mapValues(\.tenants)) }
}

/// One entry of the file, as it is written.
struct DestinationEntry: Decodable {
    struct Bucket: Decodable {
        var address: String
        var region: String?
        var endpoint: String?
        var style: String?
        var accessKey: String?
        var secretKey: String?

        enum CodingKeys: String, CodingKey, CaseIterable { case address, region, endpoint, style, accessKey, secretKey }
    }

    struct Put: Decodable {
        var address: String
        var headers: [String: String]?

        enum CodingKeys: String, CodingKey, CaseIterable { case address, headers }
    }

    var name: String
    var tenants: [String]?
    var bucket: Bucket?
    var directory: String?
    var put: Put?
    var key: String?
    var contentType: String?
    var cacheControl: String?
    var metadata: [String: String]?
    var manifest: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, tenants, bucket, directory, put, key, contentType, cacheControl, metadata, manifest
    }
}

/// The names of the fields of an entry, so that a misspelt one is reported and not overlooked.
private struct EntryFields: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A field that no entry has; nil where there is none.
    private(set) var unknown: String?

    init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: Name.self)
        note(entry, DestinationEntry.CodingKeys.allCases.map(\.rawValue), in: "")
        if let bucket = try? entry.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "bucket")) {  // else no object
            note(bucket, DestinationEntry.Bucket.CodingKeys.allCases.map(\.rawValue), in: "bucket.")
        }
        if let put = try? entry.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "put")) {  // else no object
            note(put, DestinationEntry.Put.CodingKeys.allCases.map(\.rawValue), in: "put.")
        }
    }

    private mutating func note(_ container: KeyedDecodingContainer<Name>, _ known: [String], in place: String) {
        let others = container.allKeys.map(\.stringValue).filter { !known.contains($0) }.sorted()
        unknown = unknown ?? others.first.map { place + $0 }
    }
}

extension DestinationEntry {
    /// - Throws: `DestinationFile.Fault` that names the destination.
    func destination(_ environment: [String: String]) throws(DestinationFile.Fault) -> Destination {
        guard TextCheck.isTag(name) else { throw fault("has a name that is not 1...63 of a-z, 0-9 and -") }
        let place = try place(environment)
        if case .bucket = place {
        } else if metadata != nil {
            throw fault("has metadata, which only the objects of a bucket have")
        }
        if case .directory = place, contentType != nil || cacheControl != nil {
            throw fault("has contentType or cacheControl, which files of a directory do not have")
        }
        for (name, value) in [("contentType", contentType), ("cacheControl", cacheControl)] {
            guard value.map(DestinationEntry.isHeader) ?? true else { throw fault("has a \(name) that no header can have") }
        }
        return Destination(
            name: name, tenants: tenants.map(Set.init), place: place, key: try template(key ?? KeyTemplate.usual, "key"),
            contentType: contentType, cacheControl: cacheControl, metadata: try metadataTemplates(),
            hasManifest: manifest ?? false)
    }

    private func place(_ environment: [String: String]) throws(DestinationFile.Fault) -> Destination.Place {
        guard [bucket != nil, directory != nil, put != nil].count(where: { $0 }) == 1 else {
            throw fault("needs one of bucket, directory and put")
        }
        if let bucket { return .bucket(try blobs(bucket, environment)) }
        if let put { return try address(put) }
        guard let directory, directory.hasPrefix("/"), !directory.utf8.contains(0) else {
            throw fault("has a directory that is no absolute path")
        }
        return .directory(directory)
    }

    private func blobs(_ bucket: Bucket, _ environment: [String: String]) throws(DestinationFile.Fault) -> S3Blobs {
        guard bucket.style.map({ S3Settings.Style(rawValue: $0) != nil }) ?? true else {
            throw fault("has a bucket whose style is neither path nor virtualHost")
        }
        var keys = environment
        switch (bucket.accessKey, bucket.secretKey) {
        case (nil, nil): break
        case (let accessKey?, let secretKey?):
            keys = ["AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey]
        default: throw fault("has one of accessKey and secretKey without the other")
        }
        do {
            let settings = try S3Settings(
                bucket.address, region: bucket.region ?? "us-east-1", endpoint: bucket.endpoint,
                style: bucket.style.flatMap(S3Settings.Style.init))
            return S3Blobs(settings, try S3CredentialSource(environment: keys, region: settings.region))
        } catch {
            throw fault("has a bucket that cannot be used: '\(error.subject)' \(error.message)")
        }
    }

    private func address(_ put: Put) throws(DestinationFile.Fault) -> Destination.Place {
        let location: RemoteLocation
        do throws(RemoteLocation.Fault) {
            location = try RemoteLocation(put.address)
        } catch {
            throw fault("has an address that \(error.message)")
        }
        guard location.scheme == .https || location.scheme == .http, location.query.isEmpty else {
            throw fault("has an address that is not an https:// or http:// address without a query")
        }
        guard location.path.hasSuffix("/") else {
            throw fault("has an address that has to end with a slash, because the names of files follow it")
        }
        let headers = put.headers ?? [:]
        for (name, value) in headers {
            guard !name.isEmpty, DestinationEntry.isHeader(name + value), !name.contains(where: { ": ".contains($0) }) else {
                throw fault("has a header that cannot be sent")
            }
        }
        return .address(location.address, headers: headers)
    }

    private func metadataTemplates() throws(DestinationFile.Fault) -> [String: KeyTemplate] {
        var templates: [String: KeyTemplate] = [:]
        for (name, value) in metadata ?? [:] {
            // Services sort the names of headers in their signatures by other rules where these have other characters.
            guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy({ (0x61...0x7A).contains($0) }), name != "spool" else {
                throw fault("has metadata '\(name)', whose name is not 1...40 of a-z, or is 'spool'")
            }
            templates[name] = try template(value, "metadata '\(name)'", isName: false)
        }
        return templates
    }

    private func template(
        _ text: String, _ what: String, isName: Bool = true
    ) throws(DestinationFile.Fault) -> KeyTemplate {
        do throws(KeyTemplate.Fault) {
            return try KeyTemplate(text, isName: isName)
        } catch {
            throw fault("has a \(what) '\(text)' that \(error.message)")
        }
    }

    private func fault(_ words: String) -> DestinationFile.Fault {
        DestinationFile.Fault(message: "the destination '\(name)' \(words) (docs/destinations.md)")
    }

    /// Whether a text can be a header's value.
    private static func isHeader(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}
