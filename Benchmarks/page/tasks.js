// @ts-check
// Tasks of a page.

const { port1, port2 } = new MessageChannel();

/** Waits for the next task. */
export const nextTask = () =>
  new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

/** Waits for a task after an idle time, in which no message to another process is under way. */
export async function quietTask() {
  await nextTask();
  const end = performance.now() + 0.2;
  while (performance.now() < end);
  // Begins anywhere between two steps of the clock, so that times are right on average.
  for (let count = Math.random() * 140; count > 0; count--) performance.now();
}
