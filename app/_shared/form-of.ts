/** The form that an action was called with; empty if a script called it with anything else. */
export function formOf(data: unknown): FormData {
  return data instanceof FormData ? data : new FormData();
}
