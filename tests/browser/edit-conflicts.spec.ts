import { expect, test } from "../support/browser-fixtures";

interface Conflict {
  what: string;
  kind: string;
  made: Record<string, unknown>;
  theirs: Record<string, unknown>;
  /** The label of the field that the person changes, and what they type. */
  mine: [label: string, value: string];
  /** All that the form says of the others' change. */
  said: string[];
  /** Their value of the person's field, if they have changed it too. */
  taken?: string;
  saved: Record<string, unknown>;
}

const CONFLICTS: Conflict[] = [
  {
    what: "the URL and headers of a message with a binary body",
    kind: "messages",
    made: {
      url: "https://example.com/",
      headers: { "x-one": "1" },
      body: "?",
      delay_seconds: 3600,
    },
    theirs: { url: "https://example.com/theirs", headers: { "x-one": "2" } },
    mine: ["URL", "https://example.com/mine"],
    said: ["URL is now https://example.com/theirs", "Headers is now x-one: 2"],
    taken: "https://example.com/theirs",
    saved: { url: "https://example.com/mine", headers: { "x-one": "2" }, body: "/wA=" },
  },
  {
    what: "what a schedule creates",
    kind: "schedules",
    made: { name: "Hourly", every_seconds: 3600, target: { task: { name: "Count" } } },
    theirs: { target: { message: { url: "https://example.com/" } } },
    mine: ["Name", "Each hour"],
    said: ["Creates is now message", "URL is now https://example.com/"],
    saved: { name: "Each hour", target: { message: { url: "https://example.com/" } } },
  },
];

for (const { what, kind, made, theirs, mine, said, taken, saved } of CONFLICTS) {
  test(`A form says what somebody else has changed as it shows it, and nothing else: ${what}`, async ({
    page,
    db,
    own,
  }) => {
    const { id } = await own.create(kind, made);
    // Only a replayed event makes such a body.
    if (kind === "messages") {
      await db.query("UPDATE scheduled_messages SET body = '\\xff00' WHERE id = $1", [id]);
    }
    await page.goto(`/${kind}/${id}?edit=1`);
    await own.update(`${kind}/${id}`, theirs);
    const [label, value] = mine;
    const field = page.getByLabel(label, { exact: true });
    const save = page.getByRole("button", { name: "Save changes" });
    await field.fill(value);
    await save.click();
    await expect(page.locator("form", { has: save }).locator("li > span")).toHaveText(said);
    const take = page.getByRole("button", { name: "Take theirs" });
    await expect(take).toHaveCount(taken === undefined ? 0 : 1);
    if (taken !== undefined) {
      await take.click();
      await expect(field).toHaveValue(taken);
      await field.fill(value);
    }
    await save.click();
    await expect(page).toHaveURL(`/${kind}/${id}`);
    expect(await own.read(`${kind}/${id}`)).toMatchObject(saved);
  });
}
