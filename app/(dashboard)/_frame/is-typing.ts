/** Elements that handle keys themselves. */
const WIDGETS =
  "input:not([type=checkbox]), textarea, select, [popover], [role=dialog], [role=alertdialog], [role=menu]";

/** Whether a key is meant for a control or the browser rather than for the page. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.metaKey || event.ctrlKey || event.altKey || within(event, WIDGETS);
}

/** Whether the event's target is inside such an element. */
export function within({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
