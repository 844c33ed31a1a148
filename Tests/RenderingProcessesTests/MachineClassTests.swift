import RenderingProcesses
import Testing

@Suite("The class of a machine")
struct MachineClassTests {
    @Test("Is the processor's model and the number of processors")
    func model() {
        let text = """
            processor\t: 0
            vendor_id\t: AuthenticAMD
            model\t\t: 49
            model name\t: AMD EPYC 7B12
            flags\t\t: fpu vme

            processor\t: 1
            model name\t: another
            """
        #expect(MachineClass.name(cpuInfo: text, architecture: "x86_64", processors: 8) == "AMD EPYC 7B12, 8 processors")
        #expect(MachineClass.name(cpuInfo: text, architecture: "x86_64", processors: 1) == "AMD EPYC 7B12, 1 processor")
    }

    @Test("Is made of the numbers of maker and part where no model is named")
    func arm() {
        let text = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
        #expect(
            MachineClass.name(cpuInfo: text, architecture: "aarch64", processors: 4) == "aarch64 0x41 0xd0c, 4 processors")
    }

    @Test(
        "Is the architecture where the file says nothing, and never long",
        arguments: ["", "nonsense", "model name\t:\n", ": x", "model name\n", "\n\n"])
    func nothing(_ text: String) {
        #expect(MachineClass.name(cpuInfo: text, architecture: "riscv64", processors: 2) == "riscv64, 2 processors")
        let long = MachineClass.name(
            cpuInfo: "model name: \(String(repeating: "x", count: 10_000))", architecture: "a", processors: 2)
        #expect(long.count < 100)
    }

    @Test("Of this machine is there, and stays the same")
    func own() {
        #expect(MachineClass.ofThisMachine.hasSuffix(" processors") || MachineClass.ofThisMachine.hasSuffix(", 1 processor"))
    }
}
