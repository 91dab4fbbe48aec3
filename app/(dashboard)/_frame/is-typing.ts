/** Elements that handle keys themselves. */
const WIDGETS =
  "input:not([type=checkbox]), textarea, select, [popover], [role=dialog], [role=alertdialog], [role=menu]";

/** Whether a key is meant for a control or the browser rather than for the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const isForControl = within(event, WIDGETS) && !closesForm(event);
  return event.metaKey || event.ctrlKey || event.altKey || isForControl;
}

/** Escape in a field closes its form, which asks first if it has unsaved input. */
function closesForm(event: KeyboardEvent): boolean {
  if (event.key !== "Escape" || event.isComposing) return false;
  return within(event, "form:has([aria-keyshortcuts=Escape])");
}

/** Whether the event's target is inside such an element. */
export function within({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
