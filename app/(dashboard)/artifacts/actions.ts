"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act, create } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { listOrHome, visitor } from "@/app/_shared/session";
import { changedFields, numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import * as artifacts from "@/lib/resources/artifacts/operations";
import { getVersion } from "@/lib/resources/artifacts/versions";
import type { Shared } from "./_components/share-link";

export const createArtifact = formAction(async (data) => {
  redirect(`/artifacts/${await create(artifacts.createArtifact, data, fieldsOf(data))}`);
});

/** `over` confirms that a concurrent change, which the user has seen, may be overwritten. */
export const updateArtifact = formAction(async (data) => {
  const id = textField(data, "id");
  const body = changedFields(data, fieldsOf(data));
  await act(artifacts.updateArtifact, { params: { id }, body, tag: tagOf(data) });
  redirect(`/artifacts/${id}`);
});

/** Makes an earlier version the newest; `over` as in `updateArtifact`. */
export const restoreArtifact = formAction(async (data) => {
  const id = textField(data, "id");
  const { caller } = await visitor();
  const { name, format, content } = await getVersion(caller, id, textField(data, "number"));
  const body = { name, format, content };
  await act(artifacts.updateArtifact, { params: { id }, body, tag: tagOf(data) });
  redirect(`/artifacts/${id}`);
});

export const deleteArtifact = formAction(async (data) => {
  await act(artifacts.deleteArtifact, { params: { id: textField(data, "id") } });
  redirect(await listOrHome("/artifacts"));
});

export const shareArtifact = formAction<Shared>(async (data) => {
  const id = textField(data, "id");
  const body = { expires_in: numberField(data, "expires_in") ?? null };
  const { url } = await act<Shared>(artifacts.shareArtifact, { params: { id }, body });
  revalidatePath(`/artifacts/${id}`);
  return { url };
});

/** Revokes one link, or all of them if the form names none. */
export const revokeShares = formAction(async (data) => {
  const id = textField(data, "id");
  const shareId = textField(data, "share");
  await (shareId === ""
    ? act(artifacts.revokeArtifactShares, { params: { id } })
    : act(artifacts.revokeArtifactShare, { params: { id, shareId } }));
  redirect(`/artifacts/${id}`);
});

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
