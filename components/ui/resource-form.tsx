import Link from "next/link";
import type { ReactNode } from "react";
import { entityTag } from "@/lib/http/conditional";
import { ActionForm, type FormAction, Submit } from "./action-form";
import { AutoFocus } from "./auto-focus";
import { FormId } from "./form-id";
import { InitialValue } from "./initial-value";
import { UnsavedGuard } from "./unsaved-guard";

/** What the form of every kind of resource is given. */
export interface ResourceFormProps {
  action: FormAction;
  closeHref: string;
  /** Names this showing of the form for a new one: a second press of its button is the same. */
  formId?: string;
  /** The ETag of the resource to edit. */
  tag?: string;
}

interface Props extends ResourceFormProps {
  /** The resource to edit; undefined: a new one. */
  id: string | undefined;
  /** What the fields show, as a browser sends it back when nobody touches it. */
  shown: Record<string, string>;
  /** What the button says for a new one. */
  create: string;
  className: string;
  conflict?: ReactNode;
  children: ReactNode;
}

/** Creates a resource, or changes one in place: then only what was touched is changed. */
export function ResourceForm(props: Props) {
  const { action, closeHref, formId, tag, id, shown, create, className, conflict } = props;
  return (
    <ActionForm action={action} className={className} conflict={conflict}>
      <UnsavedGuard />
      <AutoFocus />
      {formId && <FormId id={formId} />}
      {tag && <InitialValue name="tag" value={tag} />}
      {id && <input type="hidden" name="id" value={id} />}
      {id &&
        Object.entries(shown).map(([name, value]) => (
          <InitialValue
            key={name}
            name={`shown_${name}`}
            value={entityTag(value.replaceAll(/\r\n?/g, "\n"))}
          />
        ))}
      {props.children}
      <div className="flex gap-2 sm:col-span-full">
        <Submit>{id ? "Save changes" : create}</Submit>
        <Link href={closeHref} prefetch={false} scroll={false} className="button">
          Cancel
        </Link>
      </div>
    </ActionForm>
  );
}
