// Empty: libFuzzer brings `main`, and SwiftPM would give a program in Swift another one.
