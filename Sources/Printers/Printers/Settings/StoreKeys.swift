// A program that imports Bridge can name the key of a store, and what seals with it.
@_exported public import struct OpenSSL.SealingKey
@_exported public import struct SettingsSecrets.StoreSealer
