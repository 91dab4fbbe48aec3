"use client";

import { setCookie } from "./cookie";

/** Turns line wrapping on or off for all code, and remembers the choice. */
export function WrapToggle() {
  return (
    <button type="button" onClick={toggle} className="button noscript:hidden">
      <span className="in-data-[wrap=off]:hidden">Unwrap</span>
      <span className="not-in-data-[wrap=off]:hidden">Wrap</span>
    </button>
  );
}

function toggle() {
  const { dataset } = document.documentElement;
  const value = dataset.wrap === "off" ? "on" : "off";
  if (value === "off") dataset.wrap = "off";
  else delete dataset.wrap;
  setCookie("wrap", value);
}
