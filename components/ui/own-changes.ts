/** The page shows a person's own change within this time. */
const SHOWN_MS = 2000;

let until = 0;

/** Call it when the person's change is sent and when the response arrives. */
export function noteOwnChange(): void {
  until = performance.now() + SHOWN_MS;
}

/** Whether new data may contain a change that the person has just made. */
export function hasOwnChange(): boolean {
  return performance.now() < until;
}
