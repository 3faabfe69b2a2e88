import Bridge
import Foundation
import Hummingbird
import Printers
import Recorder

/// What the recorder kept of a printer: clips of its events, and pictures of its print's moments.
extension Routes {
    /// Seconds after which a clip that is not written yet may be there.
    private static let retryDelay = 5

    func clips(_ context: PageContext) throws -> Response {
        .json(access.keptPictures(of: try printer(context).id).clipDocument)
    }

    /// A film or a picture of a clip, or a part of it: browsers move about in a film by its parts.
    func clip(_ request: Request, _ context: PageContext) async throws -> Response {
        let (id, file, type) = try file(context)
        guard let clips = access.clips, let name = ClipName(id, file), let kind = ClipFolder.FileKind(rawValue: type),
            let state = clips.state(of: name)
        else { throw HTTPError(.notFound) }
        let path = clips.file(name, kind)
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            guard state == .promised else { throw HTTPError(.notFound) }
            return .unavailable("The clip is not written yet.", retryAfter: Self.retryDelay)
        }
        var response = Response.camera(kind == .film ? "video/mp4" : "image/jpeg", context, ResponseBody())
        response.headers[.acceptRanges] = "bytes"
        // A range is for GET only (RFC 9110, section 14.2). A film has no validator, so no `If-Range` names it (13.1.5).
        let asksForPart = request.method == .get && request.headers[.ifRange] == nil
        let range = asksForPart ? request.headers[.range] : nil
        switch ByteRange(range, of: size) {
        case .whole:
            response.body = try await FileIO().loadFile(path: path, context: context)
        case .part(let bytes):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(size)"
            response.body = try await FileIO().loadFile(path: path, range: bytes, context: context)
        case .unsatisfiable:
            response.status = .rangeNotSatisfiable
            response.headers[.contentRange] = "bytes */\(size)"
        }
        return response
    }

    func moment(_ context: PageContext) throws -> Response {
        let (id, file, type) = try file(context)
        guard type == "jpg", let moment = PrintMoment(rawValue: file),
            let picture = access.snapshots[PublishedPicture(of: id, moment)], !picture.jpeg.isEmpty
        else { throw HTTPError(.notFound) }
        return .camera("image/jpeg", context, ResponseBody(byteBuffer: ByteBuffer(bytes: picture.jpeg)))
    }

    private func file(_ context: PageContext) throws -> (id: PrinterID, name: String, type: String) {
        let parts = context.parameters.get("file")?.split(separator: ".", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2 else { throw HTTPError(.notFound) }
        return (try printer(context).id, parts[0], parts[1])
    }
}
