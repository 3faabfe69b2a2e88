/// The beginnings of the names of scopes that list published topics; the name of the owner follows.
package enum StoreScope {
    /// The retained topics of the bridge and of each printer, see `Manifest` in Bridge.
    package static let topics = "manifest/"
    package static let snapshots = "snapshots/"
}
