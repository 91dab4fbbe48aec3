import { notFound, redirect } from "next/navigation";
import { visitor } from "@/app/_shared/session";
import { toApiError } from "@/lib/platform/http/error-envelope";

/**
 * Reads a page's resource. A missing resource and another organization's both lead to the "not
 * found" page. A signed-out visitor who may not read it is sent to sign in, and then back to
 * `here`.
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
