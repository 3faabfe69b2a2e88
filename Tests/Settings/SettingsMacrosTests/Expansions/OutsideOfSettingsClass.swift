import StoredSettings

final class Appearance {
    @Setting var a = 1
    @Secret var b = ""
    @Synced var c = ""
}
