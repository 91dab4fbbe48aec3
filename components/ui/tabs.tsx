"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import Link from "next/link";
import { type ReactNode, useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated";

interface Tab {
  name: string;
  href: string;
}

interface Props {
  /** The selected tab; null if none is. */
  chosen: string | null;
  /** Contains a `TabList` and a `TabPanel`. */
  children: ReactNode;
}

/** The pressed tab, until its view has loaded. */
let pressed: string | undefined;

/** Tabs whose selection is in the URL, so that the server renders the view. */
export function Tabs({ chosen, children }: Props) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // When the pane is re-created with its view, the old tab takes the focus with it.
    if (pressed === chosen && document.activeElement === document.body) {
      root.current
        ?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")
        ?.focus({ preventScroll: true });
    }
    pressed = undefined;
  }, [chosen]);
  return (
    <Base.Root
      ref={root}
      value={chosen}
      onValueChange={(name: string) => {
        pressed = name;
      }}
    >
      {children}
    </Base.Root>
  );
}

/** Tabs that are links, so that they work without scripts. */
export function TabList({ label, tabs }: { label: string; tabs: Tab[] }) {
  const isHydrated = useHydrated();
  return (
    <Base.List aria-label={label} className="pills">
      {tabs.map(({ name, href }) => (
        <Base.Tab
          key={name}
          value={name}
          nativeButton={false}
          render={<Link href={href} prefetch={false} scroll={false} />}
          className="pill"
          {...(!isHydrated && { tabIndex: 0 })}
        >
          {name}
        </Base.Tab>
      ))}
    </Base.List>
  );
}

/** The view of the chosen tab. */
export function TabPanel({ of, children }: { of: string; children: ReactNode }) {
  return <Base.Panel value={of}>{children}</Base.Panel>;
}
