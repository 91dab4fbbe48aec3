import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Makes a function that spreads its calls over turns of the event loop, `perTurn` to each. It resolves at
 * once while the current turn has room, then in later turns, in the order of the calls. Without it, work
 * that arrives together runs in one turn, and the process serves nothing else until it is done.
 */
export function loopTurns(perTurn = 1): () => Promise<void> {
  let turn: Promise<void> | undefined; // undefined: the current turn
  let taken = 0;
  const after = (one = Promise.resolve()) => one.then(() => nextTurn());
  return async () => {
    if (taken === perTurn) {
      turn = after(turn);
      taken = 0;
    }
    taken += 1;
    const own = turn;
    if (taken === 1) {
      void after(own).then(() => {
        if (turn !== own) return;
        turn = undefined;
        taken = 0;
      });
    }
    await own;
  };
}
