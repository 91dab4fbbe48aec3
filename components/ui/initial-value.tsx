"use client";

import { useState } from "react";

/** A hidden field that keeps its value from when the form opened, even if the page is refreshed. */
export function InitialValue({ name, value }: { name: string; value: string }) {
  const [first] = useState(value);
  return <input type="hidden" name={name} value={first} />;
}
