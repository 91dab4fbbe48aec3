"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { usePoll } from "@/components/ui/use-poll";
import { BOTTOM_BAR_ITEMS, navItems } from "./nav-items";

/** The rail's links. Below 640 px, a bar with the first few; the others are behind "More". */
export function RailLinks({ waiting }: { waiting: number }) {
  const path = usePathname();
  const count = useWaiting(waiting);
  const isHere = ({ href }: { href: string }) => path === href || path.startsWith(`${href}/`);
  return (
    <ul className="grid h-13 grid-cols-5 justify-items-center gap-0.5 sm:h-auto sm:grid-cols-1 sm:justify-items-stretch">
      {navItems.map((place, index) => (
        <li key={place.href} className={index < BOTTOM_BAR_ITEMS ? "" : "max-sm:hidden"}>
          <Link
            href={place.href}
            aria-current={isHere(place) ? "page" : undefined}
            title={place.name}
            className="flex flex-col items-center gap-1 rounded-md px-2 py-1.5 text-small text-muted hover:bg-line/50 hover:text-ink aria-[current]:bg-line/70 aria-[current]:text-ink sm:relative sm:size-9 sm:justify-center sm:p-0 lg:h-8 lg:w-auto lg:flex-row lg:justify-start lg:gap-2.5 lg:px-2 lg:text-body lg:aria-[current]:font-medium"
          >
            <Icon name={place.icon} />
            <span className="sm:sr-only lg:not-sr-only">{place.name}</span>
            {place.href === "/questions" && (
              <WaitingCount
                count={count}
                className="absolute -top-1 -right-1 lg:static lg:ml-auto"
              />
            )}
          </Link>
        </li>
      ))}
      <li className="sm:hidden">
        <button
          type="button"
          popoverTarget="more-places"
          aria-current={navItems.slice(BOTTOM_BAR_ITEMS).some(isHere) || undefined}
          className="relative flex flex-col items-center gap-1 rounded-md px-2 py-1.5 text-small text-muted aria-[current]:bg-line/70 aria-[current]:text-ink"
        >
          <Icon name="more" />
          More
          <WaitingCount count={count} className="absolute -top-1 left-[calc(50%+0.375rem)]" />
        </button>
      </li>
    </ul>
  );
}

/** How many questions wait: as the page was sent, and then as it changes. */
function useWaiting(sent: number): number {
  const [count, setCount] = useState(sent);
  useEffect(() => setCount(sent), [sent]);
  const receive = (text: string | null) => {
    if (/^\d+$/.test(text ?? "")) setCount(Number(text));
  };
  usePoll("/questions/waiting", receive, "questions");
  return count;
}

function WaitingCount({ count, className = "" }: { count: number; className?: string }) {
  if (count === 0) return null;
  const shown = count > 99 ? "99+" : String(count);
  return (
    <span
      className={`rounded-full bg-ink px-1.5 text-small leading-4 font-medium text-canvas tabular-nums ${className}`}
    >
      {shown}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
