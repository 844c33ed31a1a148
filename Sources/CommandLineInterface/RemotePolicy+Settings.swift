package import ExportPlan
package import HTTPClient
package import LocalFarm
package import RemoteSources
import FoundationEssentials

extension AddressList {
    /// The addresses that the settings allow.
    /// - Throws: `FarmSettings.Fault`.
    package init(_ settings: FarmSettings) throws {
        self.init(try AddressList.patterns(try settings.list(.sourceAddresses)))
    }

    /// - Throws: `FarmSettings.Fault` for a text that is no pattern.
    package static func patterns(_ texts: [String]) throws -> [AddressPattern] {
        try texts.map { text in
            guard let pattern = AddressPattern(text) else {
                throw FarmSettings.Fault(lines: [
                    "'\(text)' is no pattern of addresses; write it as https://*.example.com/folder/ or s3://bucket/prefix/"
                ])
            }
            return pattern
        }
    }
}

extension RemotePolicy {
    /// What the settings of a worker allow.
    /// - Throws: `FarmSettings.Fault`.
    package init(_ settings: FarmSettings) throws {
        let (region, endpoint) = (try settings.text(.storeRegion), try settings.text(.storeEndpoint))
        let style = try settings.text(.storeStyle)
        self.init(
            addresses: try AddressList(settings), networks: try RemotePolicy.networks(try settings.list(.sourceNetworks)),
            byteLimit: try settings.boundedSize(.sourceSize),
            timeLimit: .seconds(try settings.integer(.sourceTime, in: 1...86_400)),
            credentials: try RemotePolicy.credentials(try settings.text(.sourceCredentials)),
            buckets: BucketAccess(
                region: region, endpoint: endpoint.isEmpty ? nil : endpoint, style: style.isEmpty ? nil : style))
    }

    /// - Throws: `FarmSettings.Fault` for a text that is no network.
    package static func networks(_ texts: [String]) throws -> [IPNetwork] {
        try texts.map { text in
            guard let network = IPNetwork(text) else {
                throw FarmSettings.Fault(lines: ["'\(text)' is no network; write it as 10.1.0.0/16 or fd00:1::/32"])
            }
            return network
        }
    }

    /// - Parameter path: the path of the file; empty for none.
    /// - Throws: `FarmSettings.Fault`.
    package static func credentials(_ path: String) throws -> SourceCredentials {
        guard !path.isEmpty else { return SourceCredentials() }
        do throws(SourceCredentials.Fault) {
            return try SourceCredentials(file: path)
        } catch {
            throw FarmSettings.Fault(lines: [error.message])
        }
    }
}
