"use server";

import { redirect } from "next/navigation";
import { attempt } from "@/app/attempt";
import { numberOf, textOf } from "@/app/form";
import { accountOf, callerWith } from "@/app/session";
import type { Complaint } from "@/components/ui/action-form";
import { ArtifactCreate, ArtifactUpdate, ShareCreate } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import * as shares from "@/lib/artifacts/shares";
import { entityTag, unchangedSince } from "@/lib/http/conditional";
import { once } from "@/lib/http/once";
import { validate } from "@/lib/http/validation";

export async function createArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(ArtifactCreate, fieldsOf(data));
    const key = { id: textOf(data, "form"), scope: account.sessionId, work: "artifacts.create" };
    const id = await once(key, async (db) => (await artifacts.create(caller, input, db)).id);
    redirect(`/artifacts/${id}`);
  });
}

/**
 * What was not touched is left alone: it may hold what a form cannot show, such as a line break.
 * `over` is for who has seen that somebody else has changed it meanwhile.
 */
export async function updateArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    const isShown = (name: string) =>
      entityTag(textOf(data, name)) === textOf(data, `shown_${name}`);
    const changed = Object.entries(fieldsOf(data)).filter(([name]) => !isShown(name));
    const changes = validate(ArtifactUpdate, Object.fromEntries(changed));
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
    redirect("/artifacts");
  });
}

/** What came of making a link: the link itself, which is shown this once, or why there is none. */
export type Shared = { url: string; complaint: null } | { url: null; complaint: Complaint };

export async function shareArtifact(_: Shared, data: FormData): Promise<Shared> {
  let url = "";
  const complaint = await attempt(async () => {
    const input = validate(ShareCreate, { expires_in: numberOf(data, "expires_in") ?? null });
    url = (await shares.share(await callerWith("api.write"), textOf(data, "id"), input)).url;
  });
  return complaint === null ? { url, complaint } : { url: null, complaint };
}

export async function revokeShares(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = textOf(data, "id");
    await shares.revoke(await callerWith("api.write"), id);
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
