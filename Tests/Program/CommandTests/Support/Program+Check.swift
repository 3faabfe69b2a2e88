import TestSupport
import Testing

extension Program {
    /// Runs a command to its end, and expects its exit status and texts in what it says.
    @discardableResult
    func check(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil,
        status: Int32 = 0,
        says texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let (found, output) = try await run(arguments, environment: environment, input: input)
        #expect(found == status, "\(output)", sourceLocation: sourceLocation)
        for text in texts { #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation) }
        return output
    }
}
