import Bridge
import Hummingbird
import StoredSettings

/// The vendor's authorities.
extension Routes {
    func getAuthorities() async throws -> Response {
        guard let authorities = access.authorities else { throw HTTPError(.notFound) }
        do {
            try await access.getAuthorities()
        } catch let fault as AuthoritiesFault {
            return .faults([ValidationError(path: "", code: .invalidValue, message: fault.description)])
        }
        return .json(["kept": .array(authorities.kept.map { .string($0.report.commonName ?? "") })])
    }
}
