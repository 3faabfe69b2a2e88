import Bridge
import Hummingbird
import StoredSettings

extension Routes {
    func getAuthorities() async throws -> Response {
        guard let authorities = access.authorities else { throw HTTPError(.notFound) }
        do {
            try await access.getAuthorities()
        } catch let fault as AuthoritiesFault {
            return .fault("", access.registry.installation.naming(fault.description))
        }
        return .json(["kept": .array(authorities.kept.map { .string($0.report.commonName ?? "") })])
    }
}
