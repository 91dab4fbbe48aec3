import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type Asked, act, create } from "@/app/_shared/act";
import { formAction } from "@/app/_shared/run-action";
import { safeRedirectPath, visitor } from "@/app/_shared/session";
import type { FormAction } from "@/components/ui/action-form";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import type { Operation } from "@/lib/platform/http/operation";
import type { KindName } from "@/lib/resources/kinds";
import { conflictIn } from "./conflict";
import { assertConfirmed, changedFields, fieldsIn, textField } from "./form-fields";

/** The action of a form that creates a resource, and opens it. */
export function createAction(
  kind: KindName,
  operation: Operation,
  bodyOf = fieldsOf(operation),
): FormAction {
  return formAction(async (data) => {
    redirect(`/${kind}/${await create(operation, data, bodyOf(data))}`);
  });
}

/** The action of a form that changes some fields of a resource, and shows it as `shownOf` does. */
export function updateAction<Resource extends object>(
  kind: KindName,
  operation: Operation,
  bodyOf = fieldsOf(operation),
  shownOf?: (resource: Resource) => object,
): FormAction {
  return formAction<null>(async (data) => {
    const id = textField(data, "id");
    const body = changedFields(data, bodyOf(data));
    try {
      await act(operation, { params: { id }, body, tag: tagOf(data) });
    } catch (error) {
      return conflictIn(error, data, shownOf);
    }
    revalidatePath(`/${kind}/${id}`, "layout");
    redirect(backOf(data, `/${kind}/${id}`));
  });
}

/**
 * The version that a form shows, or the newer one of a conflict that it shows; undefined to overwrite
 * a change that the user has seen.
 */
export function tagOf(data: FormData): string | undefined {
  if (textField(data, "over") === "1") return undefined;
  return textField(data, "seen") || textField(data, "tag");
}

/** The action of a button that deletes a resource; with `get`, after its name has been typed. */
export function deleteAction(kind: KindName, operation: Operation, get?: Operation): FormAction {
  return formAction(async (data) => {
    if (get) await assertNameTyped(data, get);
    await act(operation, { params: { id: textField(data, "id") } });
    revalidatePath(`/${kind}`, "layout");
    // A visitor who is signed out has no list.
    redirect((await visitor()).account ? backOf(data, `/${kind}`) : "/");
  });
}

/** The action of any other form of a resource. `asked` returns what its request has besides the ID. The page stays. */
export function resourceAction(
  kind: KindName,
  operation: Operation,
  asked: (data: FormData) => Asked = () => ({}),
): FormAction {
  return formAction(async (data) => {
    const id = textField(data, "id");
    const { params, ...rest } = asked(data);
    await act(operation, { params: { id, ...params }, form: textField(data, "form"), ...rest });
    revalidatePath(`/${kind}/${id}`, "layout");
  });
}

/** The page to which a form goes back, with the filters of its list; `path` if it names none. */
export function backOf(data: FormData, path: string): string {
  return safeRedirectPath(textField(data, "back") || path);
}

/** Throws 400 unless the user has typed the name of the resource, which `get` reads. */
export async function assertNameTyped(data: FormData, get: Operation): Promise<void> {
  const params = { id: textField(data, "id") };
  assertConfirmed(data, confirmationWord(await act(get, { params })));
}

function fieldsOf({ body }: Operation): (data: FormData) => Record<string, unknown> {
  return (data) => (body ? fieldsIn(body, data) : {});
}
