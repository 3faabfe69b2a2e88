import Foundation
import TestSupport

/// Applies what the compiler offers, which it writes down in the way of clang's.
enum FixIts {
    /// The library beside the compiler; nil where the toolchain has none.
    static let library: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let compilers = folders.map { URL(filePath: $0).appending(path: "swiftc").resolvingSymlinksInPath() }
        return compilers.map { $0.deletingLastPathComponent().appending(path: "../lib/libclang.so").standardized }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    /// The source with every fix-it applied, and with something in the place of each placeholder.
    static func apply(to source: String) async throws -> String {
        let folder = try TemporaryDirectory()
        let (file, diagnostics) = (folder.file("Source.swift"), folder.file("Source.dia"))
        try Data(source.utf8).write(to: file)
        let flags = ["-serialize-diagnostics-path", diagnostics.path].flatMap { ["-Xfrontend", $0] }
        _ = try await compilerOutput(for: source, flags: flags)
        let script = try ChildProcess(
            "/usr/bin/python3",
            ["-c", reader, library?.path ?? "", diagnostics.path, file.path],
            log: folder.file("fixed")
        )
        let status = await script.exitStatus()
        guard status == 0 else { throw TestFailure("reading \(diagnostics.path) ended with \(status)") }
        return script.output.replacing("<#Type#>", with: "Int").replacing("<#default#>", with: "1")
    }

    private static let reader = """
        import sys
        from ctypes import *
        clang = CDLL(sys.argv[1])
        class String(Structure): _fields_ = [("data", c_void_p), ("flags", c_uint)]
        class Location(Structure): _fields_ = [("data", c_void_p * 2), ("number", c_uint)]
        class Range(Structure): _fields_ = [("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint)]
        def function(name, result, *arguments):
            call = getattr(clang, "clang_" + name)
            call.restype, call.argtypes = result, arguments
            return call
        load = function("loadDiagnostics", c_void_p, c_char_p, POINTER(c_int), POINTER(String))
        count = function("getNumDiagnosticsInSet", c_uint, c_void_p)
        diagnostic = function("getDiagnosticInSet", c_void_p, c_void_p, c_uint)
        children = function("getChildDiagnostics", c_void_p, c_void_p)
        count_fixes = function("getDiagnosticNumFixIts", c_uint, c_void_p)
        fix = function("getDiagnosticFixIt", String, c_void_p, c_uint, POINTER(Range))
        text = function("getCString", c_char_p, String)
        start, end = function("getRangeStart", Location, Range), function("getRangeEnd", Location, Range)
        place = function("getFileLocation", None, Location, *[POINTER(c_void_p)] + [POINTER(c_uint)] * 3)
        file_name = function("getFileName", String, c_void_p)
        def offset(location):
            file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
            place(location, file, line, column, offset)
            return (text(file_name(file)) or b"").endswith(b"/Source.swift"), offset.value
        def fixes(diagnostics):
            for one in (diagnostic(diagnostics, i) for i in range(count(diagnostics))):
                for i in range(count_fixes(one)):
                    where = Range()
                    new = text(fix(one, i, where))
                    (is_ours, first), (_, last) = offset(start(where)), offset(end(where))
                    if is_ours: yield first, last, new
                yield from fixes(children(one))
        source = open(sys.argv[3], "rb").read()
        for first, last, new in sorted(set(fixes(load(sys.argv[2].encode(), c_int(), String()))), reverse=True):
            source = source[:first] + new + source[last:]
        sys.stdout.buffer.write(source)
        """
}
