"use client";

import { useContext } from "react";
import { Owner } from "./action-form";

interface Props {
  /** The list's path in the API, without `/api/`. */
  list: string;
  /** The list's filters in the API. */
  filters?: Record<string, string | readonly string[] | undefined> | undefined;
}

/** Downloads a whole list as JSON lines. */
export function ExportLink({ list, filters = {} }: Props) {
  const owner = useContext(Owner);
  const search = new URLSearchParams(owner && { owner });
  for (const [name, values] of Object.entries(filters)) {
    for (const value of [values ?? []].flat()) search.append(name, value);
  }
  return (
    <a
      href={`/export/${list}${search.size > 0 ? `?${search}` : ""}`}
      download
      title="Download all as JSON lines"
      className="button"
    >
      Export
    </a>
  );
}
