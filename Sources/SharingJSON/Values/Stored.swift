/// Makes a struct or an enum a stored type, by writing the code that reads and writes its JSON.
///
/// ```swift
/// @Stored struct Todo: Identifiable {
///   var id = UniqueID()
///   var title: UTF8Text = ""
///   @Name("due_date") var due: Timestamp? = nil
///   @NotStored var isSelected = false
/// }
/// @Stored enum Shape { case circle(radius: Double), none }
/// ```
///
/// A struct becomes a ``JSONCodable`` whose ``JSONFields/fields(_:)`` lists its stored `var`s in
/// their order. Each has a default, which is used if a stored object lacks the field, or is marked
/// as ``Required()``.
///
/// An enum with raw values is stored as its raw value. An enum whose cases have no values is stored
/// as the name of its case. If a case has values, each case is stored as by `Codable`:
/// `{"circle":{"radius":1}}`, `{"none":{}}`, with `_0` for a value without a name.
@attached(
  extension, conformances: JSONCodable, JSONFields, JSONValue,
  names: named(init), named(fields), named(decode), named(encode), named(_memberWriter))
@attached(member, names: named(init))
public macro Stored() = #externalMacro(module: "SharingMacros", type: "Stored")

/// Gives a property of a ``Stored()`` type another name in JSON.
///
/// ```swift
/// @Name("due_date") var due: Timestamp? = nil
/// ```
///
/// - Parameter name: the member's name, a literal of any text.
@attached(peer)
public macro Name(_ name: StaticString) = #externalMacro(module: "SharingMacros", type: "Name")

/// Makes a stored object without this property an error, in place of a default.
///
/// ```swift
/// @Stored struct Todo: Identifiable {
///   var id = UniqueID()
///   @Required var title: UTF8Text
/// }
/// ```
///
/// Such a field has no sensible default: of an import of `[{"name":"Milk"}]`, a default would make
/// a blank element. Reading it throws a ``JSONError`` that says `[0].title`; a key sets it as
/// `loadError`, and overwrites nothing. The property has a type and no default. A struct with such
/// properties has no `init()`, so it is a ``JSONFields`` and no ``JSONCodable``.
@attached(peer)
public macro Required() = #externalMacro(module: "SharingMacros", type: "Required")

/// Leaves a property of a ``Stored()`` type out of its JSON: after loading it has its default.
///
/// ```swift
/// @NotStored var isSelected = false
/// ```
@attached(peer)
public macro NotStored() = #externalMacro(module: "SharingMacros", type: "NotStored")
