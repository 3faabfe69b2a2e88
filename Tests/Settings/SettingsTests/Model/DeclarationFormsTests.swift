import StoredSettings
import Testing

@ObservableSettings(prefix: "")
private final class Shelf {
    // swift-format-ignore: UseTripleSlashForDocumentationComments
    /**
     * How many books
     * it holds.
     *
     * Not a word of this.
     */
    var books = 3
    // swift-format-ignore: UseTripleSlashForDocumentationComments
    /** In centimetres. */
    var width = 80
    @Setting(in: 1...10) var level: Int?

    convenience init(books: Int) {
        self.init(store: InMemorySettingsStore())
        self.books = books
    }
}

private let store = InMemorySettingsStore()

@ObservableSettings(store: store) private final class Chest { var lids = 1 }

@ObservableSettings(prefix: "")
private final class Drawer {
    private enum Lock: String, SettingRepresentable { case open, closed }

    var depth = 1
    #if MISSING
        var height = 2
    #else
        var height = 3
    #endif
    private var lock = Lock.closed
    var isOpen: Bool { lock == .open }

    func open() { lock = .open }
    func forget() { storage.reset(Self.privateKeys.lock) }
}

@Suite("Forms of a declaration")
struct DeclarationFormsTests {
    @Test("A block comment reaches the schema as lines do: its first paragraph")
    func blockComments() {
        #expect(Shelf.schema["books"]?.documentation == "How many books it holds.")
        #expect(Shelf.schema["width"]?.documentation == "In centimetres.")
    }

    @Test("A store may have the name of an argument of the initialiser that uses it")
    func storeCalledStore() { #expect(Chest().storage.store === store) }

    @Test("A convenience initialiser leaves those that are generated")
    func convenience() { #expect(Shelf(books: 5).books == 5) }

    @Test("An optional is nil, or in its range", arguments: [(7, 7), (nil, nil), (11, 2)] as [(Int?, Int?)])
    func optionalRange(assigned: Int?, inForce: Int?) {
        let shelf = Shelf(books: 1)
        shelf.level = 2
        shelf.level = assigned
        #expect(shelf.level == inForce)
    }

    @Test("What is compiled under a condition is declared under it, in its place")
    func conditions() {
        #expect(Drawer.schema.descriptors.map(\.name) == ["depth", "height", "lock"])
        #expect(Drawer(store: InMemorySettingsStore()).height == 3)
    }

    @Test("A setting may be of a type that only its class knows")
    func privateType() async throws {
        let store = InMemorySettingsStore()
        let drawer = Drawer(store: store)
        drawer.open()
        try await drawer.commit()
        #expect(store.record("SettingsTests.Drawer")?.values == ["lock": "open"])
        #expect(drawer.isOpen)
        drawer.forget()
        #expect(!drawer.isOpen)
    }
}
