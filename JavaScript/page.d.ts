import type { Page } from "./sharing.d.ts";

/**
 * Binds a page to a program: the HTML names the places for the program's texts, and the events to
 * send to the program.
 *
 * ```html
 * <output data-text="count"></output>
 * <button data-click="increment" data-bind="disabled:stopped">+</button>
 * <p role="alert" data-text="storage-error"></p>
 * ```
 * ## Texts
 *
 * - `data-text="count"` shows the text that the program has set under "count".
 * - `data-bind="value:draft .late:is-late title:hint"` has a target and a name in each word, with
 *   the last colon between them. An empty text is "no". The targets:
 *   - `text`; `value` of a field; `checked` of a box, which then shows nothing but what the program
 *     has set; `focus` (the element gets it); `time` (shows the time of setting);
 *   - `.late`: whether the element has the class "late";
 *   - any other is the attribute of that name, which is removed where the text is empty:
 *     `hidden:no-todos`, `aria-label:title`. Of `aria-checked`, `aria-expanded`, `aria-pressed` and
 *     `aria-selected`, an empty text is "false": without one, an element has no such state.
 *
 * A `select` shows nothing until it has the option of its value, which may come later.
 *
 * These names are set in every page. The last three are messages on which a person has to act: show
 * them in elements with `role="alert"`.
 *
 * | name | text |
 * |---|---|
 * | `running`, `stopped` | "true" or empty |
 * | `program-error` | why the program does not run |
 * | `storage-error` | why values could not be stored or loaded (`page.bindErrors(of: $count)`) |
 * | `refused` | why the last action was refused (`page.refuse("…")`) |
 *
 * ## Rows
 *
 * `data-rows="todos" data-key="id"` has a row for each element of a list, made like the template,
 * which is its first child. Names in a row are the fields of its element:
 *
 * ```html
 * <ul data-rows="todos" data-key="id">
 *   <template>
 *     <li data-bind=".completed:completed">
 *       <input type="checkbox" data-click="toggle" data-bind="checked:completed">
 *       <span data-text="title"></span>
 *     </li>
 *   </template>
 * </ul>
 * ```
 * The program sets JSON: all rows (`[{"id":1,"title":"Milk"}]`), the fields of one row, which is
 * added where there is none with its key, or `{"gone":1}`. Keys are texts: 1 and "1" are one key,
 * and integers of 2^53 and more cross as text, since numbers of JavaScript are not exact there. Of
 * two elements with one key, the first is shown, and an error names the key. A row whose field
 * "editing" is set stays as it is until a change has that field: then it shows what has changed
 * meanwhile, or goes. A program that starts again with the same binding ends the editing of all
 * rows.
 *
 * ## Events
 *
 * `data-click="increment"` sends the event "increment". So do `data-dblclick`, `data-focusout`,
 * `data-enter` and `data-escape` (these two keys, no others), `data-input` (each change of a field,
 * as it is typed) and `data-change` (what is entered: on leaving the field or choosing). What is
 * typed in such a field stays until it is sent, whatever the program sets meanwhile. If the program
 * refuses it ("refused" has a text then), the field shows the value again once it is left. Enter in
 * a `textarea` with `data-enter` makes no line break; with the Shift key it makes one, and sends
 * nothing.
 *
 * ```html
 * <textarea data-bind="value:draft" data-input="draft"></textarea>
 * <input type="number" data-bind="value:size" data-change="size">
 * <input type="checkbox" data-bind="checked:dark" data-change="dark">
 * <input id="name"> <button data-click="greet" data-field="name">Greet</button>
 * ```
 * With an event goes a text: in a row first its key; then that of the field, which is the element
 * itself, or the one whose id is in `data-field`:
 *
 * - the value of a `textarea`, a `select` and an `input` that is no button and no file, but not
 *   with `data-escape`;
 * - of a checkbox or a radio button, "true" or nothing, with `data-input` and `data-change` only.
 *
 * A key with a space in it cannot be told from the text behind it.
 *
 * If the program has no action of an event's name, an error in the console lists the actions that
 * it has. With two running programs there is none, because each of them gets all events.
 *
 * Half-composed text, as when Japanese is entered, is not sent: `data-input` sends it at the end of
 * the composition, after which Chromium has no event "input". Typing does not move the caret, since
 * a field is not given the value that it has.
 * @param root the document, or an element with all places of the program. Two programs may have one
 *   page, each with a binding of its own: the messages of both are shown. To start a program again
 *   that has failed, hand `start` the same binding.
 */
export function bind(root: Document | Element): Page;
