/** The style sheet of the documentation's pages. Each pair of colours has a contrast ratio of at least 4.5. */
export const SITE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #ffffff; --tint: #f4f6f8; --line: #d8dee4; --link: #0a58a8; --button: #0a58a8; --on-button: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --quiet: #a3adb6; --paper: #14171a; --tint: #1e2328; --line: #363d44; --link: #7fb8f5; --button: #7fb8f5; --on-button: #14171a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, button:focus-visible, input:focus-visible, pre:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 3; }
header { position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center; justify-content: space-between; min-height: 3.5rem; padding: .5rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { color: var(--ink); font-weight: 700; font-size: 1.1rem; text-decoration: none; white-space: nowrap; }
.brand span { color: var(--quiet); font-weight: 400; }
.search { position: relative; flex: 0 1 24rem; }
.search[hidden], .results[hidden] { display: none; }
.search input { width: 100%; padding: .4rem .75rem; font: inherit; color: inherit; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
.results { position: absolute; right: 0; top: calc(100% + .4rem); width: min(34rem, calc(100vw - 2.5rem)); max-height: 70vh; overflow-y: auto; padding: .35rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; box-shadow: 0 .5rem 2rem rgb(0 0 0 / 25%); }
.results a { display: block; padding: .5rem .75rem; border-radius: .35rem; color: inherit; text-decoration: none; line-height: 1.4; }
.results a:hover, .results a:focus { background: var(--tint); }
.results strong { color: var(--link); }
.results small { color: var(--quiet); margin-left: .5rem; }
.results span { display: block; color: var(--quiet); font-size: .875rem; }
.results p { margin: .5rem .75rem; }
.side { display: none; }
.menu { margin: 0; padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); }
.menu summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
.menu p, .side p { margin: 1.25rem 0 .25rem; color: var(--quiet); font-size: .8rem; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; }
.menu ul, .side ul { list-style: none; margin: 0; padding: 0; }
.menu li a, .side li a { display: block; padding: .3rem .6rem; margin: 0 -.6rem; border-radius: .35rem; color: var(--ink); text-decoration: none; line-height: 1.35; }
.menu li a:hover, .side li a:hover { background: var(--tint); }
.side [aria-current], .menu [aria-current] { background: var(--tint); font-weight: 600; color: var(--link); }
main { padding: 1.5rem 1.25rem 5rem; max-width: 52rem; min-width: 0; }
h1 { margin: .25rem 0 1rem; font-size: clamp(1.7rem, 6vw, 2.25rem); line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.4rem; line-height: 1.3; }
h3 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
h2 > a, h3 > a, h4 > a { color: inherit; text-decoration: none; }
h2 > a:hover, h3 > a:hover { text-decoration: underline; }
p, ul, ol { margin: .75rem 0; }
main ul, main ol { padding-left: 1.4rem; }
li + li { margin-top: .3rem; }
.lead { font-size: 1.15rem; color: var(--quiet); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; }
.button { display: inline-block; padding: .55rem 1.1rem; border-radius: .5rem; border: 1px solid var(--button); background: var(--button); color: var(--on-button); font-weight: 600; text-decoration: none; }
.button.quiet { background: none; color: var(--link); }
main .cards { list-style: none; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.cards li { position: relative; margin: 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; }
.cards li:hover { border-color: var(--link); }
.cards a { font-weight: 600; text-decoration: none; }
.cards a::after { content: ""; position: absolute; inset: 0; }
.cards p { margin: .25rem 0 0; color: var(--quiet); font-size: .9rem; line-height: 1.45; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--tint); padding: .12em .35em; border-radius: .25rem; }
pre { margin: 1rem 0; padding: .9rem 1rem; overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; line-height: 1.5; }
pre code { padding: 0; background: none; font-size: .84rem; }
.code { position: relative; }
.code button { position: absolute; top: .45rem; right: .45rem; padding: .15rem .6rem; font: .78rem/1.5 system-ui, sans-serif; color: var(--quiet); background: var(--paper); border: 1px solid var(--line); border-radius: .35rem; cursor: pointer; opacity: 0; }
.code:hover button, .code button:focus-visible { opacity: 1; }
@media (hover: none) { .code button { opacity: 1; } }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; min-width: 30rem; font-size: .9rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td code { overflow-wrap: anywhere; }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
@media (min-width: 60rem) {
  body:not(.greeting) { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; }
  .menu { display: none; }
  .side { display: block; position: sticky; top: 3.5rem; align-self: start; max-height: calc(100vh - 3.5rem); overflow-y: auto; padding: .5rem 1.5rem 2rem; border-right: 1px solid var(--line); font-size: .92rem; }
  main { padding: 2rem 3rem 6rem; }
}
.greeting main { margin: 0 auto; padding-top: 10vh; }
.moved { margin-top: 3rem; color: var(--quiet); font-size: .9rem; }
@media print { header, .side, .menu, .skip, .code button { display: none; } }
`;
