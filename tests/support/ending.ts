/**
 * A fixture that is `start`, and ends at the end of the test everything that was started with it,
 * whether or not the test fails.
 */
export function endingWithTest<Given extends unknown[], Started>(
  start: (...given: Given) => Promise<Started>,
  end: (started: Started) => Promise<unknown>,
) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  return async ({}, use: (fixture: typeof start) => Promise<void>) => {
    const all: Started[] = [];
    await use(async (...given) => {
      const started = await start(...given);
      all.push(started);
      return started;
    });
    await Promise.all(all.map(end));
  };
}
