"use client";

import { Icon } from "@/components/ui/icon";
import { useOnPress } from "@/components/ui/on-demand";

type FormAction = (data: FormData) => Promise<void>;

/** What the frame's buttons do; the pages hand it in, as components know no cookies. */
export interface AccountActions {
  switchTheme: FormAction;
  switchOrganization: FormAction;
  signOut: FormAction;
}

export interface Organizations {
  /** What the person, or the key, is known by. */
  name: string;
  organization: { id: string; name: string };
  /** A person's organizations; none for a key, which has its own only. */
  memberships: { organizationId: string; name: string }[];
  switchOrganization: FormAction;
}

interface Props extends Organizations {
  narrow?: boolean;
}

const loadMenu = () => import("./organization-menu");

/** Whose organization this is; a press shows the others. */
export function AccountMenu({ narrow = false, ...organizations }: Props) {
  const { organization, name } = organizations;
  const [popup, press] = useOnPress(loadMenu);
  const button = (pressed: typeof press | undefined) => (
    <button
      type="button"
      aria-haspopup="menu"
      title={`${organization.name}: ${name}`}
      className={`flex items-center gap-2 rounded-md px-1.5 py-1.5 text-left hover:bg-line/50 aria-expanded:bg-line/50 ${narrow ? "" : "lg:w-full"}`}
      {...pressed}
    >
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded bg-ink text-small font-semibold text-canvas"
      >
        {Array.from(organization.name)[0]?.toUpperCase()}
      </span>
      <span className={`min-w-0 flex-1 ${narrow ? "" : "sm:sr-only lg:not-sr-only"}`}>
        <span className="block max-w-40 truncate leading-5 font-medium">{organization.name}</span>
      </span>
      <Icon name="chevron" className={`text-muted ${narrow ? "" : "sm:hidden lg:block"}`} />
    </button>
  );
  if (!popup) return button(press);
  return <popup.OrganizationMenu {...organizations} trigger={button(undefined)} />;
}
