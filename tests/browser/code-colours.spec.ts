import type { Locator } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";

const CODE =
  '# Code\n\n```ts\n// a comment\nconst name: Name = "text"; // 1 < 2\nlet n = 42;\n```\n';
const LOOKS = ["code-comment", "code-keyword", "code-string", "code-number"];

test("Code in documents and descriptions is coloured, with enough contrast in both themes", async ({
  page,
  own,
}) => {
  const artifact = await own.create("artifacts", { name: "Code", content: CODE });
  const task = await own.create("tasks", { name: "Code", description: CODE });
  const { url } = await own.create(`artifacts/${artifact.id}/share`, {});
  const { pathname } = new URL(String(url));
  for (const path of [pathname, `/tasks/${task.id}`]) {
    await page.goto(path);
    const code = (path === pathname ? page.frameLocator("iframe") : page).locator("pre code");
    await expect(code).toHaveText(/const name: Name = "text"; \/\/ 1 < 2/);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const seen = new Set<string>();
      for (const look of LOOKS) {
        const { colour, ratio } = await contrastOf(code.locator(`.${look}`).first());
        seen.add(colour);
        expect({ path, look, isEnough: ratio >= 4.5 }).toEqual({ path, look, isEnough: true });
      }
      expect(seen.size, path).toBe(LOOKS.length);
    }
  }
});

/** The colour of a text and its contrast with what is behind it. */
function contrastOf(text: Locator): Promise<{ colour: string; ratio: number }> {
  return text.evaluate((element) => {
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((one) => {
        const part = Number(one) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let behind: Element | null = element;
    const fill = (one: Element) => getComputedStyle(one).backgroundColor;
    while (behind?.parentElement && /^rgba\(.*, 0\)$/.test(fill(behind))) {
      behind = behind.parentElement;
    }
    const colour = getComputedStyle(element).color;
    const [one, other] = [luminance(colour), luminance(fill(behind ?? element))];
    return { colour, ratio: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) };
  });
}
