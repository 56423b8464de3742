/// Calls `sharing_testing_start`, of SharingTesting, before a program's `main`. Swift itself has no
/// code that runs because a module is linked.
