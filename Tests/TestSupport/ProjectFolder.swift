package import Foundation

/// The folder with `Package.swift`, for tests that read documents, configuration or sources of the project.
package let projectFolder: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        folder.deleteLastPathComponent()
    }
    return folder
}()
