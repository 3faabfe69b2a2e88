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
    @SettingsIgnored var bookend: Bookend?

    convenience init(books: Int) {
        self.init(store: InMemorySettingsStore())
        self.books = books
    }
}

private final class Bookend: Sendable {
    let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

@Suite("Forms of a declaration")
struct DeclarationFormsTests {
    @Test func `A block comment reaches the schema as lines do: its first paragraph`() {
        #expect(Shelf.schema["books"]?.documentation == "How many books it holds.")
        #expect(Shelf.schema["width"]?.documentation == "In centimetres.")
    }

    @Test(arguments: [(7, 7), (nil, nil), (11, 2)] as [(Int?, Int?)])
    func `An optional is nil, or in its range`(assigned: Int?, inForce: Int?) {
        let shelf = Shelf(books: 1)
        shelf.level = 2
        shelf.level = assigned
        #expect(shelf.level == inForce)
    }

    @Test func `The end of an object in an ignored variable may read the variable`() async {
        await #expect(processExitsWith: .success) {
            let shelf = Shelf(books: 1)
            shelf.bookend = Bookend { [weak shelf] in _ = shelf?.bookend }
            shelf.bookend = nil
        }
    }
}
