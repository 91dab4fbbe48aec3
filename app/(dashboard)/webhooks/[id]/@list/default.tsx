/** The list beside an event whose own URL was loaded. */
export { default } from "./page";
