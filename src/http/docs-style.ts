/** The look of the reference. Colours hold 4.5 : 1 against what is behind them, by day and by night. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --side: #f6f8f7; --ink: #15201e; --soft: #55625f; --line: #e2e8e6; --tint: #eff4f3;
  --accent: #0a756d; --mark: #d9f2ee; --must: #b3470f;
  --get: #0b6bb0; --get-tint: #e3f0fb; --post: #17713b; --post-tint: #e0f4e7; --put: #8a5200; --put-tint: #fbeed9;
  --patch: #6b42bd; --patch-tint: #eee8fb; --delete: #b3261e; --delete-tint: #fce8e6;
  --night: #0f1d1f; --night-line: #21363a; --night-bar: #16282b; --night-ink: #dbe7e5; --night-soft: #93aaa7;
  --night-key: #86d9ce; --night-text: #f0cd8c; --night-value: #c9b1ff;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1617; --side: #0b1112; --ink: #e3ebe9; --soft: #9db0ac; --line: #213033;
    --tint: #182325; --accent: #52d3c4; --mark: #123a37; --must: #f2a068;
    --get: #7cc0f5; --get-tint: #11293c; --post: #74d59a; --post-tint: #11301d; --put: #edbb68; --put-tint: #34260d;
    --patch: #bfa3f7; --patch-tint: #271d40; --delete: #f59a92; --delete-tint: #3b1815;
    --night: #0a1011; --night-bar: #111b1d; --night-line: #213033;
  }
}
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { display: grid; grid-template-columns: 280px minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 15px/1.6 var(--sans); }
[hidden], html:not(.js) .on-script { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 12px; top: -60px; z-index: 9; padding: 8px 14px; border-radius: 8px; background: var(--accent); color: var(--paper); }
.skip:focus { top: 12px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre, kbd { font-family: var(--mono); font-size: .87em; font-variant-ligatures: none; }
.words code { overflow-wrap: anywhere; }

.bar { display: none; }
.brand { display: flex; align-items: center; gap: 10px; color: inherit; font-weight: 650; font-size: 17px; letter-spacing: -.01em; text-decoration: none; }
.brand span { width: 24px; height: 24px; color: var(--accent); }
.brand small { color: var(--soft); font-weight: 400; font-size: 12.5px; letter-spacing: 0; }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; overscroll-behavior: contain; padding: 22px 14px 48px; background: var(--side); border-right: 1px solid var(--line); font-size: 13.5px; line-height: 1.4; scrollbar-width: thin; }
.side .brand { padding: 0 10px 16px; }
.filter { position: sticky; top: -22px; z-index: 1; padding: 8px 4px 10px; background: var(--side); }
.filter input { width: 100%; padding: 7px 30px 7px 11px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: inherit; font: inherit; }
.filter kbd { position: absolute; right: 13px; top: 13px; padding: 1px 6px; border: 1px solid var(--line); border-radius: 5px; color: var(--soft); font-size: 11px; }
.filter input:focus + kbd { display: none; }
::placeholder { color: var(--soft); opacity: 1; }
.side .group { margin: 18px 10px 6px; color: var(--soft); font-size: 11.5px; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; }
.side ul { padding: 0; list-style: none; }
.side li a { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 4.5px 10px; border-radius: 7px; color: inherit; text-decoration: none; }
.side details li a { padding-left: 24px; }
.side li a:hover, .side summary:hover { background: var(--tint); }
.side a[aria-current] { background: var(--mark); color: var(--accent); font-weight: 600; }
.side summary { display: flex; align-items: center; gap: 7px; padding: 5px 10px; border-radius: 7px; font-weight: 600; cursor: pointer; list-style: none; }
.side summary::-webkit-details-marker { display: none; }
.side summary::before { content: ""; width: 5px; height: 5px; margin-left: -1px; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); transition: transform .15s; }
.side [open] > summary::before { transform: rotate(45deg); }
.side .method { background: none; padding: 0; font-size: 9.5px; }

.method { display: inline-block; flex: none; padding: 2px 7px; border-radius: 6px; font: 700 11px/1.5 var(--mono); letter-spacing: .02em; }
.get { color: var(--get); background: var(--get-tint); } .post { color: var(--post); background: var(--post-tint); }
.put { color: var(--put); background: var(--put-tint); } .patch { color: var(--patch); background: var(--patch-tint); }
.delete { color: var(--delete); background: var(--delete-tint); }

.row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, .86fr); gap: 0 56px; max-width: 1440px; padding: 52px 56px; border-top: 1px solid var(--line); }
.row:first-child { border-top: 0; }
.row.part { padding-top: 84px; }
.words > * + * { margin-top: 14px; }
.words p, .words li { max-width: 68ch; }
h1 { font-size: 38px; line-height: 1.15; letter-spacing: -.025em; font-weight: 700; }
h1 + p { font-size: 18px; line-height: 1.55; color: var(--soft); }
.row h2 { font-size: 26px; line-height: 1.25; letter-spacing: -.018em; font-weight: 680; }
h3 { font-size: 20px; line-height: 1.3; letter-spacing: -.012em; font-weight: 650; }
h4 { padding-bottom: 8px; border-bottom: 1px solid var(--line); font-size: 14px; font-weight: 650; }
.words > * + h4 { margin-top: 34px; }
.row h2 a, h3 a { color: inherit; text-decoration: none; }
.row h2 a::after, h3 a::after { content: " #"; color: var(--soft); opacity: 0; font-weight: 400; }
.row h2 a:is(:hover, :focus-visible)::after, h3 a:is(:hover, :focus-visible)::after { opacity: 1; }
.chapter { color: var(--accent); font-size: 12.5px; font-weight: 650; letter-spacing: .05em; text-transform: uppercase; }
.chapter + h2 { margin-top: 4px; }
.words :not(pre) > code { padding: 1.5px 5px; border-radius: 5px; background: var(--tint); }
.words > ul:not(.fields) { padding-left: 20px; } .words > ul:not(.fields) li + li { margin-top: 6px; }
.note, .languages { color: var(--soft); font-size: 13.5px; }
.address { display: flex; align-items: baseline; gap: 10px; }
.words .address .path { padding: 0; background: none; font-size: 13.5px; }
.path em { color: var(--accent); font-style: normal; }
.status { padding: 1px 6px; border-radius: 5px; background: var(--tint); color: var(--soft); font: 600 12px/1.5 var(--mono); white-space: nowrap; }
.needs { display: grid; gap: 6px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; font-size: 13.5px; }
.needs div { display: flex; gap: 12px; } .needs dt { flex: none; width: 62px; color: var(--soft); }
.needs a:not(:has(code)) { white-space: nowrap; }
.pairs { border-top: 1px solid var(--line); }
.pairs div { padding: 11px 0; border-bottom: 1px solid var(--line); }
.pairs dt { font-weight: 600; } .pairs dd { margin-top: 3px; color: var(--soft); }

.fields { padding: 0; list-style: none; }
.words > .fields { margin-top: 0; }
.words > .note + .fields { border-top: 0; }
.fields > li { padding: 13px 0; border-bottom: 1px solid var(--line); }
.fields > li > p + p { margin-top: 4px; }
.field > * + * { margin-left: 4px; }
.words .field > code { padding: 0; background: none; font-size: 13.5px; font-weight: 650; }
.type, .limits { color: var(--soft); font-size: 13px; }
.limits::before { content: "· "; }
.must { color: var(--must); font-size: 12.5px; font-weight: 600; }
.choices { color: var(--soft); font-size: 13px; line-height: 1.85; }
.fields details { margin-top: 10px; border: 1px solid var(--line); border-radius: 10px; }
.fields summary { padding: 7px 13px; color: var(--soft); font-size: 13px; cursor: pointer; }
.fields summary:hover { color: var(--ink); }
.fields [open] > summary { border-bottom: 1px solid var(--line); }
.fields details > .fields { padding: 0 14px; } .fields .fields > li:last-child { border-bottom: 0; }

table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
.words h4 + table { margin-top: 0; }
th { padding: 8px 12px 8px 0; color: var(--soft); font-size: 12.5px; font-weight: 600; text-align: left; }
td { padding: 9px 12px 9px 0; border-top: 1px solid var(--line); vertical-align: top; }
td a { text-decoration: none; }
.words td code { white-space: nowrap; overflow-wrap: normal; }
td small { display: block; margin-top: 2px; color: var(--soft); font-size: 12px; }
tr:target td { background: var(--mark); }
tr:target td:first-child { box-shadow: -8px 0 var(--mark); }

.code { position: sticky; top: 24px; align-self: start; }
.code > * + * { margin-top: 18px; }
.card { overflow: hidden; border: 1px solid var(--night-line); border-radius: 12px; background: var(--night); color: var(--night-ink); }
.card figcaption { display: flex; align-items: center; gap: 10px; min-height: 38px; padding: 5px 8px 5px 16px; background: var(--night-bar); border-bottom: 1px solid var(--night-line); color: var(--night-soft); font-size: 12.5px; }
.card figcaption .status { background: #0003; color: var(--night-key); }
.card button { margin-left: auto; padding: 3px 10px; border: 1px solid var(--night-line); border-radius: 7px; background: none; color: inherit; font: inherit; cursor: pointer; }
.card button:hover { color: var(--night-ink); border-color: var(--night-soft); }
.card :focus-visible { outline-color: var(--night-key); outline-offset: -2px; }
.card pre { max-height: 560px; overflow: auto; padding: 14px 16px; font-size: 12.8px; line-height: 1.62; tab-size: 2; scrollbar-width: thin; scrollbar-color: var(--night-line) transparent; }
.card pre code { font-size: inherit; }
.shell pre { white-space: pre-wrap; word-break: break-all; }
.card b, .card i, .card u { font: inherit; text-decoration: none; }
.card b { color: var(--night-key); } .card i { color: var(--night-text); } .card u { color: var(--night-value); }
.key { color: var(--night-text); }
.keys { padding: 16px; } .keys label { display: block; margin-bottom: 7px; font-size: 13.5px; font-weight: 600; }
.keys input { width: 100%; padding: 9px 12px; border: 1px solid var(--night-line); border-radius: 8px; background: #0004; color: var(--night-ink); font: 13px var(--mono); }
.keys input::placeholder { color: var(--night-soft); }
.keys [aria-invalid=true] { border-color: #f59a92; }
.keys p { margin-top: 8px; color: var(--night-soft); font-size: 13px; }
.calls { padding: 10px 8px; } .calls ul { padding: 0; list-style: none; }
.calls a { display: grid; grid-template-columns: 62px minmax(0, 1fr); align-items: baseline; gap: 8px; padding: 5px 8px; border-radius: 7px; color: inherit; text-decoration: none; }
.calls a:hover { background: var(--night-bar); } .calls .path em { color: var(--night-key); }
.card .method { background: none; padding: 0; }
.card .get { color: #7cc0f5; } .card .post { color: #74d59a; } .card .put { color: #edbb68; } .card .patch { color: #bfa3f7; } .card .delete { color: #f59a92; }
footer { color: var(--soft); font-size: 13.5px; }

@media (max-width: 1180px) {
  .row { grid-template-columns: minmax(0, 1fr); padding: 44px 40px; }
  .code { position: static; margin-top: 28px; }
}
@media (max-width: 820px) {
  html { scroll-padding-top: 57px; }
  body { display: block; }
  .side { display: none; }
  .row { padding: 36px 20px; } .row.part { padding-top: 56px; }
  h1 { font-size: 31px; }
  .bar { display: flex; flex-direction: row-reverse; align-items: center; justify-content: space-between; padding: 10px 16px 10px 20px; background: var(--paper); border-bottom: 1px solid var(--line); }
  .js .bar { position: sticky; top: 0; z-index: 5; }
  .bar summary { padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; font-size: 14px; font-weight: 600; cursor: pointer; list-style: none; }
  .bar summary::-webkit-details-marker { display: none; }
  .bar nav { position: absolute; z-index: 5; left: 0; right: 0; margin-top: 10px; max-height: calc(100vh - 64px); overflow-y: auto; padding: 10px 20px 24px; background: var(--paper); border-bottom: 1px solid var(--line); box-shadow: 0 18px 40px #0003; }
  .bar p { margin: 14px 0 4px; color: var(--soft); font-size: 12px; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; }
  .bar ul { padding: 0; list-style: none; columns: 2; }
  .bar li a { display: block; padding: 7px 0; color: inherit; text-decoration: none; }
  .address { flex-wrap: wrap; gap: 6px 10px; }
  .needs div { flex-direction: column; gap: 2px; }
  .codes thead { position: absolute; clip-path: inset(50%); }
  .codes tr { display: grid; grid-template-columns: 52px minmax(0, 1fr); padding: 10px 0; border-top: 1px solid var(--line); }
  .codes td { padding: 0; border: 0; } .codes td:last-child { grid-column: 2; color: var(--soft); }
}
@media print {
  body { display: block; } .side, .bar, .skip { display: none; } .row { grid-template-columns: 1fr; } .card pre { max-height: none; }
}
`
