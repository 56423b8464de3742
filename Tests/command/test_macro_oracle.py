"""The scanner of `@Stored` agrees with the toolchain's own parser on every declaration."""

import json
import pathlib
import random
import re
import subprocess

import pytest
from conftest import ROOT, call

SCANNER = [
    "Tokens", "Tokens+Literals", "Declarations", "Scanner", "Scanner+Members",
    "Scanner+Expressions",
]

TYPES = """Int|String?|[Int]|[String: [Int]]|Array<Int>|Dictionary<String, Array<Int>>
A.B<C>.D|(Int, b: Int)
(Int) -> Void|(inout Int, _ b: Int) async throws -> [Int]|@Sendable () -> Void
any P & Q|some P|Int??
((Int) -> Int)?|Set<A<B<C>>>|[(a: Int, b: String)]|`Type`|A.Type
(A<B>) throws(E) -> C<D>|~Copyable
@escaping @Sendable (Int) -> Int|Result<Int, any Error>
[Int: (Int, Int) -> Bool]|Ä<Ö>|[3 of Int]
A.some|A.any|any A.each|A.isolated?|Array<Array<Int> >"""

VALUES = r"""0|-1|0x1F|1_000.5e-3|0...9|"x"|"}{"|"\("(")"|"\(a ? "}" : "{")"|#"a"b\(x)"#
#"\#(y + "\(z)")"#|nil
{ $0 + 1 }|{ { "}" }() }()|[1, 2].map { $0 < 2 }|f { a in a } then: { b }
Dictionary<String, Int>()
Dictionary<String, Array<Int>>()|a < b|a > b|(a < b, c > (d))|f(a < b, c > d)
[:]|[1: 2, 3: 4]
/[/}"]+x/|/a\/b/|#/ a / b "/#|a / b / c|1 /* / } */ + 2|.some(.none)
.init(a: 1, b: { $0 })
if a { 1 } else { 2 }|switch a { case 1: "}"; default: "{" }|try? f()
try! f(a, b)|await f()|a as Int
a as? [String: Int] ?? [:]|a is B<C>|a!.b?.c|a ?? b ?? "c"|a ? b : c
x == 1 && !y || z|-a * -b|~a
f<Int>(1)|A<B>.c|A<B, C>.d|A<B<C>>.e|[A<B>]()|(A<B>)()|[String: A<B>]()|\A.b
\.c[0]?.d|#line
#selector(a.b)|{ (a: Int) -> Int in a }|{ [weak self] in self }
{ @Sendable in 1 }|"🦆é"|0..<n|...n
f(x)(y)[z]|x.map(\.a).filter { $0 > 1 }.count|x!|&+a|a &+ b|a<<1|a>>1|a<b|a>=b
a<=b|(1, (2, 3))|()
"a\\"|"\"{"|"\u{1F600}"|##"a"#b"##|unsafe x|consume x|repeat 1|A.self|[A].self
any P.self|_ = 1
.any|.copy|.some|.in|.is|.as|.if|.switch|.try|.await|.unsafe|a.b.consume|a?.any|f().as
-.any|a - .in|a-.in|\.any|\A.copy|a.0.is|.any // b|.any /* b */|`any`|.`is`|.init|.self
.is(1)|.as == .is|.as ? .is : .in|.is as? B|try a.as|a.is<B>(c)|a as B.some|a as! B.any
copy|unsafe|a + consume|a ?? any|0...some|f(as: 1, is: 2)|f { a } is: { b }|a.as { 1 } in: { 2 }
a is B && c|a is B || c|a as B &+ c|a as B ... c|a as B..<c|a as! B< C >|a as? A<B<C> >
if a, b { 1 } else { 2 }|if let a, case .b = c { 1 } else { 2 }|if a.is, b { 1 } else { 2 }
a.in/2, b = c.in/3|a ?? /}/|a ? /}/ : /{/"""

