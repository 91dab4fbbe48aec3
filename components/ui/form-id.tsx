"use client";

import { useEffect, useState } from "react";

/**
 * Names one showing of a form, so that pressing its button twice does its work once. A page that is
 * shown again from the browser's history shows its forms anew.
 */
export function FormId({ id }: { id: string }) {
  const [shown, setShown] = useState(id);
  useEffect(() => setShown(`${id} ${Date.now()}`), [id]);
  return <input type="hidden" name="form" value={shown} />;
}
