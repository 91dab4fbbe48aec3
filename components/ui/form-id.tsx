"use client";

import { useLayoutEffect, useState } from "react";
import { useUnsettled } from "./action-form";

/**
 * An ID for what a form sends, which counts once. It stays while a request runs and after one that
 * failed, and is new after a success. A page from the history gets new IDs.
 */
export function FormId({ id }: { id: string }) {
  const [shown, setShown] = useState(id);
  const isUnsettled = useUnsettled();
  // Before anybody can press again.
  useLayoutEffect(() => {
    if (!isUnsettled) setShown(`${id} ${Date.now()}`);
  }, [id, isUnsettled]);
  return <input type="hidden" name="form" value={shown} />;
}
