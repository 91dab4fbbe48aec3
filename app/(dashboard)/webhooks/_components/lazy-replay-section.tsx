"use client";

import { type ComponentProps, lazy } from "react";

const Section = lazy(() => import("./replay-section"));

/** The section, loaded with its tab: most visitors of an event only read its body. */
export function ReplaySection(props: ComponentProps<typeof Section>) {
  return <Section {...props} />;
}
