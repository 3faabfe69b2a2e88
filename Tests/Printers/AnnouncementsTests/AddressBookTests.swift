import PrinterSamples
import Testing

@testable import Announcements
@testable import Printers

@Suite("What a new address means")
struct AddressBookTests {
    private typealias Book = AddressBook

    private static let (old, new, third) = ("192.0.2.7", "192.0.2.8", "192.0.2.9")

    private func book(follows: Bool = false, address: String = old) -> Book {
        var book = Book()
        book.set("one", .init(serial: "00M00A000000001", address: address, followsAddress: follows))
        return book
    }

    @discardableResult
    private func announce(
        _ book: inout Book,
        _ address: String,
        at times: Double...,
        serial: String = "00M00A000000001"
    ) throws -> [Book.Decision] {
        let datagram = PrinterAnnouncementTests.notify(serial: serial)
        let announcement = try #require(PrinterAnnouncement(datagram, from: address))
        return times.flatMap { book.handle(announcement, now: $0) }
    }

    @Test func `An address that is announced twice while the old one is silent is looked at, once`() throws {
        var book = book()
        #expect(try announce(&book, Self.old, at: 0) == [])
        #expect(try announce(&book, Self.new, at: 29) == [], "the old one was heard of a moment ago")
        #expect(try announce(&book, Self.new, at: 31) == [], "once is nothing")
        #expect(try announce(&book, Self.new, at: 34) == [.verify("one", address: Self.new)])
        #expect(try announce(&book, Self.new, at: 37) == [])
        #expect(try announce(&book, Self.new, at: 335) == [], "one after a long silence")
        #expect(try announce(&book, Self.new, at: 340) == [.verify("one", address: Self.new)])
    }

    @Test func `While the old address is announced, another one is somebody else's`() throws {
        var book = book(follows: true)
        for second in stride(from: 0.0, to: 300, by: 4) {
            #expect(try announce(&book, Self.old, at: second) == [])
            #expect(try announce(&book, Self.new, at: second + 1) == [])
        }
    }

    @Test func `A new address is followed if proven and wanted, and otherwise proposed to people once`() throws {
        for (follows, proof, expected) in [
            (true, AnnouncedAddress.Proof.proven, Book.Decision.follow("one", address: Self.new)),
            (false, .proven, .propose("one", AnnouncedAddress(Self.new, .proven))),
            (true, .claimed, .propose("one", AnnouncedAddress(Self.new, .claimed))),
            (false, .claimed, .propose("one", AnnouncedAddress(Self.new, .claimed))),
        ] {
            var book = book(follows: follows)
            try announce(&book, Self.new, at: 0, 4)
            #expect(book.judge("one", address: Self.new, proof) == expected)
            if case .propose = expected {
                #expect(book.judge("one", address: Self.new, proof) == nil, "it has been proposed")
            }
        }
    }

