/**
 * The style of a rendered document. Repeats `app/globals.css`, which frames do not have. Its text
 * begins below the title of the surrounding page. That title's margin grows from a page width of
 * 641 px, 52 of which the rail takes: hence the 589 px of the frame.
 */
export const DOCUMENT_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#ffffff, #0e0f12);
  --surface: light-dark(#f6f7f8, #16181c);
  --line: light-dark(#e3e5e9, #272a30);
  --ink: light-dark(#15171b, #eceef1);
  --muted: light-dark(#59606c, #9da4b0);
  --accent: light-dark(#3046c9, #9aabff);
  --ok: light-dark(#16734a, #4cc38a);
  --waiting: light-dark(#855500, #f0b34a);
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body {
  margin: 0;
  background: var(--canvas);
  color: var(--ink);
  font: 1rem/1.625 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: break-word; }
@media (width >= 589px) { main { padding-inline: 1.5rem; } }
main > :first-child { margin-top: 0; }
h1, h2, h3, h4, h5, h6 { margin: 2rem 0 0.75rem; line-height: 1.25; letter-spacing: -0.011em; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.375rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.125rem; }
h4, h5, h6 { font-size: 1rem; }
p, ul, ol, dl, pre, table, blockquote, figure, details { margin: 0 0 1rem; }
ul, ol { padding-inline-start: 1.5rem; }
li > ul, li > ol { margin-bottom: 0; }
li:has(> input[type="checkbox"]), li:has(> p > input[type="checkbox"]) { list-style: none; }
li > input[type="checkbox"], li > p > input[type="checkbox"] { margin: 0; margin-inline: -1.25rem 0.375rem; accent-color: var(--accent); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, kbd, pre, samp, tt { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
code, kbd { padding: 0.125em 0.3em; background: var(--surface); border-radius: 3px; }
pre { padding: 0.75rem 1rem; overflow-x: auto; background: var(--surface); border: 1px solid var(--line); line-height: 1.5; }
pre code { padding: 0; background: none; font-size: 1em; }
.code-comment { color: var(--muted); }
.code-string { color: var(--ok); }
.code-keyword, .code-name { color: var(--accent); }
.code-number { color: var(--waiting); }
blockquote { padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.375rem 0.75rem; border: 1px solid var(--line); }
th { background: var(--surface); }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.note { color: var(--muted); }
.note + pre { white-space: pre-wrap; }
`;
