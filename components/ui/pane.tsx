import type { ReactNode } from "react";
import { config } from "@/lib/platform/config/config";
import { CloseLink } from "./close-link";
import { CopyButton, CopyText } from "./copy";
import { curl } from "./curl";
import { Icon } from "./icon";
import { Link } from "./link";

interface Props {
  /** The name of the pane for screen readers. */
  label: string;
  title: ReactNode;
  /** For a title that is code, or long. */
  isSmall?: boolean;
  /** Another part of the page has the main heading. */
  isAside?: boolean;
  /** The state, beside the ID. */
  state?: ReactNode;
  id?: string;
  /** The list beside it, if there is one. */
  closeHref?: string | undefined;
  tools?: ReactNode;
  /** The edit form, which replaces the tools while it is open. */
  form?: ReactNode;
  children?: ReactNode;
}

/** The detail view of a resource: its title, state, actions and contents. */
export function Pane(props: Props) {
  const { title, isSmall, isAside, state, id, closeHref, tools, form } = props;
  const Title = isAside ? "h2" : "h1";
  const size = isSmall || isAside ? "text-lead" : "text-title tracking-tight";
  return (
    <article aria-label={props.label} className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <Title
          className={`flex min-w-0 items-baseline gap-2.5 font-semibold wrap-anywhere ${size}`}
        >
          {title}
        </Title>
        {closeHref && <CloseLink href={closeHref} />}
      </div>
      {(state || id) && (
        <p className="mt-1 flex flex-wrap items-center gap-x-3">
          {state}
          {id && <CopyText text={id} />}
        </p>
      )}
      {form && <div className="mt-5">{form}</div>}
      {!form && tools && <div className="mt-4 flex flex-wrap items-start gap-2">{tools}</div>}
      {props.children}
    </article>
  );
}

/** Opens the form that edits what the page shows. */
export function EditLink({ href, className = "button" }: { href: string; className?: string }) {
  return (
    <Link href={href} scroll={false} aria-keyshortcuts="e" className={className}>
      <Icon name="edit" />
      Edit
    </Link>
  );
}

/** A command that reads something with the API, with a key if it has an owner. */
export function callOf(path: string, { organization_id }: { organization_id: string | null }) {
  return curl(`${config().baseUrl}/api/${path}`, { key: organization_id !== null });
}

/** Copies that command. */
export function CopyCall(props: {
  path: string;
  of: { organization_id: string | null };
  children?: string;
}) {
  const { path, of, children = "Copy as curl" } = props;
  return <CopyButton text={callOf(path, of)}>{children}</CopyButton>;
}
