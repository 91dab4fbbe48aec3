/** Opened from the list: only the pane is read and sent. */
export { default } from "../../events/[eventId]/page";
