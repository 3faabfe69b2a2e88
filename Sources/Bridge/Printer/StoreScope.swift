/// The beginnings of the names of scopes that list published topics; the name of the owner follows.
enum StoreScope {
    /// The retained topics of the bridge and of each printer, see ``Manifest``.
    static let topics = "manifest/"
    /// The topics of pictures.
    static let snapshots = "snapshots/"
}
