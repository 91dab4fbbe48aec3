import { expect, test } from "../support/browser-fixtures";

test("An inbox has its worker in three languages, each copied whole, without scripts too", async ({
  page,
  openBrowser,
  clipboard,
  inbox,
}) => {
  const plain = await openBrowser({ javaScriptEnabled: false });
  for (const shown of [page, plain]) {
    await shown.goto(`/inboxes/${inbox.id}`);
    const worker = shown.getByRole("region", { name: "Consume events" });
    for (const [name, line] of [
      ["curl", "while got=$(curl"],
      ["TypeScript", `await client.work("${inbox.id}"`],
      ["MCP", "claude mcp add"],
    ] as const) {
      await worker.getByRole("radio", { name }).check({ force: true });
      const code = worker.locator("pre:visible");
      await expect(code).toContainText(line);
      await expect(worker.locator("pre:visible span[class^=code-]").first()).toBeVisible();
      // Its lines scroll within the pane.
      const box = await code.boundingBox();
      expect(box?.x).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
        shown.viewportSize()?.width ?? 0,
      );
      if (shown !== page) continue;
      await worker.getByRole("button", { name: `Copy ${name}` }).click();
      await expect.poll(clipboard).toBe(await code.textContent());
    }
  }
});
