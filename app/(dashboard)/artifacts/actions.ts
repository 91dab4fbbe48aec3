"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { act } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { visitor } from "@/app/_shared/session";
import { numberField, textField } from "@/app/(dashboard)/_shared/form-fields";
import {
  createAction,
  deleteAction,
  tagOf,
  updateAction,
} from "@/app/(dashboard)/_shared/resource-actions";
import { artifactOperations as artifacts } from "@/lib/resources/artifacts/operations";
import { getVersion } from "@/lib/resources/artifacts/versions";

export const createArtifact = createAction("artifacts", artifacts.create);
export const updateArtifact = updateAction("artifacts", artifacts.update);
export const deleteArtifact = deleteAction("artifacts", artifacts.remove);

/** Makes an earlier version the newest. */
export const restoreArtifact = formAction(async (data) => {
  const id = textField(data, "id");
  const { caller } = await visitor();
  const { name, format, content } = await getVersion(caller, id, textField(data, "number"));
  const body = { name, format, content };
  await act(artifacts.update, { params: { id }, body, tag: tagOf(data) });
  revalidatePath(`/artifacts/${id}`, "layout");
  redirect(`/artifacts/${id}`);
});

interface Shared {
  id: string;
  url: string;
}

export const shareArtifact = formAction<Shared>(async (data) => {
  const id = textField(data, "id");
  const body = { expires_in: numberField(data, "expires_in") ?? null };
  const form = textField(data, "form");
  const made = await act<Shared>(artifacts.share, { params: { id }, body, form });
  revalidatePath(`/artifacts/${id}`);
  return { id: made.id, url: made.url };
});

/** Revokes one link, or all of them if the form names none. */
export const revokeShares = formAction(async (data) => {
  const id = textField(data, "id");
  const shareId = textField(data, "share");
  await (shareId === ""
    ? act(artifacts.revokeShares, { params: { id } })
    : act(artifacts.revokeShare, { params: { id, shareId } }));
  revalidatePath(`/artifacts/${id}`);
});
