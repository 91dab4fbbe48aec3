/** More matches than anyone steps through. */
export const MATCHES_MAX = 1000;

/** Where a match is: in characters of a text, or in bytes. */
export interface Match {
  start: number;
  end: number;
}
