import { expect, test } from "playwright/test";
import { exactPattern } from "@/components/ui/exact-pattern";
import { confirmationWord } from "@/lib/platform/confirmation-word";

test("The word to type is the name if a keyboard has it, and otherwise the ID", () => {
  const wordOf = (name: string) => confirmationWord({ id: "wh_1", name });
  for (const name of ["Orders", "Orders (new), 100 %", "Zo\u00eb’s", "\u6ce8\u6587", "a-b/c"]) {
    expect(wordOf(name)).toBe(name);
  }
  const others = {
    "two spaces": "Two  spaces",
    "a space that does not break": "Non\u00a0breaking",
    "a wide space": "Wide\u3000space",
    "a space at the end": "Orders ",
    "two lines": "two\nlines",
    "an accent apart from its letter": "Zoe\u0308",
    "a change of direction": "\u202eOrders",
  };
  for (const [what, name] of Object.entries(others)) expect(wordOf(name), what).toBe("wh_1");
});

test("The pattern of a confirmation is one that browsers take, and matches its word alone", () => {
  const word = "a-b & c/d (1+1) [x] {y} ^$ |*?.\\ &&--!!";
  const pattern = new RegExp(`^(?:${exactPattern(word)})$`, "v");
  expect(pattern.test(word)).toBe(true);
  expect(pattern.test(word.replace(".", "x"))).toBe(false);
  expect(pattern.test("a-b")).toBe(false);
});
