/** Longer than the pause between two heartbeats of the server. */
const SILENT_MS = 12_000;

/** Reads a stream of signals and calls `onSignal` with each. Returns its status; 0 for none. */
export async function readSignals(
  url: string,
  signal: AbortSignal,
  onSignal: (text: string) => void,
): Promise<number> {
  const wasOpen = await new Promise<boolean>((resolve) => {
    // Not `fetch`: the page would never count as loaded.
    const source = new EventSource(url);
    let isOpen = false;
    const end = () => {
      clearTimeout(timer);
      source.close();
      resolve(isOpen);
    };
    let timer = setTimeout(end, SILENT_MS);
    source.onmessage = ({ data }) => {
      isOpen = true;
      clearTimeout(timer);
      timer = setTimeout(end, SILENT_MS);
      onSignal(data);
    };
    source.onerror = end;
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
  if (wasOpen || signal.aborted) return 200;
  // An `EventSource` does not report why it failed.
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