LONG_VALUES = [
    'a\n    .map { $0 }\n    .filter { !$0 }',
    'a +\n    b',
    'a\n    + b',
    'a\n    ?? b',
    'a\n    ? b\n    : c',
    'a\n    ? "}"\n    : c < d',
    'try\n    f()',
    'a\n    as? Int',
    'if a {\n    1\n  } else {\n    2\n  }',
    'if a {\n    1\n  }\n  else if b {\n    2\n  }\n  else { 3 }',
    'f(\n    a,\n    b\n  )',
    'f {\n    $0\n  }',
    '[\n    1,\n    2,\n  ]',
    '"""\n  } " \\("""\n  x\n  """) {\n  """',
    '#"""\n  """ \\(}\n  """#',
    '#"""#',
    '#""""#',
    '#"""a"""#',
    '##"""#"##',
    '#"""\\#(a)"#',
    'switch a {\n  case .b: 1\n  default: 2\n  }',
    'a // }\n    + b /* { */',
    'a\n\n    .b',
    'x!\n',
    '0...\n',
    'a && // {\n    b',
    '{\n    let a = 1\n    return a\n  }()',
    'a == b\n    && c < d\n    && e > (f)',
    'a\n    .is',
    'a +\n    .any',
    'a ?\n    .is :\n    .as',
    'a\n    .switch\n    .as()',
    '.any\n    ?? .is',
    'f {\n    1\n  } is: {\n    2\n  }',
    'f { 1 }\n    then: { 2 }\n    as: { 3 }',
    'try?\n    f()',
    'try!\n    f()',
    'if a { 1 } else\n    if b { 2 } else { 3 }',
    'if a,\n    b { 1 } else { 2 }',
]

MEMBERS = r"""func f() {}|func f<T>(_ a: T = "}") -> [T] where T: P { "}" }|init() {}
init?(a: Int) { nil }
subscript(a: Int) -> Int { get { 1 } set {} }|static let a = 1, b = { 2 }()
static var c: Int { 1 }
lazy var d = { 3 }()|var e: Int { 1 }|var f: Int { get { 1 } set { } }
typealias G = Dictionary<Int, Int>
struct H { var x: Int }|enum I { case a }|class J { var y = 1 }
@A(b: "}") @C func k() {}|mutating func l() {}
static func < (a: Self, b: Self) -> Bool { a.x < b.x }
static prefix func - (a: Self) -> Self { a }
func m() async throws(E) -> (Int) -> Void { { _ in } }
init<T>(_ a: T) where T: P<Int> {}|class func n() {}
typealias O<T> = (T) -> [T]|private(set) var p = 1
public internal(set) var q: Int = 1 { didSet { } }
var r = 1 { willSet { } didSet { } }|var s: Int = 1 { @A didSet { } }
let t = 1|let u: Int|#warning("}")
@available(*, deprecated, message: "{") var v = 1
nonisolated(unsafe) var w = 1|weak var x: A?
// } comment|/* { /* } */ */|/// doc|;|indirect enum Y { case b(Y) }
protocol Z { var a: Int { get } }
static let aa = .any|static let ab = A.is|lazy var ac = .as|enum AD { case any, copy }
typealias AE = A.any|func af(a: A = .as) -> A.some {}
@_extern(c) static func ag() -> Int|@A func ah() async throws(E) -> [Int] where T: P
@A init(ai: Int)|@A func at() -> B<C>|@A subscript(aj: Int) -> Int|@A func ak(); var al = 1
var ar: Int { nonmutating didSet {} }|var ap = 1 { @A(b()) didSet {} }
var aq: Int { @A.B<C> willSet {} }"""

LONG_MEMBERS = [
    'func am()\n  async\n  -> Int\n  where T: P\n  {}',
    'func an() ->\n  @Sendable () -> Void { {} }',
    '@A func ao() -> Int\n  // {\n  @B init()',
]


def split(text):
    return [item for line in text.splitlines() for item in line.split("|") if item]


