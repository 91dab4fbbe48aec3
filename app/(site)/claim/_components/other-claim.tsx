"use client";

import { useEffect } from "react";
import { type ListCovered, useCovered } from "./covered";

/** Goes on to another resource that this tab's token claims, if there is one. */
export function OtherClaim({ id, list }: { id: string; list: ListCovered }) {
  const { token, covered } = useCovered(id, list);
  const other = covered.data[0]?.id;
  useEffect(() => {
    if (token === null || other === undefined) return;
    window.location.replace(`/claim/${encodeURIComponent(other)}#claim_token=${token}`);
  }, [token, other]);
  return null;
}
