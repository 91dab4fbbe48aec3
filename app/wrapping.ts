import { cookies } from "next/headers";

/** Whether long lines of code run on; in the first HTML, so nothing moves. The toggle writes the cookie. */
export async function chosenWrapping(): Promise<"off" | undefined> {
  return (await cookies()).get("wrap")?.value === "off" ? "off" : undefined;
}
