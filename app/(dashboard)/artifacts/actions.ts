"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { runForm } from "@/app/_shared/run-action";
import { listOrHome, visitor } from "@/app/_shared/session";
import { changedFields, numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import * as artifacts from "@/lib/resources/artifacts/operations";
import { getVersion } from "@/lib/resources/artifacts/versions";
import type { Shared } from "./_components/share-link";

export async function createArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    redirect(`/artifacts/${await create(artifacts.createArtifact, data, fieldsOf(data))}`);
  });
}

/** `over` confirms that a concurrent change, which the user has seen, may be overwritten. */
export async function updateArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const body = changedFields(data, fieldsOf(data));
    await act(artifacts.updateArtifact, { params: { id }, body, tag: tagOf(data) });
    redirect(`/artifacts/${id}`);
  });
}

/** Makes an earlier version the newest; `over` as in `updateArtifact`. */
export async function restoreArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const { caller } = await visitor();
    const { name, format, content } = await getVersion(caller, id, textField(data, "number"));
    const body = { name, format, content };
    await act(artifacts.updateArtifact, { params: { id }, body, tag: tagOf(data) });
    redirect(`/artifacts/${id}`);
  });
}

export async function deleteArtifact(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    await act(artifacts.deleteArtifact, { params: { id: textField(data, "id") } });
    redirect(await listOrHome("/artifacts"));
  });
}

export async function shareArtifact(
  _: FormResult | Shared,
  data: FormData,
): Promise<FormResult | Shared> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const body = { expires_in: numberField(data, "expires_in") ?? null };
    const { url } = await act<Shared>(artifacts.shareArtifact, { params: { id }, body });
    revalidatePath(`/artifacts/${id}`);
    return { url };
  });
}

/** Revokes one link, or all of them if the form names none. */
export async function revokeShares(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const id = textField(data, "id");
    const shareId = textField(data, "share");
    await (shareId === ""
      ? act(artifacts.revokeArtifactShares, { params: { id } })
      : act(artifacts.revokeArtifactShare, { params: { id, shareId } }));
    redirect(`/artifacts/${id}`);
  });
}

function tagOf(data: FormData): string | undefined {
  return textField(data, "over") === "1" ? undefined : textField(data, "tag");
}

function fieldsOf(data: FormData): Record<string, unknown> {
  return {
    name: textField(data, "name"),
    format: textField(data, "format"),
    content: textField(data, "content"),
  };
}
