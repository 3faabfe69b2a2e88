import TestSupport

extension Collection {
    func randomElement(using random: inout SeededGenerator, default other: Element) -> Element {
        randomElement(using: &random) ?? other
    }
}
