"use client";

import { useEffect, useState } from "react";

/**
 * An ID for one rendering of a form, so that submitting it twice takes effect once. A page restored
 * from the browser's history gets new IDs.
 */
export function FormId({ id }: { id: string }) {
  const [shown, setShown] = useState(id);
  useEffect(() => setShown(`${id} ${Date.now()}`), [id]);
  return <input type="hidden" name="form" value={shown} />;
}
