/** The ID of a webhook endpoint, which may be given as its capture URL. */
export function endpointIdOf(given: string): string {
  return /\/api\/catch\/([^/?#]+)/.exec(given)?.[1] ?? given;
}
