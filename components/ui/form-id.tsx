"use client";

import { useEffect, useState } from "react";

/** An ID for one rendering of a form, which counts once. A page from the history gets new IDs. */
export function FormId({ id }: { id: string }) {
  const [shown, setShown] = useState(id);
  useEffect(() => setShown(`${id} ${Date.now()}`), [id]);
  return <input type="hidden" name="form" value={shown} />;
}
