import { EventEmitter } from "node:events";
import { toHtml } from "hast-util-to-html";
import { expect, test } from "playwright/test";
import { oncePerProcess } from "@/lib/platform/process";
import { markdownToHtml, markdownToTree } from "@/lib/resources/artifacts/markdown";
import { rendered } from "@/lib/resources/artifacts/rendered";

const LINE = "Some words of a line of prose, which is as wide as an editor wraps it, and on\n";
const PROSE = LINE.repeat(12_500);

const AWAY = 'target="_blank" rel="noopener noreferrer nofollow"';

test("An image in a part of a page is a link to another site, or only text", () => {
  const shown = (markdown: string) => toHtml(markdownToTree(markdown).root).trim();
  expect(shown("![a chart](https://example.com/a.png)")).toBe(
    `<p><a href="https://example.com/a.png" ${AWAY}>a chart</a></p>`,
  );
  for (const address of [
    "a.png",
    "/a.png",
    "//example.com/a.png",
    "#a",
    "data:image/png;base64,AA",
  ]) {
    expect(shown(`![a chart](${address})`), address).toBe("<p><span>a chart</span></p>");
  }
  expect(shown("![](a.png)")).toBe("<p><span>Image</span></p>");
  expect(shown("[see **the ![badge](https://example.com/b.svg)**](https://example.com/)")).toBe(
    `<p><a href="https://example.com/" ${AWAY}>see <strong>the <span>badge</span></strong></a></p>`,
  );
});

test("A document keeps what has no effect beyond itself, and loses the rest", () => {
  const cases: [markdown: string, html: string][] = [
    ["a <script>hit()</script>b", "<p>a b</p>"],
    ["<style>p {}</style>a", "a"],
    ["<iframe src=https://example.com>f</iframe>a", "a"],
    ["<object data=x>o</object><svg><title>t</title></svg>a", "<p>a</p>"],
    ["<form action=https://example.com><button>b</button></form>", "b"],
    ["a <!-- c -->b", "<p>a b</p>"],
    ["<p style='color: red' onclick=hit() class=x id=y lang=en>a</p>", '<p lang="en">a</p>'],
    ["<p lang=zh-Hant-TW dir=RTL>a</p>", '<p lang="zh-Hant-TW" dir="RTL">a</p>'],
    ["<p lang='en us' dir=up>a</p>", "<p>a</p>"],
    [`<p lang=${"x".repeat(36)}>a</p>`, "<p>a</p>"],
    ["<code class='language-js other'>a</code>", '<p><code class="language-js">a</code></p>'],
    ["<input type=text value=a>", '<input disabled type="checkbox" aria-label="Not done">'],
    ["<td>a</td>", "a"],
    ["<h1 onclick=hit()>A b</h1>", '<h1 id="a-b">A b</h1>'],
    ["[a](javascript:hit())[b](data:text/html,b)[c](/c)", "<p><a>a</a><a>b</a><a>c</a></p>"],
    ["[a](#a)", '<p><a href="#a">a</a></p>'],
    ["[a](http://example.com)", `<p><a href="http://example.com" ${AWAY}>a</a></p>`],
    ["<img src=http://example.com/a.png onerror=hit()>", "<img>"],
    ["<img src='data:image/svg+xml;base64,AA'>", "<img>"],
    [
      "<img src='data:image/png;base64,AA' onerror=hit()>",
      '<img src="data:image/png;base64,AA" loading="lazy">',
    ],
  ];
  for (const [markdown, html] of cases) {
    expect(markdownToHtml(markdown).trim(), markdown).toBe(html);
  }
});

test("A part of a page has no IDs, no headings above its own, and a bounded depth", () => {
  const shown = (markdown: string) => toHtml(markdownToTree(markdown).root).trim();
  expect(shown("# A")).toBe("<h3>A</h3>");
  expect(shown("<h6 id=a>A</h6>")).toBe("<h6>A</h6>");
  expect(shown("[a](#a)")).toBe("<p><a>a</a></p>");
  expect(shown("- [x] a")).toContain('aria-label="Done"');
  expect(shown("~~~\na\n~~~")).toContain('<pre tabindex="0">');
  expect(() => shown("<div>".repeat(100))).toThrow("too deeply");
});

test("A part of a page has a bounded size, which a long README does not reach and a short table may", () => {
  const section = `# \`name\`\n\n${LINE.repeat(10)}\n- a [link](https://example.com/link) to *one*\n\n`;
  expect(markdownToTree(section.repeat(110)).characters).toBeGreaterThan(90_000);
  const table = `|${"a|".repeat(200)}\n|${"-|".repeat(200)}\n${"|\n".repeat(30)}`;
  expect(() => markdownToTree(table)).toThrow("too many elements");
  expect(() => markdownToTree('"'.repeat(20_000))).toThrow("too many characters");
});

test("Attributes that each block repeats have a bounded size, which long prose does not reach", () => {
  const long = "x".repeat(10_000);
  const repeated = (element: string) => `<p>${element}${"<p>a".repeat(1000)}`;
  for (const render of [markdownToHtml, markdownToTree]) {
    for (const element of [`<a href="https://example.com/${long}">`, `<a title=${long}>`]) {
      expect(() => render(repeated(element))).toThrow("too many characters");
    }
  }
  const language = repeated(`<b lang=${long}>`);
  expect(markdownToTree(language).characters).toBeLessThan(10_000);
  expect(markdownToHtml(language).length).toBeLessThan(100_000);
  expect(markdownToHtml(PROSE).length).toBeGreaterThan(PROSE.length);
});

test("A tree takes as much of the cache as it has nodes and characters", async () => {
  let renderings = 0;
  let size = { nodes: 40_000, characters: 0 };
  const worker = new EventEmitter();
  const postMessage = () => {
    renderings += 1;
    worker.emit("message", { root: { type: "root", children: [] }, ...size });
  };
  Object.assign(worker, { postMessage });
  oncePerProcess("artifacts.markdown-threads", () => new Set<unknown>()).add(worker);
  for (const text of ["a", "b", "c", "c"]) await rendered(text, "tree", null);
  expect(renderings).toBe(3);
  await rendered("a", "tree", null);
  expect(renderings).toBe(4);
  size = { nodes: 1, characters: 6_000_000 };
  for (const text of ["d", "e", "f", "f", "d"]) await rendered(text, "tree", null);
  expect(renderings).toBe(8);
});
