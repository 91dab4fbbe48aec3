import { expect, test } from "playwright/test";
import { endsOf, goesOnOf, madeWords } from "../../app/(site)/claim/_components/words";
import type { Claimed } from "../../lib/resources/claims/contract";

test("The claim page says of which list there is more", () => {
  const covered: Claimed = { data: [line("wh_a", null), line("tsk_b", "wh_a")], ...links(3) };
  expect(madeWords(covered)).toBe("1 task");
  expect(endsOf(covered)).toEqual(["3 share links of “wh_a” end.", "More share links end."]);
  expect(goesOnOf(covered)).toEqual([]);

  const many: Claimed = { ...covered, ...links(1) };
  expect(madeWords(many)).toBe("1 task, and more");
  expect(endsOf(many)).toEqual(["A share link of “wh_a” ends."]);

  expect(madeWords({ ...covered, has_more: false })).toBe("1 task");
});

test("The claim page says which question's reply is held, and where the others reply", () => {
  const target = { setting: "target", value: "https://a.example", survives_claim: true } as const;
  const covered: Claimed = {
    data: [{ ...line("qst_a", null), kind: "questions", stops: true }, line("qst_b", null)],
    settings: ["qst_a", "qst_b"].map((resource_id) => ({ resource_id, ...target })),
    has_more: false,
  };
  expect(endsOf(covered)).toEqual(["The reply of “qst_a” is held until you send it."]);
  expect(goesOnOf(covered)).toEqual(["The question “qst_b”, which replies to https://a.example."]);
});

function line(id: string, made_by: string | null): Claimed["data"][number] {
  const kind = id.startsWith("tsk") ? "tasks" : "webhooks";
  const rest = { changed_since_created: false, stops: false };
  return { id, kind, name: id, created_at: 1, made_by, ...rest };
}

function links(count: number): Pick<Claimed, "settings" | "has_more"> {
  const settings = Array.from({ length: count }, (_, n) => {
    const link = { setting: "share", value: `shr_${n}`, survives_claim: false } as const;
    return { resource_id: "wh_a", ...link };
  });
  return { settings, has_more: true };
}
