/** Longer than the pause between two beats of the server. */
const SILENT_MS = 12_000;

/**
 * Reads a stream of signals and calls `hear` with each. Returns the status once it has ended; 0 if
 * the server did not answer, or fell silent.
 */
export async function readSignals(
  url: string,
  signal: AbortSignal,
  hear: (text: string) => void,
): Promise<number> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) });
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel();
      return answer.status;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return answer.status;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENT_MS);
      const messages = (rest + value).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) hear(message.replace(/^data: /, ""));
    }
  } catch {
    return 0;
  } finally {
    clearTimeout(timer);
  }
}
