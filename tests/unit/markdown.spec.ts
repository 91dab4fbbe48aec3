import { EventEmitter } from "node:events";
import { toHtml } from "hast-util-to-html";
import { expect, test } from "playwright/test";
import { oncePerProcess } from "@/lib/platform/process";
import { markdownToHtml, markdownToTree } from "@/lib/resources/artifacts/markdown";
import { rendered } from "@/lib/resources/artifacts/rendered";

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
    ["<code class='language-js other'>a</code>", '<p><code class="language-js">a</code></p>'],
    ["<input type=text value=a>", '<input disabled type="checkbox">'],
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
  expect(() => shown("<div>".repeat(100))).toThrow("too deeply");
});

test("A part of a page has a bounded size, which long prose does not reach and a short table may", () => {
  const line = "Some words of a line of prose, which is as wide as an editor wraps it, and on\n";
  expect(markdownToTree(line.repeat(12_500)).nodes).toBeGreaterThan(20_000);
  const table = `|${"a|".repeat(200)}\n|${"-|".repeat(200)}\n${"|\n".repeat(150)}`;
  expect(() => markdownToTree(table)).toThrow("too many");
});

test("A tree takes as much of the cache as it has nodes", async () => {
  let renderings = 0;
  const worker = new EventEmitter();
  const postMessage = () => {
    renderings += 1;
    worker.emit("message", { root: { type: "root", children: [] }, nodes: 40_000 });
  };
  Object.assign(worker, { postMessage });
  oncePerProcess("artifacts.markdown-threads", () => new Set<unknown>()).add(worker);
  for (const text of ["a", "b", "c", "c"]) await rendered(text, "tree", null);
  expect(renderings).toBe(3);
  await rendered("a", "tree", null);
  expect(renderings).toBe(4);
});
