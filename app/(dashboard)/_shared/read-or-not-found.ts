import { notFound, redirect } from "next/navigation";
import { withQuery } from "@/app/_shared/query";
import { visitor } from "@/app/_shared/session";
import type { Account } from "@/lib/identity/sessions/visitor";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { claimStateOf } from "@/lib/resources/claims/service";
import { kindOf } from "@/lib/resources/kinds";

/**
 * Reads a page's resource. A missing resource and another organization's both lead to the "not
 * found" page, unless the person can switch to that organization. A signed-out visitor who may not
 * read it is sent to sign in, and then back to `here`.
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
    const id = here.split(/[/?]/).find(kindOf);
    if (account && id && (await isOfAnother(account, id))) {
      redirect(withQuery(`/claim/${id}`, { next: here }));
    }
    notFound();
  }
}

/** The result of `read`; null if the resource does not exist. */
export async function orNull<Found>(read: Promise<Found>): Promise<Found | null> {
  return read.catch((error: unknown) => {
    if (toApiError(error).code === "resource_not_found") return null;
    throw error;
  });
}

/** Whether a resource belongs to another organization of the person. */
async function isOfAnother({ organization, memberships }: Account, id: string): Promise<boolean> {
  if (memberships.length < 2) return false;
  const found = await claimStateOf(id);
  if (found.state !== "owned" || found.organizationId === organization.id) return false;
  return memberships.some(({ organizationId }) => organizationId === found.organizationId);
}
