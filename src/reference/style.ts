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
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 76px; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { display: grid; grid-template: auto 1fr / 268px minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 15px/1.6 var(--sans); }
[hidden], html:not(.js) .on-script { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 12px; top: -60px; z-index: 9; padding: 8px 14px; border-radius: 8px; background: var(--accent); color: var(--paper); }
.skip:focus { top: 12px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre, kbd { font-family: var(--mono); font-size: .87em; font-variant-ligatures: none; }
.words code, .guide p code, .guide li code { overflow-wrap: anywhere; }
::placeholder { color: var(--soft); opacity: 1; }

.top { grid-column: 1 / -1; position: sticky; top: 0; z-index: 6; display: flex; align-items: center; gap: 18px; height: 60px; padding: 0 24px; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; width: 226px; flex: none; color: inherit; font-weight: 650; font-size: 17px; letter-spacing: -.01em; text-decoration: none; }
.brand small { color: var(--soft); font-weight: 400; font-size: 12.5px; letter-spacing: 0; }
.search { position: relative; flex: 1; max-width: 560px; }
.top input { width: 100%; padding: 8px 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--side); color: inherit; font: 14px var(--sans); }
.top input:focus { background: var(--paper); }
.search kbd { position: absolute; right: 10px; top: 8px; padding: 1px 7px; border: 1px solid var(--line); border-radius: 5px; color: var(--soft); font-size: 11px; pointer-events: none; }
.search input:focus + kbd { display: none; }
#found { position: absolute; left: 0; right: 0; top: 44px; max-height: 70vh; overflow-y: auto; padding: 6px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); box-shadow: 0 18px 50px #0003; list-style: none; }
#found li { border-radius: 8px; color: var(--soft); } #found li[aria-disabled] { padding: 8px 10px; }
#found a { display: flex; justify-content: space-between; gap: 14px; padding: 7px 10px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
#found span { flex: none; color: var(--soft); font-size: 12.5px; }
#found [aria-selected=true] { background: var(--mark); } #found [aria-selected=true] :is(a, span) { color: var(--accent); }
.key-form { position: relative; display: flex; gap: 8px; margin-left: auto; flex: none; } .key-form input { width: 250px; }
#make-key { padding: 0 12px; border: 1px solid var(--line); border-radius: 10px; background: none; color: var(--accent); font: 600 13px var(--sans); white-space: nowrap; cursor: pointer; }
.top .key-form input { font: 12.5px var(--mono); }
.key-form [aria-invalid=true] { border-color: var(--must); }
.key-form p { position: absolute; right: 0; top: 44px; width: max-content; max-width: 280px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); font-size: 13px; }
.menu-button { display: none; }

.side { position: sticky; top: 60px; height: calc(100vh - 60px); overflow-y: auto; overscroll-behavior: contain; padding: 8px 12px 48px; background: var(--side); border-right: 1px solid var(--line); font-size: 13.8px; line-height: 1.4; scrollbar-width: thin; }
.group { margin: 18px 12px 5px; color: var(--soft); font-size: 11.5px; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; }
.side ul { padding: 0; list-style: none; }
.side li a { display: block; padding: 5px 12px; border-radius: 7px; color: inherit; text-decoration: none; }
.side li a:hover { background: var(--tint); }
.side a[aria-current] { background: var(--mark); color: var(--accent); font-weight: 600; }

.row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, .9fr); gap: 0 52px; max-width: 1440px; padding: 46px 52px; border-top: 1px solid var(--line); }
.row.hero { border-top: 0; padding-top: 52px; }
.row.small { padding: 28px 52px; }
.plain { max-width: 1180px; padding: 44px 52px 26px; }
.plain > * + *, .words > * + * { margin-top: 14px; }
h1 { font-size: 36px; line-height: 1.15; letter-spacing: -.025em; font-weight: 700; }
.lead { color: var(--soft); font-size: 17px; line-height: 1.55; }
h2 { font-size: 22px; line-height: 1.3; letter-spacing: -.015em; font-weight: 660; }
h3 { font-size: 15px; font-weight: 650; }
.words > h3 { padding-bottom: 8px; border-bottom: 1px solid var(--line); } .words > * + h3 { margin-top: 32px; }
h2 a, h3 a { color: inherit; text-decoration: none; }
:is(h2, h3) a::after { content: " #"; color: var(--soft); opacity: 0; font-weight: 400; }
:is(h2, h3) a:is(:hover, :focus-visible)::after { opacity: 1; }
.chapter { color: var(--accent); font-size: 12.5px; font-weight: 650; letter-spacing: .05em; text-transform: uppercase; }
.words > .chapter + h1 { margin-top: 4px; }
.words > .fields, .words > h3 + table { margin-top: 0; }

