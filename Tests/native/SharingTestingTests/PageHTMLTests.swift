import SharingCore
import SharingPage
import SharingTesting
import Testing
import WasiStorage

/// The names of a page's HTML, compared with those of its program.
@Suite(.sharing) struct PageHTMLTests {
  @Stored struct Todo: Identifiable {
    var id = UniqueID()
    var title: UTF8Text = ""
  }

  let recorder = PageRecorder()

  init() {
    recorder.page.bind("count") { "0" }
    recorder.page.bind("title", to: Shared(value: "" as UTF8Text))
    recorder.page.bind("todos", rows: Shared(value: [Todo(title: "Milk")]))
    recorder.page.on("add", "TITLE") { _ in }
  }

  @Test(arguments: [
    #"<output data-text="count"></output> <b data-text=" count "></b>"#,
    #"<input data-model="title" data-lazy data-enter="add">"#,
    #"<p class="a" data-bind="hidden:count .md:flex:count"></p>"#,
    #"<form data-submit='add'><input name="title"> <i data-error="title"></i></form>"#,
    #"<p data-text="storage-error"></p> <button data-click="sharing-reload">Reload</button>"#,
    #"<ul data-rows="todos" data-key="id"><template><li data-text="label"></li></template></ul>"#,
    #"<!-- <output data-text="cuont"></output> -->"#,
    "<style>\n[data-text=\"cuont\"] { }</style> <script>'[data-click=\"ad\"]'</script>",
  ]) func knownNames(_ html: String) {
    #expect(recorder.unknownNames(in: html) == [])
  }

  @Test(arguments: [
    (#"<output data-text="cuont"></output>"#, ["cuont"]),
    (#"<button data-click="ad">+</button> <b data-text="count"></b>"#, ["ad"]),
    (#"<form data-submit="count"></form>"#, ["count"]),
    (#"<form data-submit=ad><b data-text=cuont></b></form>"#, ["ad", "cuont"]),
    (#"<input data-model="titel" data-escape="reset">"#, ["titel", "reset"]),
    ("<p data-bind='hidden:count\n  .late:is-late title:hint'></p>", ["is-late", "hint"]),
    (#"<ul data-rows="todo"><template></template></ul>"#, ["todo"]),
    (#"<template><li data-text="title" data-dblclick="edit"></li></template>"#, ["edit"]),
    (#"<template></template> <!-- --> <p data-text="title"></p> <p data-text="x"></p>"#, ["x"]),
  ]) func unknownNames(_ html: String, _ names: [String]) {
    #expect(recorder.unknownNames(in: html) == names)
  }
}
