"use client";

import { type MouseEvent, type ReactNode, useId } from "react";
import { Icon } from "./icon";

interface Props {
  /** The name of a "⋯". */
  label?: string;
  /** The button's contents in place of "⋯". */
  face?: ReactNode;
  children: ReactNode;
}

/** What a page or list offers beside its primary action, behind a button. Works without scripts. */
export function Menu({ label = "More actions", face, children }: Props) {
  const id = useId();
  const close = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if (target instanceof Element && target.closest("a, [data-copy]")) currentTarget.hidePopover();
  };
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={face ? "button" : "button px-2"}
        {...(!face && { "aria-label": label, title: label })}
      >
        {face ?? <Icon name="more" />}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes after a press of what is inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key press on a control is a click, too. */}
      <div id={id} popover="auto" onClick={close} className="popup menu">
        {children}
      </div>
    </>
  );
}
