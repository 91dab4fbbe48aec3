import { notFound, redirect } from "next/navigation";
import { visitor } from "@/app/_shared/session";
import { toApiError } from "@/lib/http/errors";

/**
 * Reads what a page shows. What does not exist, or is another organization's, is the same "not found"
 * page; whoever is signed out goes and signs in where that can help, and comes back to `here`.
 */
export async function readOrNotFound<Resource>(
  here: string,
  read: () => Promise<Resource>,
): Promise<Resource> {
  try {
    return await read();
  } catch (thrown) {
    const { code } = toApiError(thrown);
    if (code !== "forbidden" && code !== "resource_not_found") throw thrown;
    const { account } = await visitor();
    if (!account && code === "forbidden") {
      redirect(`/sign-in?next=${encodeURIComponent(here)}`);
    }
    notFound();
  }
}
