/// Guards the observer trees of all cells, and what observers know of their dependencies.
///
/// Locks are taken in this order: a handle's, a cell's, this one. It is held briefly, and never
/// while foreign code runs, so one lock for all trees cannot deadlock; a value without observers
/// never takes it.
let graphLock = Lock()
