"use client";

import { type ComponentProps, lazy } from "react";

const Section = lazy(() => import("./replay-section"));

/** Loaded with its tab: most visitors only read the body. */
export function ReplaySection(props: ComponentProps<typeof Section>) {
  return <Section {...props} />;
}
