import { cookies } from "next/headers";
import { isTimezone } from "@/lib/resources/schedules/timing";

const COOKIE = "theme";
const YEAR_SECONDS = 365 * 86_400;

/** The chosen theme, read on the server for a right first paint; undefined: the system's. */
export async function getTheme(): Promise<"light" | "dark" | undefined> {
  const value = (await cookies()).get(COOKIE)?.value;
  return value === "light" || value === "dark" ? value : undefined;
}

/** Stores the theme for a year; any value but these two restores the system's. */
export async function setTheme(theme: unknown): Promise<void> {
  const store = await cookies();
  if (theme !== "light" && theme !== "dark") store.delete(COOKIE);
  else store.set(COOKIE, theme, { path: "/", sameSite: "lax", maxAge: YEAR_SECONDS });
}

/** The browser's time zone at its last visit; `TimeZoneProvider` writes the cookie. */
export async function getTimeZone(): Promise<string> {
  const zone = (await cookies()).get("timezone")?.value ?? "";
  return isTimezone(zone) ? zone : "UTC";
}

/** "off" if long lines of code do not wrap. `WrapToggle` writes the cookie. */
export async function getLineWrap(): Promise<"off" | undefined> {
  return (await cookies()).get("wrap")?.value === "off" ? "off" : undefined;
}
