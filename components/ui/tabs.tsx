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
  /** The tab whose view is shown; null: another thing stands in its place. */
  chosen: string | null;
  /** A `TabList` and a `TabPanel`, wherever each has its place. */
  children: ReactNode;
}

/** The tab that was pressed, until its view is there. */
let pressed: string | undefined;

/** Views of one thing, of which one is shown. Which one is in the address, so that the server makes it. */
export function Tabs({ chosen, children }: Props) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where a pane is made anew with its view, the focus would be lost with the old one.
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

/** The tabs: links, also where no script runs. The arrow keys walk among them, Enter and Space choose. */
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
