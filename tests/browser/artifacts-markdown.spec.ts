import { markdownToHtml } from "@/lib/resources/artifacts/markdown";
import { expect, test } from "../support/fixtures";

/**
 * The output of `markdownToHtml` is harmless by itself: here it is in a page that has neither the
 * frame's sandbox nor its policy, in a real browser.
 */

const VECTORS = [
  "<script>hit()</script>",
  "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>hit()</scr</script>ipt>",
  "<img src=x onerror=hit()>",
  '<img src="x" onerror="hit()" onload=hit()>',
  "<img src=x:alert(alt) onerror=eval(src) alt=hit()>",
  "<img/src=x/onerror=hit()>",
  "<img src=`x` onerror=hit()>",
  '<img """><script>hit()</script>">',
  "<svg onload=hit()>",
  "<svg><script>hit()</script></svg>",
  '<svg><a xlink:href="javascript:hit()"><text y=20>x</text></a></svg>',
  "<svg><animate onbegin=hit() attributeName=x dur=1s>",
  "<svg><style><img src=x onerror=hit()></style></svg>",
  "<math><mi//xlink:href='data:x,<script>hit()</script>'>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=hit()&gt;'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit()>",
  "<svg></p><style><a id='</style><img src=1 onerror=hit()>'>",
  "<noscript><p title='</noscript><img src=x onerror=hit()>'>",
  "<noembed><img title='</noembed><img src=x onerror=hit()>'></noembed>",
  "<xmp><img title='</xmp><img src=x onerror=hit()>'></xmp>",
  "<textarea><img title='</textarea><img src=x onerror=hit()>'></textarea>",
  "<title><img title='</title><img src=x onerror=hit()>'></title>",
  "<plaintext><img src=x onerror=hit()>",
  "<template><img src=x onerror=hit()></template>",
  "<iframe src=javascript:hit()></iframe>",
  "<iframe srcdoc='<script>parent.hit()</script>'></iframe>",
  "<object data=javascript:hit()></object>",
  "<embed src=javascript:hit()>",
  "<body onload=hit()>",
  "<details open ontoggle=hit()><summary>x</summary></details>",
  "<input autofocus onfocus=hit()>",
  "<select autofocus onfocus=hit()>",
  "<video><source onerror=hit()></video>",
  "<audio src=x onerror=hit()>",
  "<marquee onstart=hit()>x</marquee>",
  "<style>@import 'javascript:hit()'; * { background: url('javascript:hit()') }</style>",
  '<b style="animation: x 1s" onanimationstart=hit()>x</b><style>@keyframes x {}</style>',
  "<link rel=stylesheet href=javascript:hit()>",
  '<meta http-equiv=refresh content="0;url=javascript:hit()">',
  "<base href=javascript:hit()//>",
  "<form action=javascript:hit()><button>click</button></form>",
  "<button formaction=javascript:hit()>click</button>",
  "<isindex action=javascript:hit() type=submit>",
  "<a href=javascript:hit()>click</a>",
  '<a href="java&#x0A;script:hit()">click</a>',
  '<a href="&#106;avascript:hit()">click</a>',
  '<a href=" &#14; javascript:hit()">click</a>',
  '<a href="data:text/html,<script>hit()</script>">click</a>',
  '<a href="vbscript:hit()">click</a>',
  "<a href=https://x.example onclick=hit()>click</a>",
  "<a href=https://x.example onmouseover=hit()>click</a>",
  "[click](javascript:hit())",
  "[click](JaVaScRiPt:hit())",
  "[click](<java\tscript:hit()>)",
  "[click](javascript&colon;hit())",
  "[click](javascript&#58;hit())",
  "[click](\u0001javascript:hit())",
  "[click](data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==)",
  "[click]: javascript:hit()\n\n[click]",
  "<javascript:hit()>",
  "![x](javascript:hit())",
  '![x](x"onerror="hit())',
  "![x](https://x.example/y 'a\" onerror=\"hit()')",
  "![x](data:image/svg+xml,<svg/onload=hit()>)",
  '```js" onmouseover="hit()\n<script>hit()</script>\n```',
  "`<script>hit()</script>`",
  "| <script>hit()</script> | <img src=x onerror=hit()> |\n|---|---|\n| <svg onload=hit()> | x |",
  "- [ ] <img src=x onerror=hit()>",
  "# <img src=x onerror=hit()>",
  '<h1 id="hit" onclick="hit()">x</h1>',
  "&lt;script&gt;hit()&lt;/script&gt;",
  "<!-- --!><img src=x onerror=hit()> -->",
  "<![CDATA[<img src=x onerror=hit()>]]>",
  "<?xml <img src=x onerror=hit()> ?>",
  "</p></main></body><script>hit()</script>",
  "<p is=x-y slot=x part=x contenteditable oninput=hit()>x</p>",
];

