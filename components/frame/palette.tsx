"use client";
export default function Palette({ onClose }: { onClose(): void; go(href: string): void }) {
  return (
    <button type="button" onClick={onClose}>
      x
    </button>
  );
}
