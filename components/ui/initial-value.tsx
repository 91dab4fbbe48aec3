"use client";

import { useState } from "react";

/** A hidden field that says what was so when the form opened, also when the page is read anew under it. */
export function InitialValue({ name, value }: { name: string; value: string }) {
  const [first] = useState(value);
  return <input type="hidden" name={name} value={first} />;
}