.starts { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; padding: 0; list-style: none; }
.words > .starts { margin-top: 26px; }
.starts a { display: flex; flex-direction: column; gap: 4px; height: 100%; padding: 16px 18px; border: 1px solid var(--line); border-radius: 12px; color: var(--ink); text-decoration: none; }
.starts a:hover { border-color: var(--accent); background: var(--side); } .starts span { color: var(--soft); font-size: 13.5px; line-height: 1.45; }
.map { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 26px 28px; }
.map ul, .inline-list { padding: 0; list-style: none; } .map li { margin-top: 5px; font-size: 14px; } .map a { text-decoration: none; } .map a:hover { text-decoration: underline; }
.inline-list { display: flex; flex-wrap: wrap; gap: 4px 16px; }

.guide { max-width: 860px; padding: 52px 52px 30px; font-size: 15.5px; line-height: 1.68; }
.guide > * + * { margin-top: 16px; }
.guide > h1 + p { color: var(--soft); font-size: 17.5px; }
.guide > h2 { margin-top: 44px; } .guide > h3 { margin-top: 30px; font-size: 17px; }
.guide :is(ul, ol) { padding-left: 22px; } .guide li + li { margin-top: 6px; }
.guide :is(p, li, td) > code, .plain p > code { padding: 1.5px 5px; border-radius: 5px; background: var(--tint); }
.hint { padding: 12px 16px; border-left: 3px solid var(--accent); border-radius: 0 10px 10px 0; background: var(--side); }
.scroll { overflow-x: auto; } .scroll td { min-width: 110px; }
.event { border-bottom: 1px solid var(--line); } .plain > .event { margin-top: 0; }
.event summary { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 11px 0; cursor: pointer; list-style: none; }
.event summary::-webkit-details-marker { display: none; }
.event summary::before { content: '+'; width: 10px; color: var(--soft); font-weight: 650; }
.event[open] summary::before { content: '−'; } .event summary:hover code { color: var(--accent); }
.event summary code { font-weight: 650; } .event summary span { color: var(--soft); font-size: 14px; }
.event[open] { padding-bottom: 18px; } .event:target summary code { color: var(--accent); }

.method { display: inline-block; flex: none; padding: 2px 7px; border-radius: 6px; font: 700 11px/1.5 var(--mono); letter-spacing: .02em; }
.get { color: var(--get); background: var(--get-tint); } .post { color: var(--post); background: var(--post-tint); }
.put { color: var(--put); background: var(--put-tint); } .patch { color: var(--patch); background: var(--patch-tint); }
.delete { color: var(--delete); background: var(--delete-tint); }

.words p, .words li { max-width: 68ch; }
.words :not(pre) > code { padding: 1.5px 5px; border-radius: 5px; background: var(--tint); }
.note, .languages { color: var(--soft); font-size: 13.5px; }
.address { display: flex; align-items: baseline; gap: 10px; }
.words .address .path { padding: 0; background: none; font-size: 13.5px; }
.path em { color: var(--accent); font-style: normal; }
.status { padding: 1px 6px; border-radius: 5px; background: var(--tint); color: var(--soft); font: 600 12px/1.5 var(--mono); white-space: nowrap; }
.needs { display: grid; gap: 6px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; font-size: 13.5px; }
.needs div { display: flex; gap: 12px; } .needs dt { flex: none; width: 62px; color: var(--soft); }
.before { color: var(--soft); font-size: 13.5px; }
.needs a:not(:has(code)) { white-space: nowrap; }

.fields { padding: 0; list-style: none; }
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
th { padding: 8px 12px 8px 0; color: var(--soft); font-size: 12.5px; font-weight: 600; text-align: left; }
td { padding: 9px 12px 9px 0; border-top: 1px solid var(--line); vertical-align: top; }
td a { text-decoration: none; }
.words td code { white-space: nowrap; overflow-wrap: normal; }
td small { display: block; margin-top: 2px; color: var(--soft); font-size: 12px; }

