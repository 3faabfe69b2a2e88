import CameraProtocols
import Cameras
import Foundation
import HTTP
package import OpenSSL
import Platform
package import Printers

extension VendorAuthorities {
    /// Downloads authorities, and keeps the trusted ones among them.
    ///
    /// It takes 20 seconds at most, and follows no redirect. The address is an `https` URL; nil is ``source``. Throws an
    /// ``AuthoritiesFault``.
    package func download(from address: String? = nil, trust: TrustPolicy = .system) async throws {
        let address = address ?? source
        guard let url = URL(string: address), url.scheme == "https" else {
            throw AuthoritiesFault("the address must begin with https://")
        }
        let client = HTTPClient(bodyLimit: Self.sizeLimit) { try TLSContext.shared(trust: trust) }
        let response: HTTPResponse
        do {
            response = try await client.send(HTTPRequest(url), within: .seconds(20))
        } catch let failure as HTTPFailure {
            let advice = "download \(address) on another machine, and run 'printer2mqtt authorities get --from FILE'"
            throw AuthoritiesFault("the download failed: \(failure). Check the network, or \(advice)")
        }
        guard response.isSuccess else {
            throw AuthoritiesFault("the download failed: \(address) answers with status \(response.status)")
        }
        try keep(response.body, from: address)
    }
}

extension BridgeAccess {
    package var authorities: VendorAuthorities? { dependencies.probe.trust.authorities }

    /// Gets the vendor's authorities, and probes again each printer that was not proven.
    package func getAuthorities() async throws {
        try await authorities?.download()
        for printer in printers where printer.stream.report?.failure?.reason == .serverUnproven {
            _ = await handler.probes.probeSoon(printer.id)
        }
    }
}
