import type { FetchImplementation } from "jose";

/** Fetches a provider's key set. TODO-OUTBOUND */
export const fetchKeys: FetchImplementation = (url, options) => fetch(url, options);
