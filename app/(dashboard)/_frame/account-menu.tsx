"use client";

import { Icon } from "@/components/ui/icon";
import { useOnDemand } from "@/components/ui/on-demand";
import type { Organizations } from "./organization-menu";

interface Props extends Organizations {
  narrow?: boolean;
}

/** Loaded on demand: the menu would add 60 kB to every page. */
const loadMenu = () => import("./organization-menu");

/** The current organization. A press opens a menu of the others. */
export function AccountMenu({ narrow = false, ...organizations }: Props) {
  const { organization, name } = organizations;
  const [menu, load] = useOnDemand(loadMenu);
  const preload = () => void loadMenu().catch(() => {});
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      title={`${organization.name}: ${name}`}
      className={`flex items-center gap-2 rounded-md px-1.5 py-1.5 text-left hover:bg-line/50 aria-expanded:bg-line/50 ${narrow ? "" : "lg:w-full"}`}
      {...(!menu && { onPointerEnter: preload, onFocus: preload, onClick: load })}
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
  return menu ? <menu.OrganizationMenu {...organizations} trigger={button} /> : button;
}
