/** The list beside an event whose own address was loaded. */
export { default } from "./page";
