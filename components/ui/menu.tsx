"use client";

import { type MouseEvent, type ReactNode, useId } from "react";
import { Icon } from "./icon";

/** The actions of a page beside its primary one, behind "⋯". Works without scripts. */
export function Menu({ children }: { children: ReactNode }) {
  const id = useId();
  const close = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if (target instanceof Element && target.closest("a, [data-copy]")) currentTarget.hidePopover();
  };
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label="More actions"
        title="More actions"
        className="button px-2"
      >
        <Icon name="more" />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes after a press of what is inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key press on a control is a click, too. */}
      <div id={id} popover="auto" onClick={close} className="popup menu">
        {children}
      </div>
    </>
  );
}
