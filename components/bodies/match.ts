/** More matches than anyone will step through. */
export const MATCHES_MAX = 1000;

/** The position of a match, in characters of a text or in bytes. */
export interface Match {
  start: number;
  end: number;
}
