import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Makes a function that resolves in a turn of the event loop which few calls share: at once if this one
 * has room, else later, in the order of the calls. Otherwise all that arrives together is computed in one
 * turn, and nobody else is answered meanwhile.
 */
export function loopTurns(perTurn = 1): () => Promise<void> {
  let turn: Promise<void> | undefined; // undefined is this one
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