# `||` is an operator in VALUES, which the split above would lose.
ALL_VALUES = split(VALUES.replace("||", "\0")) + LONG_VALUES
ALL_MEMBERS = split(MEMBERS) + LONG_MEMBERS


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """Builds the comparison; returns a function that runs it."""
    target = json.loads("".join(call("swiftc", "-print-target-info").shown))
    host = pathlib.Path(target["paths"]["runtimeResourcePath"]) / "host"
    if not (host / "SwiftParser.swiftmodule").exists():
        pytest.skip(f"this toolchain has no SwiftParser in {host}")
    program = tmp_path_factory.mktemp("oracle") / "oracle"
    files = [ROOT / f"Sources/StoredExpansion/{name}.swift" for name in SCANNER]
    built = call(
        *f"swiftc -swift-version 5 -I {host} -L {host} -lSwiftParser -lSwiftSyntax".split(),
        *f"-Xlinker -rpath -Xlinker {host} -o {program}".split(),
        *files, ROOT / "Tests/programs/MacroOracle/main.swift",
    )  # fmt: skip
    assert built.status == 0, built.errors

    def run(*files, sources=()):
        text = "\0".join(sources)
        done = subprocess.run([program, *files], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        counts = re.search(r"compared (\d+), refused (\d+), differences (\d+)", done.stdout)
        compared, refused, differences = map(int, counts.groups())
        assert differences == 0, done.stdout[-5000:]
        return compared, refused, done.stdout

    return run


def test_the_declarations_of_this_repository(compare):
    files = call("git", "ls-files", "*.swift", cwd=ROOT).shown
    compared, refused, output = compare(*[ROOT / file for file in files])
    assert compared > 500
    for line in output.splitlines():
        assert "refused:" not in line or "`#if` is among the members" in line, line
    assert refused < 5


FORMS = [
    (split(TYPES), "struct A { var a: % = x, b = 1\n  var c: Int }"),
    (split(TYPES), "struct A {\n  var a: %\n  var b: % { didSet {} }\n}"),
    (split(TYPES), "enum A { case a(b: %, %), c; case d(_ e: % = x) }"),
    (ALL_VALUES, "struct A {\n  var a = %\n  var b: Int = %\n}"),
    (ALL_VALUES, "struct A {\n  var a = %, b = %; var c = 1\n}"),
    (ALL_VALUES, "struct A {\n  var a = % { didSet { } }\n  var b = 1\n}"),
    (ALL_VALUES, "enum A { case a(b: Int = %), c(Int) }"),
    (ALL_MEMBERS, "struct A {\n  var a = 1\n  %\n  var b = 2\n}"),
    (ALL_MEMBERS, 'enum A: String {\n  case a = "}", `b`\n  %\n case c }'),
]


def hard_ones():
    for parts, form in FORMS:
        yield from (form.replace("%", part.replace("\0", "||")) for part in parts)


def test_hard_declarations(compare):
    sources = list(hard_ones())
    compared, refused, output = compare(sources=sources)
    assert compared > 300
    assert refused == 0, output


def test_random_programs(compare):
    randomness = random.Random(38)
    pick = lambda items: randomness.choice(items).replace("\0", "||")  # noqa: E731

    def member():
        if randomness.random() < 0.3:
            return pick(ALL_MEMBERS)
        name = pick(["a", "b", "`default`", "größe"])
        kind = randomness.randrange(4)
        type = pick(split(TYPES))
        attribute = pick(["", "@A ", '@Name("}") ', "private(set) ", "public\n  "])
        value = pick(ALL_VALUES)
        return attribute + [
            f"var {name} = {value}",
            f"var {name}: {type} = {value}",
            f"var {name}: {type}",
            f"var {name} = {value}, next: {type} = {pick(ALL_VALUES)}",
        ][kind]

    def program():
        members = "\n  ".join(member() for _ in range(randomness.randrange(1, 12)))
        return f"public struct A<B: C<D>>: E, F where B: G {{\n  {members}\n}}"

    compared, refused, output = compare(sources=[program() for _ in range(2000)])
    assert compared > 2000
    assert refused == 0, output
