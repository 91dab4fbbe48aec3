import { cache } from "react";
import { findShared } from "@/lib/resources/artifacts/shared";

/** Looks a link up once per request, for its layout, page and title. */
export const shared = cache(findShared);
