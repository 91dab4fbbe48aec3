/** The page shows a change that the person made within this time. */
const SHOWN_MS = 2000;

let until = 0;

/** To be called when the person's change has been sent and when the response has arrived. */
export function noteOwnChange(): void {
  until = performance.now() + SHOWN_MS;
}

/** Whether what the page receives now may show a change that the person has just made. */
export function hasOwnChange(): boolean {
  return performance.now() < until;
}
