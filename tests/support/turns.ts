/** Does some work, which may ask how many turns of the event loop others have had since its beginning. */
export async function countTurns<Result>(
  work: (turns: () => number) => Promise<Result>,
): Promise<Result> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    return await work(() => turns);
  } finally {
    isOver = true;
  }
}