.code { position: sticky; top: 84px; align-self: start; }
.code > * + * { margin-top: 16px; }
.card { overflow: hidden; border: 1px solid var(--night-line); border-radius: 12px; background: var(--night); color: var(--night-ink); }
.card figcaption { display: flex; align-items: center; gap: 10px; min-height: 38px; padding: 5px 8px 5px 16px; background: var(--night-bar); border-bottom: 1px solid var(--night-line); color: var(--night-soft); font-size: 12.5px; }
.card figcaption .status { background: #0003; color: var(--night-key); }
.card button { margin-left: auto; padding: 3px 10px; border: 1px solid var(--night-line); border-radius: 7px; background: none; color: inherit; font: inherit; cursor: pointer; }
.card button:hover { color: var(--night-ink); border-color: var(--night-soft); }
.card :focus-visible { outline-color: var(--night-key); outline-offset: -2px; }
.card pre { max-height: 560px; overflow: auto; padding: 14px 16px; font-size: 12.8px; line-height: 1.62; tab-size: 2; scrollbar-width: thin; scrollbar-color: var(--night-line) transparent; }
.card pre code { font-size: inherit; }
.card b, .card i, .card u { font: inherit; text-decoration: none; }
.card b { color: var(--night-key); } .card i { color: var(--night-text); } .card u { color: var(--night-value); }
.calls { padding: 10px 8px; } .calls ul { padding: 0; list-style: none; }
.calls a { display: grid; grid-template-columns: 62px minmax(0, 1fr); align-items: baseline; gap: 8px; padding: 5px 8px; border-radius: 7px; color: inherit; text-decoration: none; }
.calls a:hover { background: var(--night-bar); } .calls .path em { color: var(--night-key); }
.card .method { background: none; padding: 0; }
.card .get { color: #7cc0f5; } .card .post { color: #74d59a; } .card .put { color: #edbb68; } .card .patch { color: #bfa3f7; } .card .delete { color: #f59a92; }
.card s { color: var(--night-soft); text-decoration: none; }
.key { color: var(--night-key); }
.tabs [role=tablist] { display: flex; gap: 4px; margin-bottom: 8px; }
.tabs [role=tab] { padding: 4px 12px; border: 1px solid transparent; border-radius: 8px; background: none; color: var(--soft); font: 600 13px var(--sans); cursor: pointer; }
.tabs [role=tab]:hover { color: var(--ink); } .tabs [aria-selected=true] { border-color: var(--line); background: var(--tint); color: var(--ink); }
.try summary { padding: 10px 16px; font-size: 13.5px; font-weight: 600; cursor: pointer; }
.try form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; padding: 4px 16px 16px; }
.try label { color: var(--night-soft); font-size: 12.5px; } .try label span { color: #f2a068; }
.try input:not([type=checkbox]), .try select, .try textarea { width: 100%; padding: 7px 10px; border: 1px solid var(--night-line); border-radius: 8px; background: #0004; color: var(--night-ink); font: 12.8px/1.5 var(--mono); resize: vertical; }
.row-of-buttons { display: flex; align-items: center; gap: 14px; margin-top: 6px; }
.card .row-of-buttons button { margin: 0; padding: 6px 18px; border-color: var(--night-key); background: var(--night-key); color: #06201d; font-weight: 650; }
.card .row-of-buttons button:hover { color: #000; } .row-of-buttons button:disabled { opacity: .6; cursor: wait; }
.try output p { margin: 6px 0; color: var(--night-key); font: 600 12.5px var(--mono); }
.try output .refused { color: #ff9d8a; } .try option { background: var(--night); color: var(--night-ink); }
.try output pre { max-height: 380px; border: 1px solid var(--night-line); border-radius: 8px; }
footer { padding: 34px 52px; color: var(--soft); font-size: 13.5px; }

@media (max-width: 1180px) {
  .row, .row.small { grid-template-columns: minmax(0, 1fr); padding: 40px; }
  .code { position: static; margin-top: 24px; }
}
@media (max-width: 820px) {
  body { display: block; }
  .top { height: auto; flex-wrap: wrap; gap: 10px; padding: 10px 16px; }
  html { scroll-padding-top: 108px; }
  .brand { width: auto; flex: 1; } .search { order: 3; flex-basis: 100%; max-width: none; } .key-form { display: none; }
  .menu-button { display: block; padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; background: none; color: inherit; font: 600 14px var(--sans); cursor: pointer; }
  .side { position: static; height: auto; border: 0; padding: 6px 8px 24px; } .js .side:not(.open) { display: none; } .side ul { columns: 2; }
  .row, .row.small, .plain, .guide { padding: 28px 18px; } .row.hero { padding-top: 26px; } footer { padding: 24px 18px; }
  h1 { font-size: 29px; } .starts { grid-template-columns: 1fr; }
  .address { flex-wrap: wrap; gap: 6px 10px; }
  .needs div { flex-direction: column; gap: 2px; }
  .codes thead { position: absolute; clip-path: inset(50%); }
  .codes tr { display: grid; grid-template-columns: 52px minmax(0, 1fr); padding: 10px 0; border-top: 1px solid var(--line); }
  .codes td { padding: 0; border: 0; } .codes td:last-child { grid-column: 2; color: var(--soft); }
}
@media print {
  body { display: block; } .side, .top, .skip { display: none; } .row { grid-template-columns: 1fr; } .card pre { max-height: none; }
}
`
