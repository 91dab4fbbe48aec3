"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/_shared/attempt";
import { callerWith, listOrHome, visitorAddress } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { numberOf, textOf, touched } from "@/app/(dashboard)/_shared/form";
import type { Complaint } from "@/components/ui/action-form";
import { ArtifactCreate, ArtifactUpdate, ShareCreate } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import * as shares from "@/lib/artifacts/shares";
import { clientOf } from "@/lib/claims/token";
import { unchangedSince } from "@/lib/http/conditional";
import { validate } from "@/lib/http/validation";

export async function createArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const input = validate(ArtifactCreate, fieldsOf(data));
    const id = await createOnce(data, "artifacts.create", input, artifacts.create);
    redirect(`/artifacts/${id}`);
  });
}

/** `over` is for who has been told that somebody else has changed it meanwhile. */
export async function updateArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const changes = validate(ArtifactUpdate, touched(data, fieldsOf(data)));
    const caller = await callerWith("api.write");
    const isOver = textOf(data, "over") === "1";
    const precondition = isOver ? undefined : unchangedSince(textOf(data, "tag"));
    await artifacts.update(caller, id, changes, precondition);
    redirect(`/artifacts/${id}`);
  });
}

export async function deleteArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await artifacts.remove(await callerWith("api.write"), textOf(data, "id"));
    redirect(await listOrHome("/artifacts"));
  });
}

/** What came of making a link: the link itself, which is shown this once, or why there is none. */
export type Shared = { url: string; complaint: null } | { url: null; complaint: Complaint };

export async function shareArtifact(_: Shared, data: FormData): Promise<Shared> {
  let url = "";
  const complaint = await attempt(async () => {
    const input = validate(ShareCreate, { expires_in: numberOf(data, "expires_in") ?? null });
    const id = textOf(data, "id");
    const caller = await callerWith("api.write");
    const client = clientOf(caller, await visitorAddress());
    url = (await shares.share(caller, id, input, client)).url;
    revalidatePath(`/artifacts/${id}`);
  });
  return complaint === null ? { url, complaint } : { url: null, complaint };
}

/** Revokes one link, or all of them where the form names none. */
export async function revokeShares(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const share = textOf(data, "share");
    const caller = await callerWith("api.write");
    await (share === "" ? shares.revokeAll(caller, id) : shares.revokeShare(caller, id, share));
    redirect(`/artifacts/${id}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textOf(data, "name"),
    format: textOf(data, "format"),
    content: textOf(data, "content"),
  };
}
