import HTTPAPI
import LocalFarm
import Logging

extension ServerCertificate {
    /// The certificate that the settings name; nil where they name none.
    /// - Throws: `FarmSettings.Fault`, also where the files cannot be used.
    static func read(_ settings: FarmSettings, logger: Logger) throws -> ServerCertificate? {
        let (certificate, key) = (try settings.text(.tlsCertificate), try settings.text(.tlsKey))
        guard !certificate.isEmpty || !key.isEmpty else { return nil }
        guard !certificate.isEmpty, !key.isEmpty else {
            throw FarmSettings.Fault(lines: [
                "\(SettingKey.tlsCertificate.flag) and \(SettingKey.tlsKey.flag) go together; give both"
            ])
        }
        do throws(Fault) {
            return try ServerCertificate(certificate: certificate, key: key, logger: logger)
        } catch {
            throw FarmSettings.Fault(lines: ["\(error)"])
        }
    }
}
