// A program that imports WasiStorage has the codec, too.
@_exported import SharingJSON
