import { cookies } from "next/headers";

const COOKIE = "theme";
const YEAR_SECONDS = 365 * 86_400;

/** What the toggle was set to last; undefined: as the system has it. In the first HTML, so nothing flashes. */
export async function getTheme(): Promise<"light" | "dark" | undefined> {
  const value = (await cookies()).get(COOKIE)?.value;
  return value === "light" || value === "dark" ? value : undefined;
}

/** Remembers a theme for a year; anything else than the two goes back to the system's. */
export async function setTheme(theme: unknown): Promise<void> {
  const store = await cookies();
  if (theme !== "light" && theme !== "dark") store.delete(COOKIE);
  else store.set(COOKIE, theme, { path: "/", sameSite: "lax", maxAge: YEAR_SECONDS });
}

/** Whether long lines of code run on; in the first HTML, so nothing moves. The toggle writes the cookie. */
export async function getLineWrap(): Promise<"off" | undefined> {
  return (await cookies()).get("wrap")?.value === "off" ? "off" : undefined;
}
