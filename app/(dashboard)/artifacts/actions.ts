"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { attempt } from "@/app/attempt";
import { accountOf, callerWith } from "@/app/session";
import type { Shared } from "@/components/artifacts/share-form";
import type { Complaint } from "@/components/ui/action-form";
import { ArtifactCreate, ArtifactUpdate, ShareCreate } from "@/lib/artifacts/contract";
import * as artifacts from "@/lib/artifacts/service";
import { revoke, share } from "@/lib/artifacts/shares";
import { unchangedSince } from "@/lib/http/conditional";
import { once } from "@/lib/http/once";
import { validate } from "@/lib/http/validation";

export async function createArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const { account } = await accountOf();
    const caller = await callerWith("api.write");
    const input = validate(ArtifactCreate, fieldsOf(data));
    const form = {
      id: String(data.get("form")),
      scope: account.sessionId,
      work: "artifacts.create",
    };
    const id = await once(form, async (db) => (await artifacts.create(caller, input, db)).id);
    redirect(`/artifacts/${id}`);
  });
}

export async function updateArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    const id = String(data.get("id"));
    const caller = await callerWith("api.write");
    const fields = fieldsOf(data);
    // A browser sends other line breaks than it was given: what only they tell apart is unchanged.
    const { content } = await artifacts.get(caller, id);
    if (content.replaceAll("\r\n", "\n") === fields.content) delete fields.content;
    const changes = validate(ArtifactUpdate, fields);
    await artifacts.update(caller, id, changes, unchangedSince(String(data.get("tag"))));
    redirect(`/artifacts/${id}`);
  });
}

export async function deleteArtifact(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await artifacts.remove(await callerWith("api.write"), String(data.get("id")));
    redirect("/artifacts");
  });
}

export async function shareArtifact(_: Shared, data: FormData): Promise<Shared> {
  let url: string | null = null;
  const complaint = await attempt(async () => {
    const seconds = Number(data.get("expires_in"));
    const input = validate(ShareCreate, seconds > 0 ? { expires_in: seconds } : {});
    url = (await share(await callerWith("api.write"), String(data.get("id")), input)).url;
  });
  return { url, complaint: complaint?.message ?? null };
}

export async function revokeShares(_: Complaint, data: FormData): Promise<Complaint> {
  return attempt(async () => {
    await revoke(await callerWith("api.write"), String(data.get("id")));
    revalidatePath(`/artifacts/${data.get("id")}`);
  });
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: String(data.get("name")),
    format: String(data.get("format")),
    content: String(data.get("content") ?? "").replaceAll("\r\n", "\n"),
  };
}
