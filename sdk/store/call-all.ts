/** Calls every listener. What one of them throws is reported as an uncaught error, and stops neither the others nor the caller. */
export function callAll<Value>(listeners: Iterable<(value: Value) => void>, value: Value): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }
}
