/** The stylesheet of the pages. Contrast is at least 4.5 : 1 in light and dark mode. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f2f6f5; --card: #fff; --ink: #15201e; --soft: #55625f; --line: #c3cecb; --edge: #e2e8e6;
  --accent: #0a756d; --accent-ink: #fff; --press: #085f59; --wrong: #b3261e; --wrong-tint: #fce8e6;
  --test: #8a5200; --test-tint: #fbeed9; --good: #17713b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0b1112; --card: #131c1d; --ink: #e3ebe9; --soft: #9db0ac; --line: #3a4d4a; --edge: #213033;
    --accent: #52d3c4; --accent-ink: #06201d; --press: #7be3d7; --wrong: #f59a92; --wrong-tint: #3b1815;
    --test: #edbb68; --test-tint: #34260d; --good: #74d59a;
  }
}
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; }
body { min-height: 100vh; min-height: 100svh; padding: 20px 16px 40px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 Inter, "Segoe UI", Roboto, "Noto Sans", "Open Sans", -apple-system, sans-serif; }
header, main { width: 100%; max-width: 420px; margin: 0 auto; }
header { display: flex; align-items: center; justify-content: space-between; padding: 4px 4px 18px; }
.brand { display: flex; align-items: center; gap: 10px; font-size: 19px; font-weight: 650; letter-spacing: -.01em; }
.brand svg { color: var(--accent); }
nav { display: flex; gap: 2px; }
nav a { min-width: 40px; padding: 8px; border-radius: 8px; color: var(--soft); font-size: 14px; text-align: center; text-decoration: none; }
nav a:hover { color: var(--ink); background: var(--edge); }
nav a[aria-current] { color: var(--accent); font-weight: 650; }
main { padding: 28px 24px 30px; border: 1px solid var(--edge); border-radius: 18px; background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06); }
@media (min-width: 600px) { body { padding-top: 9vh; } main { padding: 36px 36px 38px; } }
h1 { font-size: 25px; line-height: 1.25; font-weight: 680; letter-spacing: -.015em; text-wrap: balance; }
.lead { margin-top: 8px; color: var(--soft); }
.test { display: inline-block; margin-bottom: 12px; padding: 3px 10px; border-radius: 99px; background: var(--test-tint); color: var(--test); font-size: 13px; font-weight: 600; }
form { display: grid; gap: 18px; margin-top: 24px; }
.field { display: grid; gap: 6px; }
label { font-size: 15px; font-weight: 600; }
label small { color: var(--soft); font-size: 14px; font-weight: 400; }
.hint { color: var(--soft); font-size: 14px; }
input:not([type=hidden]) { width: 100%; min-height: 48px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: inherit; font: inherit; }
input:focus { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: 0; }
input[aria-invalid=true] { border-color: var(--wrong); }
input[aria-invalid=true]:focus { outline-color: var(--wrong); }
.wrong { color: var(--wrong); font-size: 14px; font-weight: 550; }
.alert { margin-top: 20px; padding: 12px 14px; border-radius: 12px; background: var(--wrong-tint); color: var(--wrong); font-size: 15px; font-weight: 550; }
button { min-height: 50px; padding: 10px 18px; border: 1px solid transparent; border-radius: 12px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 650; cursor: pointer; }
button:hover { background: var(--press); }
button.quiet { border-color: var(--line); background: transparent; color: var(--ink); }
button.quiet:hover { background: var(--paper); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.other { margin-top: 22px; color: var(--soft); font-size: 15px; text-align: center; }
a { color: var(--accent); text-underline-offset: 3px; }
.may { display: grid; gap: 12px; margin-top: 18px; padding: 16px 18px; border: 1px solid var(--edge); border-radius: 14px; list-style: none; }
.may li { position: relative; padding-left: 28px; }
.may li::before { content: ""; position: absolute; left: 4px; top: 4px; width: 6px; height: 11px; border: solid var(--good); border-width: 0 2.5px 2.5px 0; transform: rotate(40deg); }
.who { margin-top: 16px; color: var(--soft); font-size: 15px; overflow-wrap: anywhere; }
.who strong { color: var(--ink); font-weight: 600; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
@media (max-width: 380px) { .pair { grid-template-columns: 1fr; } }
`
