/** The ID of a webhook endpoint, given as an ID or as its capture URL. */
export function endpointIdOf(given: string): string {
  return /\/api\/catch\/([^/?#]+)/.exec(given)?.[1] ?? given;
}
