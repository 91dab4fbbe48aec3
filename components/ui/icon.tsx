import { type KindName, kinds } from "@/lib/resources/kinds";

/** The icons of the dashboard: 16 px, one stroke, in the colour of the text beside them. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

const DRAWN = {
  overview: "M2 13.5h12M3.5 13.5V8M8 13.5v-11M12.5 13.5v-7",
  keys: "M9.8 6.2a3 3 0 1 0-3 3 3 3 0 0 0 3-3zM8.9 8.3l5.1 5.2M11.4 10.9l1.5-1.5",
  settings: "M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M10.7 2.8v3.4M5.3 9.8v3.4",
  docs: "M8 3.6C6.6 2.7 4.6 2.4 2 2.5v10c2.6-.1 4.6.2 6 1.1 1.4-.9 3.4-1.2 6-1.1v-10c-2.6-.1-4.6.2-6 1.1zM8 3.6v10",
  theme: "M13.6 9.6A5.8 5.8 0 0 1 6.4 2.4a5.8 5.8 0 1 0 7.2 7.2z",
  account: "M8 8.2a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8zM2.6 14c.4-2.6 2.5-4 5.4-4s5 1.4 5.4 4",
  chevron: "M5 6.5L8 3.5l3 3M5 9.5l3 3 3-3",
  more: "M3.2 8h.01M8 8h.01M12.8 8h.01",
  plus: "M8 3v10M3 8h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L14 14",
  lease: "M4 7.2h8v6H4zM5.8 7.2V5a2.2 2.2 0 0 1 4.4 0v2.2",
  blocked: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5l3.2 3.2L13 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  left: "M10 3.5L5.5 8l4.5 4.5",
  right: "M6 3.5L10.5 8 6 12.5",
  out: "M6.5 2.5h-4v11h4M9.5 5l3 3-3 3M12.5 8H6",
  edit: "M10.8 2.8l2.4 2.4L5.6 12.8l-3 .6.6-3z",
  refresh: "M13.5 8a5.5 5.5 0 1 1-1.7-4M13.6 1.8v2.6H11",
  download: "M8 2v8M4.8 7L8 10.2 11.2 7M2.5 13.5h11",
} as const;

/** A kind of resource has an icon of its name. */
export type IconName = keyof typeof DRAWN | KindName;

const PATHS: Record<string, string> = {
  ...DRAWN,
  ...Object.fromEntries(kinds.map(({ name, icon }) => [name, icon])),
};
