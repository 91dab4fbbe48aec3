import type { Page } from "playwright/test";

/** One page to take a picture of. */
export interface Picture {
  name: string;
  path: string;
  /** Who is signed in; by default the owner of the organization with the most data. */
  as?: "owner" | "newcomer" | "nobody";
  /** Prepares the page before the picture is taken. */
  before?(page: Page): Promise<void>;
}
