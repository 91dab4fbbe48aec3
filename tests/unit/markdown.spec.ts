import { toHtml } from "hast-util-to-html";
import { expect, test } from "playwright/test";
import { markdownToTree } from "@/lib/resources/artifacts/markdown";

const AWAY = 'target="_blank" rel="noopener noreferrer nofollow"';

test("An image in a part of a page is a link to another site, or only text", () => {
  const shown = (markdown: string) => toHtml(markdownToTree(markdown)).trim();
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
