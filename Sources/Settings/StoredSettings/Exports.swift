// What settings are made of, so that a program that imports StoredSettings has it.
@_exported public import JSON
@_exported public import Secrets

@_exported public import class Concurrency.LockedValue
