/// The location of a source that is fetched before it is used: an `https:`, `http:` or `s3:` address, or a `data:`
/// address, which has the bytes in itself.
///
/// It is read by strict rules, so that everything that looks at an address finds the same host in it: an address with a
/// user, or with characters that have to be escaped, is refused.
package struct RemoteLocation: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case https, http, s3, data
    }

    /// Why a location cannot be an address, in words that follow it.
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    package let scheme: Scheme
    /// In small letters; the bucket of an `s3:` address; empty for `data:`.
    package let host: String
    /// Nil for the scheme's own port.
    package let port: Int?
    /// The path, with its slash; for `data:` everything after the colon.
    package let path: String
    /// Everything from `?` on, without a fragment; empty where there is none.
    package let query: String

    /// Whether a location is an address, possibly a faulty one.
    package static func matches(_ location: String) -> Bool { scheme(of: location) != nil }

    private static func scheme(of location: String) -> (scheme: Scheme, rest: Substring)? {
        for scheme in Scheme.allCases {
            let start = scheme == .data ? "data:" : scheme.rawValue + "://"
            if location.utf8.count >= start.utf8.count, location.prefix(start.count).lowercased() == start {
                return (scheme, location.dropFirst(start.count))
            }
        }
        return nil
    }

    /// - Throws: `Fault` for an address that cannot be used, and for a location that is no address.
    package init(_ location: String) throws(Fault) {
        guard let (scheme, rest) = RemoteLocation.scheme(of: location) else {
            throw Fault(message: "is not an https://, http://, s3:// or data: address")
        }
        self.scheme = scheme
        guard scheme != .data else {
            (host, port, path, query) = ("", nil, String(rest), "")
            return
        }
        guard scheme != .s3 else {
            // Nothing is escaped in it: everything behind the bucket is the object's key.
            guard rest.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw Fault(message: "has a control character") }
            let bucket = rest.prefix { $0 != "/" }
            host = try RemoteLocation.parts(of: bucket, scheme).host
            (port, path, query) = (nil, String(rest.dropFirst(bucket.count)), "")
            guard path.count > 1 else { throw Fault(message: "is not the address of an object, s3://bucket/key") }
            return
        }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw Fault(message: "has a space or another character that has to be escaped, as in %20")
        }
        let address = rest.prefix { $0 != "#" }
        let authority = address.prefix { $0 != "/" && $0 != "?" }
        let (host, port) = try RemoteLocation.parts(of: authority, scheme)
        self.host = host
        self.port = port
        let target = address.dropFirst(authority.count)
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(target.dropFirst(path.count))
        guard !path.split(separator: "/").contains(where: RemoteLocation.isDots) else {
            throw Fault(message: "has a part '.' or '..' in its path; write it without")
        }
    }

    private static func parts(of authority: Substring, _ scheme: Scheme) throws(Fault) -> (host: String, port: Int?) {
        guard !authority.contains("@") else {
            throw Fault(
                message: "has a user name in it; give the name and the password to the operator, as sourceCredentials says")
        }
        var host = authority
        var port: Int?
        let isLiteral = authority.hasPrefix("[")
        if let colon = authority.lastIndex(of: ":"), !isLiteral || authority[..<colon].hasSuffix("]") {
            host = authority[..<colon]
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(number), scheme != .s3
            else { throw Fault(message: "has no valid port, 1...65535") }
            port = number == (scheme == .https ? 443 : 80) ? nil : number
        }
        let isAllowed: (UInt8) -> Bool =
            isLiteral
            ? { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            : { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let name = isLiteral ? host.dropFirst().dropLast() : host
        guard !name.isEmpty, name.utf8.allSatisfy(isAllowed), !isLiteral || host.hasSuffix("]") else {
            throw Fault(message: "has no valid host; names with other letters are written in their ASCII form, as in xn--")
        }
        return (host.lowercased(), port)
    }

    /// Whether a part of a path means this or the next higher folder, possibly in escaped form.
    private static func isDots(_ part: Substring) -> Bool {
        let plain = part.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
        return plain == "." || plain == ".."
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
    }

    /// The address that is asked for.
    package var address: String {
        scheme == .data ? "data:\(path)" : "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(path)\(query)"
    }

    /// The address in messages and logs: without the query, which may hold a signature, and without data.
    package var name: String {
        guard scheme != .data else {
            return "data:\(path.prefix { $0 != "," }.prefix(60)),... (\(path.utf8.count) characters)"
        }
        return "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(path)\(query.isEmpty ? "" : "?...")"
    }

    /// A name for the file at an address: the last part of its path.
    package static func fileName(of location: String) -> String {
        guard let remote = try? RemoteLocation(location), remote.scheme != .data else { return "data" }
        return remote.path.split(separator: "/").last.map { String($0.prefix(200)) } ?? remote.host
    }

    /// A location in messages and logs.
    package static func name(of location: String) -> String {
        guard matches(location) else { return location }
        if let remote = try? RemoteLocation(location) { return remote.name }
        // It may be faulty because of a password.
        return location.prefix { $0 != ":" } + ":..."
    }
}
