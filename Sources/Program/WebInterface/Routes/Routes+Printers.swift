import Bridge
import Hummingbird
import NIOCore
import Printers
import ServiceLifecycle
import StoredSettings

extension Routes {
    func configuration(_ context: PageContext) throws -> Response {
        .json(access.configuration(of: try printer(context)))
    }

    func snapshot(_ context: PageContext) throws -> Response {
        guard let picture = access.snapshots[try id(context)] else { throw HTTPError(.notFound) }
        return .file(picture.jpeg, type: "image/jpeg")
    }

    func change(_ request: Request, _ context: PageContext) async throws -> Response {
        let id = try printer(context).id
        let result = await access.change(id, try await fields(of: request))
        guard let result, [.applied, .unchanged].contains(result.status) else {
            let faults = result?.errors ?? []
            return faults.isEmpty ? .fault("", "was changed too often: wait some seconds") : .faults(faults)
        }
        return .json(["status": .string(result.status.rawValue)])
    }

    func getAuthorities() async throws -> Response {
        guard let authorities = access.authorities else { throw HTTPError(.notFound) }
        do {
            try await cancelWhenGracefulShutdown { try await access.getAuthorities() }
        } catch let fault as AuthoritiesFault {
            return .fault("", access.registry.installation.naming(fault.description))
        }
        return .json(["kept": .array(authorities.kept.map { .string($0.report.commonName ?? "") })])
    }

    func perform(_ request: Request, _ context: PageContext) async throws -> Response {
        let verb = context.parameters.getCatchAll().joined(separator: "/")
        let body = try await request.body.collect(upTo: Self.bodyLimit)
        switch await access.perform(verb, payload: Array(buffer: body)) {
        case .success(let data): return .json(["data": data])
        case .failure(let failure): return .faults(failure.faults)
        }
    }
}
