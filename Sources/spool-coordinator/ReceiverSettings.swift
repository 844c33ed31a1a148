import CommandLineInterface
import Deliveries
import ExportPlan
import HTTPClient
import LocalFarm
import RemoteSources
import FoundationEssentials

/// Where the coordinator may send to, by its settings.
struct ReceiverSettings: Sendable {
    /// The addresses that webhooks may have.
    let addresses: AddressList
    /// Private networks that may be reached all the same.
    let networks: [IPNetwork]
    /// The places that films may be sent to.
    let destinations: DestinationFile

    /// - Throws: `FarmSettings.Fault`.
    init(_ settings: FarmSettings) throws {
        addresses = AddressList(try AddressList.patterns(try settings.list(.receiverAddresses)))
        networks = try RemotePolicy.networks(try settings.list(.receiverNetworks))
        let file = try settings.text(.destinations)
        do throws(DestinationFile.Fault) {
            let environment = ProcessInfo.processInfo.environment
            destinations = file.isEmpty ? DestinationFile() : try DestinationFile(file, environment: environment)
        } catch {
            throw FarmSettings.Fault(lines: [error.message])
        }
    }
}
