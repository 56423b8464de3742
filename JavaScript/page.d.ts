import type { Page } from "./sharing.d.ts";

/**
 * Binds a page to a program: the HTML names the places for the program's texts, the controls for
 * its values, and the events to send to the program.
 *
 * ```html
 * <output data-text="count"></output>
 * <input type="number" data-model="size">
 * <button data-click="increment" data-bind="disabled:stopped">+</button>
 * <p role="alert" data-text="storage-error"></p>
 * ```
 * ## Texts
 *
 * - `data-text="count"` shows the text that the program has set under "count".
 * - `data-bind="value:draft .late:is-late title:hint"` has a target and a name in each word, with
 *   the last colon between them. An empty text is "no". The targets:
 *   - `text`; `value` of a field; `checked` of a box, which then shows nothing but what the program
 *     has set; `focus` (the element gets it);
 *   - `.late`: whether the element has the class "late";
 *   - any other is the attribute of that name, which is removed where the text is empty:
 *     `hidden:no-todos`, `aria-label:title`. Of `aria-checked`, `aria-expanded`, `aria-pressed` and
 *     `aria-selected`, an empty text is "false": without one, an element has no such state.
 *
 * An equal text is not written again. A target in which a browser would run the text is not bound,
 * and the console names it: `on…`, `srcdoc`, and the text of `script` and `style`. `javascript:`
 * and `data:` are not set as `href`, `src`, `action` or `formaction`, except for `data:` of an
 * `img`.
 *
 * ## Controls
 *
 * `data-model="size"` binds a control both ways: it shows the text that the program sets under
 * "size", and sends the event "size" with a person's. Flags are sent as "true" and "false".
 *
 * | control | value | sent |
 * |---|---|---|
 * | text fields, `textarea` | the text | with each key |
 * | `number`, `date`, `time`, `month`, `week`, `datetime-local` | the text | once it is whole |
 * | `range`, `color` | the text | while it is moved |
 * | a checkbox | whether it is checked | when it changes |
 * | checkboxes with `value`, of one name | the list of their values, as JSON | when one changes |
 * | radio buttons | the `value` of the checked one | when it changes |
 * | `select`; `select multiple` | the value; the list of values, as JSON | when it changes |
 * | `details`, `dialog`, `popover` | whether it is open | when it is opened or closed |
 * | `contenteditable="plaintext-only"` | the text | with each key |
 *
 * An element of another kind is not bound, and the console names it. In a list, values that no box
 * and no option has stay. Options, `min`, `max` and `step` may come later than the value. With
 * `data-lazy`, a text is sent when the field is left; until then, Escape brings the value back.
 * Typed text that is not sent yet stays. A refused text stays until the field is left. The reset of
 * a form sends the values that the HTML has. Entries from before the program runs are sent then,
 * but those in rows.
 *
 * These names are set in every page. The last three are messages on which a person has to act: show
 * them in elements with `role="alert"`.
 *
 * | name | text |
 * |---|---|
 * | `running`, `stopped` | "true" or empty |
 * | `program-error` | that the program does not run, and what to do |
 * | `storage-error` | what could not be stored or loaded (`page.bindErrors(of: $count)`) |
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
 * The program sets JSON: all rows (`[{"id":1,"title":"Milk"},2]`, with the key alone of a row that
 * has not changed), the fields of one row, which is added where there is none with its key, or
 * `{"gone":1}`. Keys are texts: 1 and "1" are one key,
 * and integers of 2^53 and more cross as text, since numbers of JavaScript are not exact there. Of
 * two elements with one key, the first is shown, and an error names the key. If a row is removed,
 * the focus goes to the same control of its neighbour, but not to a field in which one types.
 *
 * In a row, `data-model="title"` is the field "title" of its element: the event has the list's
 * name, and the text `KEY title=TEXT`. A field that is a list has rows in an element with
 * `data-rows`. In these, use events: a control with `data-model` or `data-edit` is not bound, and
 * the console names it.
 *
 * `data-edit="title"` sends the same event. It is for a text field, which is read-only until a
 * person begins: by a double click on the row's text, or by Enter or F2 on the field or a box of
 * the row. Enter and leaving the field send a changed text, Escape sends nothing. Meanwhile the row
 * has the class `editing`, and it stays if the program removes it. Other actions of the field do
 * not run.
 *
 * ## Events
 *
 * `data-click="increment"` sends the event "increment". So do `data-dblclick`, `data-focusout`,
 * `data-enter` and `data-escape` (these two keys, no others), `data-input` (each change of a field,
 * as it is typed) and `data-change` (an entry: on leaving the field or choosing). Enter in a
 * `textarea` with `data-enter` makes no line break; with the Shift key it makes one, and sends
 * nothing. A click on a label whose control is in the same element is sent once. A click on a
 * `summary`, a link, or a button that resets a form or opens something is sent after that.
 *
 * ```html
 * <input id="name"> <button data-click="greet" data-field="name">Greet</button>
 * ```
 * ## Forms
 *
 * `<form data-submit="add">` sends the event "add?" with the names and texts of its fields,
 * separated by characters of code 0; the keys of the rows around it come first, with empty names.
 * The page is never loaded, and the browser's validation comes first. Afterwards the form is
 * emptied, unless it was refused; controls with `data-model` keep their values. If the program sets
 * "refused-field" before "refused", the field of that name is invalid until it changes, and
 * `data-error="NAME"` in the form shows the reason.
 *
 * ## Texts of events
 *
 * With an event goes a text: first the keys of the rows around the element, from the outer one;
 * then that of the field, which is the element itself, or the one whose id is in `data-field`:
 *
 * - that of a text, number, date, range, colour or choice in the table above, but not with
 *   `data-escape`;
 * - of a checkbox, "true" or an empty text, with `data-input` and `data-change` only.
 *
 * Other elements have none. An action that needs a text is then refused, and the console names the
 * element.
 *
 * A key with a space in it cannot be told from the text behind it.
 *
 * If the program has no action of an event's name, an error in the console lists the actions that
 * it has.
 *
 * Half-composed text, as when Japanese is entered, is not sent: it is sent at the end of the
 * composition. Typing does not move the caret.
 * @param root the document, or an element with all places of the program. Each program of a page
 *   needs an element of its own, outside of the others'. To start a program again that has failed,
 *   hand `start` the same binding.
 */
export function bind(root: Document | Element): Page;
