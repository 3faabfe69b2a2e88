/// How this program was installed, which decides what a person types or presses.
package enum Installation: Sendable, Hashable {
    case plain
    /// The settings belong to a service's user; `program` is what to type in the place of `printer2mqtt`.
    case service(program: String)
    /// In a container; `name` is what the host calls the container.
    case container(name: String)
    /// Home Assistant's add-on, where people have the page and no command line.
    case addOn

    /// What to type in the place of `printer2mqtt`.
    package var program: String {
        switch self {
        case .plain, .addOn: "printer2mqtt"
        case .service(let program): program
        case .container(let name): "docker exec -it \(name) printer2mqtt"
        }
    }

    /// How to get the vendor's authorities, as a part of a sentence.
    package var getAuthorities: String {
        self == .addOn
            ? "press 'Get the vendor's authorities' on the bridge's page" : "run '\(program) authorities get'"
    }

    /// A text whose commands begin with ``program``.
    package func naming(_ text: String) -> String { text.replacing("'printer2mqtt ", with: "'\(program) ") }
}
