// @ts-check

/** The style of the panel. */
export const style = `
:host {
  all: initial !important;
  position: fixed !important;
  z-index: 2147483647 !important;
  inset: auto 0 0 0 !important;
  display: block !important;
  color-scheme: light dark !important;
}
section {
  --paper: #fff; --soft: #f3f4f6; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de;
  --link: #0757ba; --good: #176639; --bad: #a40e26; --wait: #7a4b00;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  max-height: min(60vh, 34rem);
  border-top: 1px solid var(--line);
  background: var(--paper);
  color: var(--ink);
  box-shadow: 0 -4px 24px rgb(0 0 0 / 18%);
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  section {
    --paper: #16191d; --soft: #22272e; --ink: #e8ebee; --faint: #a3adb8; --line: #3b434d;
    --link: #79b8ff; --good: #6fd694; --bad: #ff9492; --wait: #f0c36d;
  }
}
section:focus { outline: none; }
.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 6px 12px;
  padding: 8px 16px;
  background: var(--soft);
}
h2, p, ul, pre, dl, dd { margin: 0; }
h2 { font-size: 15px; }
.hint { flex: 1; color: var(--faint); font-size: 13px; }
.message { padding: 8px 16px; color: var(--bad); overflow-wrap: anywhere; }
.message:empty { padding: 0; }
.answer { flex: 1 1 12rem; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
ul { flex: 1; min-height: 0; padding: 0; overflow: auto; list-style: none; }
li { border-top: 1px solid var(--line); }
.empty { padding: 16px; color: var(--faint); }
summary {
  display: grid;
  grid-template-columns: minmax(8rem, 1.2fr) minmax(0, 2fr) 8rem 6.5rem;
  gap: 2px 16px;
  align-items: baseline;
  padding: 7px 16px;
  cursor: pointer;
}
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--soft); }
.key, .preview, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.key { font-weight: 600; overflow-wrap: anywhere; }
.key::before { content: "▸ " / ""; color: var(--faint); }
details[open] .key::before { content: "▾ " / ""; }
.preview { overflow: hidden; color: var(--faint); text-overflow: ellipsis; white-space: nowrap; }
.place { color: var(--faint); }
.status { color: var(--good); }
.status:is([data-status="not stored"], [data-status="copy"]) { color: var(--faint); }
.status:is([data-status="pending"], [data-status="journal"], [data-status="may be old"]) { color: var(--wait); }
.status:is([data-status="damaged"], [data-status="error"], [data-status="not saved"]) { color: var(--bad); }
.body { display: grid; gap: 10px; padding: 2px 16px 14px 30px; }
pre {
  max-height: 12rem;
  padding: 8px 10px;
  overflow: auto;
  border-radius: 6px;
  background: var(--soft);
  font-size: 12.5px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
pre:empty { display: none; }
dl { display: flex; flex-wrap: wrap; gap: 4px 24px; }
dl div { display: flex; gap: 8px; min-width: 0; }
dl div.wide { flex-basis: 100%; }
dt { flex: none; color: var(--faint); }
dd { min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.problem dd { color: var(--bad); }
[hidden] { display: none !important; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  min-height: 30px;
  padding: 0 12px;
  border: 1px solid var(--faint);
  border-radius: 6px;
  background: var(--paper);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
summary:focus-visible, pre:focus-visible { outline-offset: -2px; }
@media (max-width: 46rem) {
  section { max-height: 72vh; }
  summary { grid-template-columns: minmax(0, 1fr) auto; }
  .hint { visibility: hidden; }
  .preview { grid-row: 2; }
  .place { grid-row: 2; grid-column: 2; text-align: right; }
  .status { grid-row: 1; grid-column: 2; text-align: right; }
}
`;
