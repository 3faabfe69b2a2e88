import Hummingbird

/// Adds to every answer what keeps browsers from doing more with it than the page needs.
struct SecurityHeaders: RouterMiddleware {
    typealias Context = PageContext

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src \(PageFile.styleSource); img-src 'self'; media-src 'self' blob:; \
        connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'
        """

    func handle(
        _ request: Request,
        context: PageContext,
        next: @concurrent (Request, PageContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = .text("\(error.status.reasonPhrase).\n", status: error.status)
        } catch {
            response = .text("\(error)\n", status: .internalServerError)
        }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = "no-store"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.resourcePolicy] = response.headers[.resourcePolicy] ?? "same-origin"
        return response
    }
}
