import { ActionForm } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import type { Account } from "@/lib/identity/sessions/visitor";
import { AccountMenu } from "./account-menu";
import { signOut } from "./actions";
import { BOTTOM_BAR_ITEMS, navItems } from "./nav-items";
import type { Organizations } from "./organization-menu";
import { RailLinks } from "./rail-links";
import { ThemeChoice } from "./theme-choice";

interface Props {
  account: Account;
  /** True on macOS and iOS. */
  isApple: boolean;
  /** How many questions wait for a person. */
  waiting: number;
}

/** The navigation beside every page. Below 640 px, a bar at the bottom. */
export function Rail({ account, isApple, waiting }: Props) {
  const keys = isApple ? "⌘K" : "Ctrl K";
  return (
    <>
      <nav
        aria-label="Dashboard"
        className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-canvas px-2 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] sm:sticky sm:top-0 sm:flex sm:h-dvh sm:overflow-y-auto sm:w-13 sm:flex-col sm:items-center sm:gap-3 sm:border-t-0 sm:border-r sm:bg-surface sm:p-2 lg:w-56 lg:items-stretch"
      >
        <div className="max-sm:hidden">
          <AccountMenu {...organizationsOf(account)} />
        </div>
        <RailLinks waiting={waiting} />
        <div className="mt-auto grid grid-cols-1 justify-items-center gap-0.5 text-muted max-sm:hidden lg:justify-items-stretch">
          <button
            type="button"
            data-palette
            title={`Go to a page or an ID (${keys})`}
            aria-keyshortcuts={isApple ? "Meta+k" : "Control+k"}
            className={`${FOOT} noscript:hidden`}
          >
            <Icon name="search" />
            <span className="max-lg:sr-only">Go to…</span>
            <kbd className="ml-auto font-mono text-small text-muted max-lg:hidden">{keys}</kbd>
          </button>
          <a href="/docs" title="Documentation" className={FOOT}>
            <Icon name="docs" />
            <span className="max-lg:sr-only">Documentation</span>
          </a>
          <button type="button" popoverTarget="you" title={account.name} className={FOOT}>
            <Icon name="account" />
            <span className="min-w-0 truncate max-lg:sr-only">
              <span className="sr-only">Account </span>
              {account.name}
            </span>
          </button>
        </div>
        <div
          id="you"
          popover="auto"
          className="popup fixed top-auto right-auto bottom-12 left-2 w-52 p-1 max-sm:bottom-16"
        >
          <p className="px-2 py-1.5 text-small wrap-anywhere text-muted">{account.name}</p>
          <ThemeChoice />
          <a href="/settings?tab=you" className={CHOICE}>
            <Icon name="settings" className="text-muted" />
            Your settings
          </a>
          <ActionForm action={signOut} isSmall>
            <button type="submit" className={CHOICE}>
              <Icon name="out" className="text-muted" />
              Sign out
            </button>
          </ActionForm>
        </div>
      </nav>
      <MorePlaces />
    </>
  );
}

/** Below 640 px: everything that does not fit into the bar. */
function MorePlaces() {
  return (
    <div
      id="more-places"
      popover="auto"
      className="inset-x-0 top-auto bottom-0 m-0 w-full max-w-none border-t border-line bg-canvas p-3 text-ink sm:hidden"
    >
      <ul className="grid grid-cols-2 gap-1">
        {navItems.slice(BOTTOM_BAR_ITEMS).map(({ href, name, icon }) => (
          <li key={href}>
            <a href={href} className="flex items-center gap-2.5 rounded-md p-2 hover:bg-surface">
              <Icon name={icon} />
              {name}
            </a>
          </li>
        ))}
        <li>
          <a href="/docs" className="flex items-center gap-2.5 rounded-md p-2">
            <Icon name="docs" />
            Documentation
          </a>
        </li>
        <li>
          <button
            type="button"
            popoverTarget="you"
            className="flex w-full items-center gap-2.5 rounded-md p-2"
          >
            <Icon name="account" />
            Account
          </button>
        </li>
      </ul>
    </div>
  );
}

/** The header below 640 px, where the organization does not fit into the bottom bar. */
export function NarrowHeader({ account }: { account: Account }) {
  return (
    <header className="flex items-center justify-between border-b border-line px-4 py-2 sm:hidden">
      <Link href="/dashboard" aria-label="Overview">
        <Logo />
      </Link>
      <AccountMenu {...organizationsOf(account)} narrow />
    </header>
  );
}

/** Leaves the session ID out: props of client components are sent to the browser. */
function organizationsOf({ name, organization, memberships }: Account): Organizations {
  return {
    name,
    organization,
    memberships: memberships.map(({ organizationId, name }) => ({ organizationId, name })),
  };
}

const CHOICE = "flex min-h-8 w-full items-center gap-2.5 rounded px-2 hover:bg-surface";
const FOOT =
  "flex size-9 items-center justify-center gap-2.5 rounded-md hover:bg-line/50 hover:text-ink lg:h-8 lg:w-auto lg:justify-start lg:px-2";
