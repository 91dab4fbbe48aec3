"use client";

const YEAR_MS = 365 * 86_400_000;

/** Turns line wrapping on or off for all code, and remembers the choice (over HTTPS). */
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
  if ("cookieStore" in window) {
    cookieStore.set({ name: "wrap", value, sameSite: "lax", expires: Date.now() + YEAR_MS });
  }
}
