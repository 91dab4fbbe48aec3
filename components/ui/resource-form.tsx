import type { ReactNode } from "react";
import { stableTag } from "@/lib/resources/version";
import { ActionForm, type FormAction, Submit } from "./action-form";
import { AutoFocus } from "./auto-focus";
import { Draft } from "./draft";
import { InitialValue } from "./initial-value";
import { Link } from "./link";
import { UnsavedGuard } from "./unsaved-guard";

interface Props {
  action: FormAction;
  closeHref: string;
  /** The resource to edit; undefined for a new one. */
  resource: { id: string } | undefined;
  /** The submit label of a new resource. */
  create: string;
  className: string;
  conflict?: ReactNode;
  children: ReactNode;
}

/** Creates or edits a resource. An edit sends only the changed fields: see `formFields`. */
export function ResourceForm(props: Props) {
  const { action, closeHref, resource, create, className, conflict } = props;
  const tag = resource && stableTag(resource);
  return (
    <ActionForm
      action={action}
      className={className}
      conflict={conflict}
      fields={resource && { id: resource.id, back: closeHref }}
      formId={resource ? undefined : crypto.randomUUID()}
    >
      <UnsavedGuard />
      <Draft of={tag} />
      <AutoFocus />
      {tag && <InitialValue name="tag" value={tag} />}
      {props.children}
      <div data-form-error className="empty:hidden sm:col-span-full" />
      <div className="flex gap-2 sm:col-span-full">
        <Submit>{resource ? "Save changes" : create}</Submit>
        <Link href={closeHref} scroll={false} aria-keyshortcuts="Escape" className="button">
          Cancel
        </Link>
      </div>
    </ActionForm>
  );
}
