"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runForm } from "@/app/_shared/run-action";
import { listOrHome, requireScope } from "@/app/_shared/session";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { changedFields, numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { formPrecondition } from "@/lib/platform/http/unchanged";
import { validate } from "@/lib/platform/http/validation";
import { ArtifactCreate, ArtifactUpdate, ShareCreate } from "@/lib/resources/artifacts/contract";
import * as artifacts from "@/lib/resources/artifacts/service";
import * as shares from "@/lib/resources/artifacts/shares";
import { restoreVersion } from "@/lib/resources/artifacts/versions";
import type { Shared } from "./_components/share-link";

export async function createArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const input = validate(ArtifactCreate, fieldsOf(data));
    const id = await createOnce(data, "artifacts.create", input, artifacts.creation);
    redirect(`/artifacts/${id}`);
  });
}

/** `over` overwrites a concurrent change that the user has been told about. */
export async function updateArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const changes = validate(ArtifactUpdate, changedFields(data, fieldsOf(data)));
    const caller = await requireScope("api.write");
    await artifacts.update(caller, id, changes, preconditionOf(data));
    redirect(`/artifacts/${id}`);
  });
}

/** Makes an earlier version the newest; `over` as in `updateArtifact`. */
export async function restoreArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const caller = await requireScope("api.write");
    await restoreVersion(caller, id, textField(data, "number"), preconditionOf(data));
    redirect(`/artifacts/${id}`);
  });
}

export async function deleteArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    await artifacts.remove(await requireScope("api.write"), textField(data, "id"));
    redirect(await listOrHome("/artifacts"));
  });
}

export async function shareArtifact(
  _: FormResult | Shared,
  data: FormData,
): Promise<FormResult | Shared> {
  return runForm(data, async () => {
    const input = validate(ShareCreate, { expires_in: numberField(data, "expires_in") ?? null });
    const id = textField(data, "id");
    const caller = await requireScope("api.write");
    const { url } = await shares.share(caller, id, input);
    revalidatePath(`/artifacts/${id}`);
    return { url };
  });
}

/** Revokes one link, or all of them if the form names none. */
export async function revokeShares(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const share = textField(data, "share");
    const caller = await requireScope("api.write");
    await (share === "" ? shares.revokeAll(caller, id) : shares.revokeShare(caller, id, share));
    redirect(`/artifacts/${id}`);
  });
}

function preconditionOf(data: FormData) {
  const isOver = textField(data, "over") === "1";
  return isOver ? undefined : formPrecondition(textField(data, "tag"));
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textField(data, "name"),
    format: textField(data, "format"),
    content: textField(data, "content"),
  };
}
