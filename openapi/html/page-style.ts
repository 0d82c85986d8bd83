/** All styles of the page, inline. Each pair of colours has a contrast ratio of at least 4.5. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #ffffff; --tint: #f3f5f7; --line: #d5dade; --link: #0a58a8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --quiet: #a3adb6; --paper: #14171a; --tint: #1e2328; --line: #363d44; --link: #7fb8f5; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
header, nav, main { padding: 1rem 1.5rem; }
header { border-bottom: 1px solid var(--line); }
header p { margin: .25rem 0; }
h1, h2, h3 { line-height: 1.25; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin-top: 3rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.25rem 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: .75rem; margin-bottom: .75rem; font-size: .875rem; }
nav a { display: inline-block; padding: .1rem 0; text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
code { font: .9em ui-monospace, monospace; background: var(--tint); padding: .1em .3em; border-radius: 3px; }
.route code { font-size: 1rem; }
.method { font-weight: 700; }
small { color: var(--quiet); font-size: .85em; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
th { font-weight: 600; }
tbody th { font-weight: 400; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 60rem); }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; border-right: 1px solid var(--line); }
}
@media print { nav, .skip { display: none; } }
`;