test(`${VECTORS.length} ways to run a script from Markdown fail, even without frame, sandbox or policy`, async ({
  page,
}) => {
  expect(VECTORS.length).toBeGreaterThanOrEqual(60);
  const said: string[] = [];
  await page.exposeFunction("hit", () => said.push("hit"));
  page.on("dialog", (dialog) => said.push(dialog.message()));
  // Nothing is asked of the network, and what a document asks for fails, as `onerror` needs it.
  await page.route("**/*", (route) =>
    route.request().url() === "http://page.test/"
      ? route.fulfill({ contentType: "text/html", body: "<!doctype html><main></main>" })
      : route.abort(),
  );
  await page.goto("http://page.test/");
  const sections = VECTORS.map(
    (vector) => `<section>${markdownToHtml(vector)}\n${markdownToHtml(`text ${vector}`)}</section>`,
  );
  await page.setContent(`<!doctype html><main>${sections.join("")}</main>`);
  // None has swallowed those after it, or left its own.
  await expect(page.locator("main > section")).toHaveCount(VECTORS.length);
  expect(await page.evaluate(dangers)).toEqual([]);
  // Everything that can be clicked, hovered and focused is; then what was loaded has failed too.
  await page.evaluate(async () => {
    for (const one of document.querySelectorAll("main *")) {
      for (const type of ["click", "mouseover"])
        one.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
      one.dispatchEvent(new FocusEvent("focus"));
    }
    const last = new Image();
    last.src = "http://page.test/last.png";
    await last.decode().catch(() => undefined);
  });
  expect(said).toEqual([]);
});

test("The same checks fail for a page without the sanitizer", async ({ page }) => {
  await page.setContent(`<!doctype html><main>${VECTORS.slice(0, 5).join("")}</main>`);
  expect((await page.evaluate(dangers)).length).toBeGreaterThan(3);
});

test("GitHub Flavored Markdown is rendered as expected", async ({ page }) => {
  const markdown = [
    "# One *two*\n\n# One *two*\n",
    "| a | b |\n|---|--:|\n| 1 | 2 |\n",
    "- [ ] open\n- [x] done\n",
    "~~gone~~ https://auto.example/ [down](#one-two-1) [away](https://x.example/?a=1&b=2) [rel](./x)\n",
    "![pic](https://x.example/p.png) ![http](http://x.example/p.png)\n",
    "```js\nlet a = 1 < 2;\n```\n",
    "<details><summary>more</summary>inside</details>\n",
  ].join("\n");
  await page.setContent(`<!doctype html><main>${markdownToHtml(markdown)}</main>`);
  await expect(page.locator("h1").nth(0)).toHaveAttribute("id", "one-two");
  await expect(page.locator("h1").nth(1)).toHaveAttribute("id", "one-two-1");
  await expect(page.locator("td").nth(1)).toHaveAttribute("align", "right");
  await expect(page.locator("input:disabled:checked")).toHaveCount(1);
  await expect(page.locator("input:disabled:not(:checked)")).toHaveCount(1);
  await expect(page.locator("del")).toHaveText("gone");
  await expect(page.locator("code.language-js")).toHaveText("let a = 1 < 2;\n");
  await expect(page.locator("summary")).toHaveText("more");
  const links = await page
    .locator("a")
    .evaluateAll((all) =>
      all.map((a) => [a.textContent, a.getAttribute("href"), a.getAttribute("rel")]),
    );
  const rel = "noopener noreferrer nofollow";
  expect(links).toEqual([
    ["https://auto.example/", "https://auto.example/", rel],
    ["down", "#one-two-1", null],
    ["away", "https://x.example/?a=1&b=2", rel],
    ["rel", null, null],
  ]);
  const images = await page
    .locator("img")
    .evaluateAll((all) => all.map((img) => [img.getAttribute("alt"), img.getAttribute("src")]));
  expect(images).toEqual([
    ["pic", "https://x.example/p.png"],
    ["http", null],
  ]);
});

/** What no rendered document may hold; runs in the page. */
function dangers(): string[] {
  const found: string[] = [];
  for (const one of document.querySelectorAll("main *, body > :not(main), head *")) {
    const tag = one.tagName.toLowerCase();
    if (/^(script|style|iframe|object|embed|form|base|meta|link|svg|math|template)$/.test(tag)) {
      found.push(tag);
    }
    for (const { name, value } of one.attributes) {
      const address = [...value.toLowerCase()].filter((character) => character > " ").join("");
      if (name.startsWith("on") || ["style", "srcdoc", "formaction", "srcset"].includes(name)) {
        found.push(`${tag} ${name}`);
      }
      if (/^(javascript|vbscript|data:text|data:image\/svg)/.test(address) && name !== "alt") {
        found.push(`${tag} ${name}=${value}`);
      }
    }
  }
  return found;
}
