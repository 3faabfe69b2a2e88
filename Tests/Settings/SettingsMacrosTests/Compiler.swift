import Foundation
import TestSupport

/// What a user's compiler says of a source: the real one, with the module and the plugin that were built for these tests.
func compilerOutput(for source: String, flags: [String] = []) async throws -> String {
    await slots.enter()
    defer { slots.leave() }
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "Source.swift")
    try Data(source.utf8).write(to: file)
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let plugin = products.appending(path: "SettingsMacros-tool").path
    let compiler = try ChildProcess(
        "swiftc",
        // Beyond the types: some things are told by later passes only.
        ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-diagnostic-style", "llvm"]
            + ["-module-name", "Example"] + flags
            + ["-I", products.appending(path: "Modules").path, "-load-plugin-executable", "\(plugin)#SettingsMacros"]
            + [file.path],
        // It tells where the generated sources are.
        environment: ["TMPDIR": "/tmp"],
        log: folder.url.appending(path: "diagnostics")
    )
    let status = await compiler.exitStatus(timeout: .seconds(120))
    guard status < 2 else { throw TestFailure("the compiler ended with \(status):\n\(compiler.output)") }
    return compiler.output.replacingOccurrences(of: folder.url.path + "/", with: "")
}

/// As many compilers run at once as there are processors.
private let slots = Turnstile(places: ProcessInfo.processInfo.activeProcessorCount)

/// The errors among it, one line each.
func compilerErrors(in source: String, flags: [String] = []) async throws -> [String] {
    try await compilerOutput(for: source, flags: flags).split(separator: "\n").map(String.init)
        .filter { $0.contains("error:") }
}

/// The files of a folder with an ending, sorted.
func fileNames(in folder: URL, suffix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(suffix) }.sorted()
}
