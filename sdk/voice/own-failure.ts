/** A failure of the app's own code is told by its runtime, as an unhandled rejection, and is none of the connection. */
export function ownFailure(act: () => void): void {
  try {
    act();
  } catch (error) {
    void Promise.reject(error);
  }
}
