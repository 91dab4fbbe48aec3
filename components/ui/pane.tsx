import type { ReactNode } from "react";
import { config } from "@/lib/platform/config/config";
import { CopyButton, CopyText } from "./copy";
import { curl } from "./curl";
import { Icon } from "./icon";
import { Link } from "./link";
import { Menu } from "./menu";
import { type Pill, Pills } from "./pills";

interface Props {
  /** The name of the pane for screen readers. */
  label: string;
  title: ReactNode;
  /** For a title that is code, or long. */
  isSmall?: boolean;
  /** Another part of the page has the main heading. */
  isAside?: boolean;
  /** State, size and time, under the title. */
  state?: ReactNode;
  id?: string;
  /** The list beside it, if there is one. */
  closeHref?: string | undefined;
  /** The button that people come for most. */
  primary?: ReactNode;
  /** All other actions, in the "⋯" menu. */
  more?: ReactNode;
  tabs?: { list: Pill[] } | undefined;
  /** The edit form, which replaces the actions while it is open. */
  form?: ReactNode;
  children?: ReactNode;
}

/** The detail view of a resource: a header with its state and actions, and its contents in tabs. */
export function Pane(props: Props) {
  const { title, isSmall, isAside, state, id, closeHref, primary, more, tabs, form } = props;
  const Title = isAside ? "h2" : "h1";
  const size = isSmall || isAside ? "text-lead" : "text-title tracking-tight";
  return (
    <article aria-label={props.label} className="p-4 sm:px-6">
      <div className="flex flex-wrap items-start justify-end gap-x-3 gap-y-2">
        <Title
          tabIndex={-1}
          data-pane-title
          className={`flex min-h-8 min-w-0 flex-1 ${isSmall || isAside ? "basis-28" : "basis-48"} items-center ${form ? "" : "max-sm:basis-auto"} gap-2.5 font-semibold wrap-anywhere ${size}`}
        >
          {title}
        </Title>
        <div className="flex items-center gap-2">
          {!form && primary}
          {!form && more && <Menu>{more}</Menu>}
          {closeHref && (
            <Link
              href={closeHref}
              scroll={false}
              aria-label="Close, back to the list"
              aria-keyshortcuts="Escape"
              className="-mr-1.5 rounded p-1.5 text-muted hover:text-ink"
            >
              <Icon name="close" />
            </Link>
          )}
        </div>
      </div>
      {(state || id) && (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 text-small">
          {state}
          {id && <CopyText text={id} />}
        </div>
      )}
      {form && <div className="mt-4">{form}</div>}
      {tabs && <Pills isMain label="Parts" pills={tabs.list} />}
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

export function CopyCall(props: {
  path: string;
  of: { organization_id: string | null };
  children?: string;
}) {
  const { path, of, children = "Copy as curl" } = props;
  return <CopyButton text={callOf(path, of)}>{children}</CopyButton>;
}
