/** The same promise; its failure is not reported when it is not awaited. */
export function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
