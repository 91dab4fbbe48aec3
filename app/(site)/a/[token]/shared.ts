import { cache } from "react";
import { findShared } from "@/lib/resources/artifacts/shared";

/** Looks a link up once for each request: its layout, page and title all need it. */
export const shared = cache(findShared);
