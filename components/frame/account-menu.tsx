import { Icon } from "@/components/ui/icon";
import type { Account } from "@/lib/accounts/visitor";

type FormAction = (data: FormData) => Promise<void>;

/** What the frame's buttons do; the pages hand it in, as components know no cookies. */
export interface AccountActions {
  switchTheme: FormAction;
  switchOrganization: FormAction;
  signOut: FormAction;
}

interface Props {
  account: Account;
  actions: AccountActions;
  narrow?: boolean;
}

/** Whose organization this is; a click shows the others. */
export function AccountMenu({ account, actions, narrow = false }: Props) {
  const { organization, memberships, name } = account;
  const id = narrow ? "organizations-narrow" : "organizations";
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={`${organization.name}: ${name}`}
        className={`flex items-center gap-2 rounded-md px-1.5 py-1.5 text-left hover:bg-line/50 ${narrow ? "" : "lg:w-full"}`}
      >
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded bg-ink text-small font-semibold text-canvas"
        >
          {organization.name.charAt(0).toUpperCase()}
        </span>
        <span className={`min-w-0 flex-1 ${narrow ? "" : "sm:sr-only lg:not-sr-only"}`}>
          <span className="block max-w-40 truncate leading-5 font-medium">{organization.name}</span>
        </span>
        <Icon name="chevron" className={`text-muted ${narrow ? "" : "sm:hidden lg:block"}`} />
      </button>
      <div
        id={id}
        popover="auto"
        className={`m-0 w-64 rounded-md border border-line-strong/50 bg-canvas p-1 text-ink ${narrow ? "top-12 right-3 left-auto" : "top-13 left-2"}`}
      >
        <p className="truncate px-2 py-1.5 text-small text-muted">{name}</p>
        <form action={actions.switchOrganization}>
          {memberships.map(({ organizationId, name: organizationName }) => (
            <button
              key={organizationId}
              type="submit"
              name="organization"
              value={organizationId}
              aria-current={organizationId === organization.id}
              className="flex w-full items-center gap-2 rounded px-2 py-1.5 text-left hover:bg-surface"
            >
              <span className="min-w-0 flex-1 truncate">{organizationName}</span>
              {organizationId === organization.id && <Icon name="check" />}
            </button>
          ))}
          {memberships.length === 0 && (
            <p className="px-2 py-1.5 text-small text-muted">
              Signed in with an API key of {organization.name}. The session ends with the key.
            </p>
          )}
        </form>
      </div>
    </>
  );
}
