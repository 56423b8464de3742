// @ts-check
// Tasks of a page.

const { port1, port2 } = new MessageChannel();

/** The next task. */
export const nextTask = () =>
  new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

/** A task in which nothing has happened for a while that another process was told of. */
export async function quietTask() {
  await nextTask();
  const end = performance.now() + 0.2;
  while (performance.now() < end);
  // Anywhere between two steps of the clock: then times are right on average.
  for (let count = Math.random() * 140; count > 0; count--) performance.now();
}
