import { expect, test } from "playwright/test";
import { AREAS } from "../mutants/all";
import { problemsOf } from "../mutants/mutant";
import { ROOT } from "../support/servers";

test("Each mutant breaks a text that its source has once, and names specs that exist", () => {
  expect(problemsOf(AREAS, ROOT)).toEqual([]);
});
