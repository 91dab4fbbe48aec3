import type { ReactNode } from "react";
import { ActionForm, type FormAction, Submit } from "./action-form";
import { AutoFocus } from "./auto-focus";
import { Draft } from "./draft";
import { FormId } from "./form-id";
import { InitialValue } from "./initial-value";
import { Link } from "./link";
import { UnsavedGuard } from "./unsaved-guard";

export interface ResourceFormProps {
  action: FormAction;
  closeHref: string;
  /** Keeps a second submission from creating another resource. */
  formId?: string;
  /** The ETag of the resource to edit. */
  tag?: string;
}

interface Props extends ResourceFormProps {
  /** The resource to edit; undefined for a new one. */
  id: string | undefined;
  /** The submit label of a new resource. */
  create: string;
  className: string;
  conflict?: ReactNode;
  children: ReactNode;
}

/** Creates or edits a resource. An edit sends only the changed fields: see `formFields`. */
export function ResourceForm(props: Props) {
  const { action, closeHref, formId, tag, id, create, className, conflict } = props;
  return (
    <ActionForm action={action} className={className} conflict={conflict}>
      <UnsavedGuard />
      <Draft of={tag} />
      <AutoFocus />
      {formId && <FormId id={formId} />}
      {tag && <InitialValue name="tag" value={tag} />}
      {id && <input type="hidden" name="id" value={id} />}
      {props.children}
      <div data-form-error className="empty:hidden sm:col-span-full" />
      <div className="flex gap-2 sm:col-span-full">
        <Submit>{id ? "Save changes" : create}</Submit>
        <Link href={closeHref} scroll={false} aria-keyshortcuts="Escape" className="button">
          Cancel
        </Link>
      </div>
    </ActionForm>
  );
}
