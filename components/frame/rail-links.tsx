"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Icon } from "@/components/ui/icon";
import { places } from "./places";

/** The rail's links; below 640 px a bar with the first four, the others behind "More". */
export function RailLinks() {
  const path = usePathname();
  return (
    <ul className="flex justify-around gap-0.5 sm:grid sm:justify-stretch">
      {places.map(({ href, name, icon }, index) => {
        const here = path === href || path.startsWith(`${href}/`);
        return (
          <li key={href} className={index < 4 ? "" : "max-sm:hidden"}>
            <Link
              href={href}
              prefetch={false}
              aria-current={here ? "page" : undefined}
              title={name}
              className="flex flex-col items-center gap-1 rounded-md px-2 py-1.5 text-small text-muted hover:bg-line/50 hover:text-ink aria-[current]:bg-line/70 aria-[current]:text-ink sm:size-9 sm:justify-center sm:p-0 lg:h-8 lg:w-auto lg:flex-row lg:justify-start lg:gap-2.5 lg:px-2 lg:text-body lg:aria-[current]:font-medium"
            >
              <Icon name={icon} />
              <span className="sm:sr-only lg:not-sr-only">{name}</span>
            </Link>
          </li>
        );
      })}
      <li className="sm:hidden">
        <button
          type="button"
          popoverTarget="more-places"
          className="flex flex-col items-center gap-1 rounded-md px-2 py-1.5 text-small text-muted"
        >
          <Icon name="more" />
          More
        </button>
      </li>
    </ul>
  );
}
