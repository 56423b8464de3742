/// Guards the observer trees of all cells, and the dependencies of observers.
///
/// Locks are taken in this order: a handle's, a cell's, this one. It is held briefly and never
/// while foreign code runs, so one lock for all trees cannot deadlock. Changes of a value without
/// observers do not take it.
let graphLock = Lock()
