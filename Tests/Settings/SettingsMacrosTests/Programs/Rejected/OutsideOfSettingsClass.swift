import StoredSettings

final class Appearance {
    // error: '@Setting' needs '@ObservableSettings' on the class that declares the property
    @Setting var a = 1
    // error: '@Secret' needs '@ObservableSettings' on the class that declares the property
    @Secret var b = ""
    // error: '@Synced' needs '@ObservableSettings' on the class that declares the property
    @Synced var c = ""
}