    @Test func `A stand-in that claims to be the printer does not replace a proven address`() throws {
        var book = book()
        for address in [Self.new, Self.third] {
            try announce(&book, address, at: 0, 4)
        }
        #expect(book.judge("one", address: Self.third, .claimed) == .propose("one", .init(Self.third, .claimed)))
        #expect(book.judge("one", address: Self.new, .proven) == .propose("one", .init(Self.new, .proven)))
        for address in [Self.third, Self.new] { #expect(book.judge("one", address: address, .claimed) == nil) }
    }

    @Test func `Nothing follows from a wrong certificate, a changed address or a removed printer`() throws {
        var book = book(follows: true)
        try announce(&book, Self.new, at: 0, 4)
        #expect(book.judge("one", address: Self.new, nil) == nil)
        #expect(book.judge("one", address: Self.third, .proven) == nil)
        var moved = book
        try announce(&moved, Self.old, at: 5)
        #expect(moved.judge("one", address: Self.new, .proven) == nil, "the printer is where it was")
        book.set("one", nil)
        #expect(book.judge("one", address: Self.new, .proven) == nil)
        #expect(try announce(&book, Self.new, at: 8) == [])
    }

    @Test func `Whoever announces another address by turns does not hide the new one`() throws {
        var book = book(follows: true)
        var decisions: [Book.Decision] = []
        for second in stride(from: 0.0, to: 40, by: 4) {
            decisions += try announce(&book, Self.third, at: second)
            decisions += try announce(&book, Self.new, at: second + 1)
        }
        #expect(decisions.contains(.verify("one", address: Self.new)))
    }

    @Test func `A proposed address is followed as soon as wanted, and dropped when the printer is back`() throws {
        var book = book()
        try announce(&book, Self.new, at: 0, 4)
        #expect(book.judge("one", address: Self.new, .proven) == .propose("one", AnnouncedAddress(Self.new, .proven)))
        book.set("one", .init(serial: "00M00A000000001", address: Self.old, followsAddress: true))
        var back = book
        #expect(try announce(&back, Self.old, at: 8) == [.propose("one", nil)])
        #expect(try announce(&book, Self.new, at: 400, 404) == [.verify("one", address: Self.new)])
        #expect(book.judge("one", address: Self.new, .claimed) == nil, "people know that already")
        #expect(book.judge("one", address: Self.new, .proven) == .follow("one", address: Self.new))
    }

    @Test func `A claimed address is verified again because a newly pinned certificate may prove it`() throws {
        var book = book()
        #expect(try announce(&book, Self.new, at: 0, 4) == [.verify("one", address: Self.new)])
        _ = book.judge("one", address: Self.new, .claimed)
        #expect(try announce(&book, Self.new, at: 8) == [])
        #expect(try announce(&book, Self.new, at: 400, 404) == [.verify("one", address: Self.new)])
        let proven = AnnouncedAddress(Self.new, .proven)
        #expect(book.judge("one", address: Self.new, .proven) == .propose("one", proven))
        #expect(try announce(&book, Self.new, at: 800, 804) == [], "nothing is left to find out")
    }

    @Test func `However many printers are announced at one address, it is looked at once a minute`() throws {
        var book = Book()
        for number in 0..<10 {
            book.set(try #require(PrinterID("p\(number)")), .init(serial: "00M00A00000000\(number)", address: Self.old))
        }
        var looks = 0
        for second in 0..<60 {
            for number in 0..<10 {
                looks += try announce(&book, Self.new, at: Double(second), serial: "00M00A00000000\(number)").count
            }
        }
        #expect(looks == 1)
    }

    @Test func `Unknown serials, and printers configured by name, are left alone`() throws {
        var book = book(address: "printer.local")
        for second in 0..<4 {
            #expect(try announce(&book, Self.new, at: Double(second) * 4) == [])
            #expect(try announce(&book, Self.new, at: Double(second) * 4, serial: "99Z99Z999999999") == [])
        }
    }

    @Test func `Whoever announces a thousand addresses makes us look at four`() throws {
        var book = book(follows: true)
        var checks = 0
        for number in 0..<1000 {
            for second in [0.1, 0.2] {
                let address = "198.51.\(number / 250).\(number % 250)"
                checks += try announce(&book, address, at: Double(number) / 10 + second).count
            }
        }
        #expect(checks == 4)
    }

    @Test func `Two entries for one printer are both told`() throws {
        var book = book()
        book.set("two", .init(serial: "00M00A000000001", address: Self.third))
        var decisions = try announce(&book, Self.new, at: 0, 4)
        #expect(decisions.count == 1, "not twice within a minute")
        for second in stride(from: 8.0, through: 66, by: 4) { decisions += try announce(&book, Self.new, at: second) }
        #expect(Set(decisions) == [.verify("one", address: Self.new), .verify("two", address: Self.new)])
        book.set("two", .init(serial: "00M00A000000002", address: Self.third))
        #expect(try announce(&book, Self.new, at: 400, 404) == [.verify("one", address: Self.new)])
    }
}
