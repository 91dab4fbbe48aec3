/** The form passed to an action; empty if a script passed anything else. */
export function formOf(data: unknown): FormData {
  return data instanceof FormData ? data : new FormData();
}
