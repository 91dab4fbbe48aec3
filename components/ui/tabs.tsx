"use client";

import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useState,
} from "react";
import { Link } from "./link";
import { useHydrated } from "./use-hydrated";

export interface Tab {
  name: string;
  href: string;
  /** How many there are, beside the name. */
  count?: ReactNode;
}

interface Props {
  /** The selected tab; null for none. */
  chosen: string | null;
  /** Contains a `TabList` and a `TabPanel`. */
  children: ReactNode;
}

/** The pressed tab, until its view has loaded. */
let pressed: string | undefined;

const Context = createContext<{ chosen: string | null; tabId: string; panelId: string }>({
  chosen: null,
  tabId: "",
  panelId: "",
});

/** Tabs whose selection is in the URL, so that the server renders the view. */
export function Tabs({ chosen, children }: Props) {
  const id = useId();
  const tabId = `${id}-tab`;
  useEffect(() => {
    // When the pane is re-created with its view, the focus goes with the old tab.
    if (pressed === chosen && document.activeElement === document.body) {
      document.getElementById(tabId)?.focus({ preventScroll: true });
    }
    pressed = undefined;
  }, [chosen, tabId]);
  return (
    <Context value={{ chosen, tabId, panelId: `${id}-panel` }}>
      <div>{children}</div>
    </Context>
  );
}

interface TabListProps {
  label: string;
  tabs: Tab[];
  /** Divides a whole pane; otherwise a view of one part. */
  isMain?: boolean;
}

/** Tabs that are links, to work without scripts. The arrow keys move the focus; Enter selects. */
export function TabList({ label, tabs, isMain = false }: TabListProps) {
  const { chosen, tabId, panelId } = useContext(Context);
  const isHydrated = useHydrated();
  const [focused, setFocused] = useState<string>();
  const isListed = tabs.some(({ name }) => name === chosen);
  // The only tab that the Tab key reaches.
  const reached = focused ?? (isListed ? chosen : tabs[0]?.name);
  return (
    <div role="tablist" aria-label={label} className={isMain ? "tabs" : "pills w-fit"}>
      {tabs.map(({ name, href, count }) => (
        <Link
          key={name}
          href={href}
          scroll={false}
          role="tab"
          aria-selected={name === chosen}
          {...(name === chosen && { id: tabId, "aria-controls": panelId })}
          tabIndex={!isHydrated || name === reached ? 0 : -1}
          onFocus={() => setFocused(name)}
          onBlur={() => setFocused(undefined)}
          onKeyDown={pressKey}
          onClick={() => {
            if (name !== chosen) pressed = name;
          }}
          className={isMain ? "tab" : "pill"}
        >
          {name}
          {count !== undefined && <span className="text-muted"> {count}</span>}
        </Link>
      ))}
    </div>
  );
}

/** The view of the selected tab. */
export function TabPanel({ of, children }: { of: string; children: ReactNode }) {
  const { chosen, tabId, panelId } = useContext(Context);
  if (of !== chosen) return null;
  return (
    <div role="tabpanel" id={panelId} aria-labelledby={tabId}>
      {children}
    </div>
  );
}

function pressKey(event: KeyboardEvent<HTMLElement>) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const tab = event.currentTarget;
  const tabs = [...(tab.parentElement?.children ?? [])];
  const at = tabs.indexOf(tab);
  const targets: Record<string, Element | undefined> = {
    ArrowLeft: tabs.at(at - 1),
    ArrowRight: tabs[(at + 1) % tabs.length],
    Home: tabs[0],
    End: tabs.at(-1),
  };
  const target = targets[event.key];
  if (target instanceof HTMLElement) target.focus();
  else if (event.key === " ") tab.click();
  else return;
  event.preventDefault();
}
