// @ts-check
// The turns of a program: a call of one of its exports, with all that it calls in the page.

import { attempt } from "./boundary.js";

/**
 * Returns a function that runs turns, one at a time, and none after one that has thrown. A turn of
 * the page waits for the one under way. A call by a loader (`within`) runs at once, as a part of
 * the turn under way.
 * @param {(error: any) => void} onStop is called once, when a turn has thrown
 */
export function turnsOf(onStop) {
  const waiting = [];
  let isUnderWay = false;
  /** @type {{ error: any } | null} */
  let fault = null;

  const stop = (error) => {
    if (fault) return;
    fault = { error };
    onStop(error);
  };

  const end = () => {
    while (!fault && waiting.length) attempt(waiting.shift(), stop);
    isUnderWay = false;
  };

  // `isSignal` returns whether an exception is one that the loader throws and catches.
  const within = (call, isSignal) => {
    if (fault) throw fault.error;
    const isPart = isUnderWay; // of the turn under way
    isUnderWay = true;
    try {
      return call();
    } catch (error) {
      if (!isSignal?.(error)) stop(error);
      throw error;
    } finally {
      if (!isPart) end();
    }
  };

  const turn = (call) => {
    if (fault) return;
    if (isUnderWay) waiting.push(call);
    else attempt(() => within(call), () => {}); // `onStop` has the exception
  };

  return Object.assign(turn, {
    within,
    // Once the waiting turns have ended.
    stop: () => turn(() => fault = { error: Error("The program was stopped.") }),
    isOver: () => !!fault,
    isUnderWay: () => isUnderWay,
  });
}
