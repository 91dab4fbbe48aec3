/** The ID as it is stored: `whe_X` is another spelling of `wh_X`. Any other text stays as it is. */
export function endpointId(given: string): string {
  return given.startsWith("whe_") ? `wh_${given.slice(4)}` : given;
}
