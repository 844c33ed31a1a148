import LocalFarm
import Testing

@Suite("Ages and sizes in settings")
struct AmountTests {
    @Test(
        "An age is a whole number with a unit",
        arguments: [("90min", 5400.0), ("12h", 43_200), ("30d", 2_592_000), ("2w", 1_209_600), ("0d", 0)])
    func ages(_ text: String, _ seconds: Double) {
        #expect(Amount.age(text) == .some(.some(seconds)))
    }

    @Test(
        "A size is a whole number with a unit", arguments: [("1MB", 1_000_000 as Int64), ("50GB", 50_000_000_000), ("0TB", 0)])
    func sizes(_ text: String, _ bytes: Int64) {
        #expect(Amount.size(text) == .some(.some(bytes)))
    }

    @Test("The word never is no limit")
    func never() {
        #expect(Amount.age("never") == .some(nil) && Amount.size("never") == .some(nil))
    }

    @Test(
        "What has no unit, another sign, a fraction, or is too large is refused",
        arguments: [
            "", "30", "d", "-3d", "+3d", "1.5h", "3 d", "3D", "3days", "٣d", "99999999999999999999d", "36526d",
            "9223372036854775807TB",
            "50gb", "10GiB", "2000000TB", " 1h",
        ])
    func refused(_ text: String) {
        #expect(Amount.age(text) == nil && Amount.size(text) == nil)
    }

    @Test("A faulty value of a setting is an error with the forms that are possible")
    func settings() throws {
        let settings = try FarmSettings(
            flags: [.keepJobs: "soon", .keepArtifactsSize: "big", .keepJobsCount: "-1", .keepExportsCount: "never"],
            environment: [:], file: nil)
        let age = #expect(throws: FarmSettings.Fault.self) { try settings.age(.keepJobs) }
        #expect(age?.lines == ["keepJobs has to be \(Amount.ageForm), not 'soon'"])
        let size = #expect(throws: FarmSettings.Fault.self) { try settings.size(.keepArtifactsSize) }
        #expect(size?.lines == ["keepArtifactsSize has to be \(Amount.sizeForm), not 'big'"])
        for key in [SettingKey.keepArtifactsSize, .keepExportsCount] {
            let text = try settings.text(key)
            let bounded = #expect(throws: FarmSettings.Fault.self) { try settings.boundedSize(key) }
            #expect(
                bounded?.lines == [
                    "\(key.rawValue) has to be a whole number and MB, GB or TB, such as 50GB, not '\(text)'"
                ])
        }
        #expect(try settings.boundedSize(.storeCacheSize) == 50_000_000_000)
        #expect(throws: FarmSettings.Fault.self) { try settings.count(.keepJobsCount) }
        #expect(try settings.count(.keepExportsCount) == nil)
    }
}
